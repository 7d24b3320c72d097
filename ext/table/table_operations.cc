// ServiceClient's tables: create and delete; see service_client.h.
// Source: Microsoft, "Create Table", "Delete Table".
#include "base/encoding.h"
#include "model/datetime.h"
#include "odata/json_writer.h"
#include "table/service_client.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A deleted table can be created again after 40 s or more.
constexpr std::chrono::minutes kLongestDeletion{2};
constexpr std::chrono::seconds kBetweenAttempts{2};

}  // namespace

Result<bool> ServiceClient::CreateTable(const std::string& table, const CallOptions& options,
                                        const Cancel& cancel) const {
  const auto began = steady_clock::now();
  while (true) {
    Request request = MakeRequest("POST", "Tables", table, "create table", options);
    request.headers.Set("Content-Type", "application/json");
    request.headers.Set("Prefer", "return-no-content");
    request.body = "{\"TableName\":";
    AppendJsonString(request.body, table);
    request.body += '}';
    Doubt doubt = Doubt::kNone;
    const auto received = Ask(std::move(request), "creating", 204, 201, cancel, nullptr, &doubt);
    if (received.ok()) return true;
    const std::string& code = received.status().failure().code;
    if (code == "TableAlreadyExists") {
      if (doubt != Doubt::kOpen) return false;
      return IsNewerThan(table, began, options, cancel);
    }
    const bool waits = code == "TableBeingDeleted" && options.retries > 0;
    if (!waits || steady_clock::now() - began > kLongestDeletion) return received.status();
    AZTABLES_RETURN_IF_ERROR(cancel.Wait(kBetweenAttempts));
  }
}

Result<bool> ServiceClient::CreateIfMissing(const std::string& table, const CallOptions& options,
                                            const Cancel& cancel) const {
  auto created = CreateTable(table, options, cancel);
  if (created.ok() || created.status().code() != Code::kAuth) return created;
  EntityQuery query;
  query.table = table;
  query.kind = "table scan";
  query.select = {"PartitionKey", "RowKey"};
  EntityPage page{Projection{}};
  const auto next = QueryPage(query, 1, {}, options, page, cancel);
  return next.ok() ? Result<bool>(false) : created;
}

// Whether the table may have been created since `began`: its first entity is not older. An attempt
// to create it had no response. If the table is empty, it makes no difference who created it.
Result<bool> ServiceClient::IsNewerThan(const std::string& table, steady_clock::time_point began,
                                        const CallOptions& options, const Cancel& cancel) const {
  EntityQuery query;
  query.table = table;
  query.kind = "settle";
  query.select = {"PartitionKey", "RowKey", "Timestamp"};
  EntityPage page{Projection{}};
  const auto next = QueryPage(query, 1, {}, options, page, cancel);
  if (!next.ok()) return next.status();
  if (page.size() == 0) return true;
  const auto since = std::chrono::duration_cast<milliseconds>(steady_clock::now() - began);
  const auto written = ParseDateTime(page.At(0, EntityPage::kTimestamp).view());
  return !written || *written >= UnixTime(ServiceNowMs() - since.count() - kClockErrorMs);
}

Result<bool> ServiceClient::DeleteTable(const std::string& table, const CallOptions& options,
                                        const Cancel& cancel) const {
  Request request = MakeRequest("DELETE", "Tables('" + PercentEncode(table) + "')", table,
                                "delete table", options);
  Doubt doubt = Doubt::kNone;
  const auto received = Ask(std::move(request), "deleting", 204, 204, cancel, nullptr, &doubt);
  if (received.ok()) return true;
  const std::string& code = received.status().failure().code;
  // After an attempt that may have been carried out, that is its effect.
  if (code == "ResourceNotFound" || code == "TableNotFound") return doubt == Doubt::kOpen;
  return received.status();
}

}  // namespace aztables
