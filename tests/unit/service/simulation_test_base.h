// SimulationTest: a service with one table, a simulation before it, a clock that the test sets, and
// requests for it.
//
// Thread rule: one thread; several threads may call Kinds.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "service/simulation/simulation.h"
#include "service/table_service.h"
#include "unit/service/set_clock.h"

namespace aztables {

inline Request Get(const std::string& path, const std::string& query = "") {
  return {.method = "GET", .origin = "http://h", .path = path, .query = query};
}

inline Request Point(const std::string& partition) {
  return Get("/Tab(PartitionKey='" + partition + "',RowKey='r')");
}

inline Request Insert(const std::string& partition, const std::string& row) {
  Request request{.method = "POST", .origin = "http://h", .path = "/Tab"};
  request.may_repeat = false;
  request.headers.Add("Content-Type", "application/json");
  request.body = R"({"PartitionKey":")" + partition + R"(","RowKey":")" + row + "\"}";
  return request;
}

inline Request Batch(const std::string& partition, int operations) {
  Request request{.method = "POST", .origin = "http://h", .path = "/$batch"};
  request.may_repeat = false;
  request.headers.Add("Content-Type", "multipart/mixed; boundary=b");
  request.body = "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n";
  for (int i = 0; i < operations; ++i) {
    const std::string path =
        "http://h/Tab(PartitionKey='" + partition + "',RowKey='" + std::to_string(i) + "')";
    request.body +=
        "--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPUT " +
        path + " HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{\"N\":" + std::to_string(i) +
        "}\r\n";
  }
  request.body += "--c--\r\n--b--\r\n";
  return request;
}

class SimulationTest : public testing::Test {
 protected:
  // A service with the table Tab, and the simulation before it.
  void Start(const std::string& text) {
    auto plan = ParsePlan(text);
    ASSERT_TRUE(plan.ok()) << plan.status().message();
    auto service = TableService::Open(
        {.store = ":memory:", .create = true, .clock = &clock_, .pages = plan->pages});
    ASSERT_TRUE(service.ok());
    service_ = std::move(*service);
    Request create{.method = "POST", .origin = "http://h", .path = "/Tables"};
    create.headers.Add("Content-Type", "application/json");
    create.body = R"({"TableName":"Tab"})";
    ASSERT_EQ(Serve(create).status, 201);
    simulation_ = std::make_unique<Simulation>(
        *plan, service_->serves(),
        [this](const RequestTarget& target) { return service_->RangeStart(target); }, &clock_);
  }

  Response Serve(const Request& request) { return service_->Handle(request, Peer(), Cancel()); }

  Response Send(const Request& request) {
    const Encounter encounter = simulation_->Meet(request);
    Response response = encounter.carried_out ? Serve(request) : Response();
    simulation_->Complete(encounter, response);
    return response;
  }
  int Status(const Request& request) { return Send(request).status; }

  // The kinds of the faults that these requests meet; -1: none.
  std::vector<int> Kinds(int count, const Request& request) {
    std::vector<int> kinds;
    for (int i = 0; i < count; ++i) {
      const Encounter encounter = simulation_->Meet(request);
      kinds.push_back(encounter.fault ? static_cast<int>(encounter.fault->kind) : -1);
    }
    return kinds;
  }

  SetClock clock_;
  std::unique_ptr<TableService> service_;
  std::unique_ptr<Simulation> simulation_;
};

}  // namespace aztables
