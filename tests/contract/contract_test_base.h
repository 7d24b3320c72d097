// ContractTest: runs the client, wired as in a database connection, against the table service in
// AZTABLES_CONNECTION_DEMO: over the network, or in process for a LocalStore. Each test creates a
// table and deletes it. Without the variable every test fails.
//
// Thread rule: one thread.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "auth/connection_settings.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "http/curl_transport.h"
#include "http/pipeline.h"
#include "model/limits.h"
#include "service/local_transport.h"
#include "support/log_writes.h"
#include "table/page_stream.h"

namespace aztables {

// One connection: settings, credential, transport, pipeline and client.
class Wire {
 public:
  explicit Wire(ConnectionSettings settings)
      : settings_(std::move(settings)),
        credential_(MakeCredential(settings_)),
        transport_(MakeTransport(settings_)),
        pipeline_(MakePipeline(transport_.get(), credential_.get(), &log_, &Clock::System())),
        client_({.connection = "demo",
                 .origin = settings_.endpoint.Origin(),
                 .path = settings_.endpoint.path,
                 .cosmos = settings_.kind == EndpointKind::kCosmos},
                pipeline_.get(), &log_) {}
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  const ConnectionSettings& settings() const { return settings_; }
  const ServiceClient& client() const { return client_; }
  Transport* transport() const { return transport_.get(); }
  Pipeline& pipeline() { return *pipeline_; }
  const RequestLog& log() const { return log_; }

 private:
  static std::unique_ptr<Transport> MakeTransport(const ConnectionSettings& settings) {
    if (settings.kind != EndpointKind::kLocal) return MakeCurlTransport();
    return std::move(*MakeLocalTransport(settings.local_store, [] { return Status(); }));
  }

  ConnectionSettings settings_;
  RequestLog log_;
  std::unique_ptr<Credential> credential_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<Pipeline> pipeline_;
  ServiceClient client_;
};

class ContractTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* const text = std::getenv("AZTABLES_CONNECTION_DEMO");
    ASSERT_NE(text, nullptr) << "AZTABLES_CONNECTION_DEMO is not set; ctest sets it";
    connection_string_ = text;
    auto settings = ParseConnectionString(connection_string_);
    ASSERT_TRUE(settings.ok()) << settings.status().message();
    wire_ = std::make_unique<Wire>(std::move(*settings));
    table_ = FreshName();
    const auto created = client().CreateTable(table_, options_, cancel_);
    ASSERT_TRUE(created.ok()) << created.status().message();
    ASSERT_TRUE(*created);
  }
  void TearDown() override {
    if (wire_) static_cast<void>(client().DeleteTable(table_, options_, cancel_));
  }

  static std::string FreshName() {
    std::string name = "t";
    for (const char c : RandomGuid()) {
      if (c != '-') name += c;
    }
    return name;
  }

  const ServiceClient& client() const { return wire_->client(); }
  size_t requests() const { return wire_->log().size(); }

  TableWrites Writes(const WriteLog& log) const {
    return {.to = {.client = &client(), .table = table_, .options = options_}, .log = &log};
  }
  Status Commit(const WriteLog& log) const { return support::Commit({Writes(log)}, cancel_); }
  void Write(const std::vector<Entity>& entities) {
    WriteLog log;
    for (const Entity& entity : entities) {
      ASSERT_TRUE(CheckEntity(entity).ok()) << CheckEntity(entity).message();
      ASSERT_TRUE(support::Insert(log, 1, entity).ok());
    }
    const Status status = Commit(log);
    ASSERT_TRUE(status.ok()) << status.message();
  }

  EntityQuery Query() const {
    EntityQuery query;
    query.table = table_;
    return query;
  }
  EntityQuery Point(std::string partition_key, std::string row_key) const {
    EntityQuery query = Query();
    query.point.emplace(std::move(partition_key), std::move(row_key));
    return query;
  }
  PageStream Stream(EntityQuery query, Projection projection = {}, size_t first_page = 0) const {
    return PageStream(&client(), std::move(query), std::move(projection), first_page, options_);
  }

  using KeyPairs = std::vector<std::pair<std::string, std::string>>;
  // The keys of all entities that the query returns, in order.
  KeyPairs Read(EntityQuery query) const {
    PageStream stream = Stream(std::move(query));
    KeyPairs keys;
    while (true) {
      const auto more = stream.NextPage(cancel_);
      EXPECT_TRUE(more.ok()) << more.status().message();
      if (!more.ok() || !*more) return keys;
      for (size_t row = 0; row < stream.page().size(); ++row) {
        keys.emplace_back(stream.page().At(row, EntityPage::kPartitionKey).view(),
                          stream.page().At(row, EntityPage::kRowKey).view());
      }
    }
  }

  std::string connection_string_;
  std::unique_ptr<Wire> wire_;
  std::string table_;
  CallOptions options_;
  Cancel cancel_;
};

}  // namespace aztables
