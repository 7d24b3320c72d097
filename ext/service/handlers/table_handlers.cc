// Handlers for tables: see handlers.h.
#include <optional>

#include "base/encoding.h"
#include "odata/entity_reader.h"
#include "odata/json_writer.h"
#include "service/handlers/entity_input.h"
#include "service/handlers/filter_match.h"
#include "service/handlers/handlers.h"
#include "service/handlers/query_page.h"
#include "service/storage_error.h"
#include "service/store/table_rows.h"

namespace aztables {
namespace {

// A token contains this mark and 16 digits after the name; the digits look like a time.
constexpr char kTokenMark = '\x01';
constexpr std::string_view kTokenStamp = "0000000000000000";

std::string MetadataMember(const ServiceCall& call, bool element) {
  if (call.frame.metadata == Metadata::kNone) return "";
  std::string member = "\"odata.metadata\":";
  AppendAsciiJsonString(member,
                        call.BaseUrl() + "/$metadata#Tables" + (element ? "/@Element" : ""));
  return member + ",";
}

// The members that identify a table.
void AppendTable(std::string& out, const ServiceCall& call, const std::string& name) {
  if (call.frame.metadata == Metadata::kFull) {
    const std::string link = "Tables('" + name + "')";
    out += "\"odata.type\":\"" + call.address.account + ".Tables\",\"odata.id\":";
    AppendAsciiJsonString(out, call.BaseUrl() + "/" + link);
    out += ",\"odata.editLink\":\"" + link + "\",";
  }
  out += "\"TableName\":";
  AppendAsciiJsonString(out, name);
}

std::string OneTable(const ServiceCall& call, const std::string& name) {
  std::string body = "{" + MetadataMember(call, true);
  AppendTable(body, call, name);
  return body + "}";
}

// The name of the first table on the page.
Result<std::string> FirstName(const ServiceCall& call) {
  const std::string* const token = call.options.Find("NextTableName");
  if (token == nullptr) return std::string();
  const auto text = DecodeToken(*token);
  if (!text) return ToStatus(errors::kInvalidInput);
  return text->substr(0, text->find(kTokenMark));
}

Result<std::string> ReadTableName(const ServiceCall& call) {
  EntityReader reader;
  const auto name = reader.Get(call.request->body, "TableName");
  if (!name.ok()) return RefuseBody(name.status());
  if (name->type != EdmType::kString) return ToStatus(errors::kPropertiesNeedValue);
  AZTABLES_RETURN_IF_ERROR(CheckNewTableName(name->text));
  return name->text;
}

}  // namespace

Result<Response> ListTables(const ServiceCall& call, StoreConnection& store, const Cancel&) {
  const auto top = ReadTop(call.options);
  if (!top.ok()) return top.status();
  const auto filter = ReadFilter(call.options);
  if (!filter.ok()) return filter.status();
  std::optional<FilterMatch> match;
  if (*filter) match.emplace(**filter);
  const auto first = FirstName(call);
  if (!first.ok()) return first.status();
  std::string body = "{" + MetadataMember(call, false) + "\"value\":[";
  size_t count = 0;
  std::string next;
  const Status read =
      TableRows(&store, call.address.account).Scan(*first, [&](const std::string& name) {
        StoredEntity entity;
        entity.properties = {{"TableName", EdmType::kString, name}};
        if (match && !match->Matches(entity)) return true;
        if (count == *top) {
          if (count > 0) next = name;
          return false;
        }
        body += count++ == 0 ? "{" : ",{";
        AppendTable(body, call, name);
        body += "}";
        return true;
      });
  if (!read.ok()) return read;
  Response response = JsonResponse(call.frame, 200, body + "]}");
  if (!next.empty()) {
    response.headers.Add("x-ms-continuation-NextTableName",
                         EncodeToken(ToLowerAscii(next) + kTokenMark + std::string(kTokenStamp)));
  }
  return response;
}

Result<Response> GetTable(const ServiceCall& call, StoreConnection& store, const Cancel&) {
  const auto table = TableRows(&store, call.address.account).Find(call.address.table);
  if (!table.ok()) return table.status();
  if (!*table) return ToStatus(errors::kResourceNotFound);
  return JsonResponse(call.frame, 200, OneTable(call, (*table)->name));
}

Status CheckCreateTable(const ServiceCall& call) { return ReadTableName(call).status(); }

Status CreateTable(const ServiceCall& call, StoreTransaction& store, Response& response) {
  const auto name = ReadTableName(call);
  if (!name.ok()) return name.status();
  AZTABLES_RETURN_IF_ERROR(TableRows(store.connection, call.address.account).Create(*name));
  const std::string url = call.BaseUrl() + "/Tables('" + *name + "')";
  const bool silent = call.frame.preference == "return-no-content";
  response =
      silent ? MakeResponse(call.frame, 204) : JsonResponse(call.frame, 201, OneTable(call, *name));
  response.headers.Add("Location", url);
  if (silent) response.headers.Add("DataServiceId", url);
  return {};
}

Status DeleteTable(const ServiceCall& call, StoreTransaction& store, Response& response) {
  AZTABLES_RETURN_IF_ERROR(
      TableRows(store.connection, call.address.account).Delete(call.address.table));
  response = MakeResponse(call.frame, 204);
  return {};
}

}  // namespace aztables
