// SimulatedTable: see simulated_table.h.
#include "support/simulated_table.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/encoding.h"

namespace aztables::support {
namespace {

std::string Option(const std::string& query, const std::string& name) {
  const size_t at = ("&" + query).find("&" + name + "=");
  if (at == std::string::npos) return "";
  const size_t begin = at + name.size() + 1;
  return PercentDecode(query.substr(begin, query.find('&', begin) - begin));
}

void AppendJson(std::string& json, std::string_view text) {
  for (size_t quote; (quote = text.find('"')) != std::string_view::npos;) {
    json.append(text, 0, quote).append("\\\"");
    text.remove_prefix(quote + 1);
  }
  json += text;
}

}  // namespace

SimulatedTable::SimulatedTable(TableKeys keys)
    : TableKeys(std::move(keys)), members([](size_t) { return std::string(R"(,"A":1)"); }) {}

ScriptedTransport::Handler SimulatedTable::Handler(int delay) {
  return [this, delay](const Request& request) {
    ScriptedReply reply{Reply(request)};
    reply.delay = delay;
    return reply;
  };
}

void SimulatedTable::Narrow(Range& range, const KeyForm& key, size_t count, std::string_view op,
                            const std::string& bound) {
  const size_t first = Search(key, count, bound, op == "gt" || op == "le");
  const size_t behind = Search(key, count, bound, true);
  if (op == "eq" || op == "ge" || op == "gt") range.begin = std::max(range.begin, first);
  if (op == "lt" || op == "le") range.end = std::min(range.end, first);
  if (op == "eq") range.end = std::min(range.end, behind);
}

SimulatedTable::Range SimulatedTable::Select(std::string_view filter) {
  const size_t partitions = Partitions();
  Range all{0, partitions};
  Range rows{0, entities};
  bool in_partition = false;
  while (!filter.empty()) {
    if (filter.starts_with(" and ")) filter.remove_prefix(5);
    const bool partition = filter.starts_with("PartitionKey ");
    filter.remove_prefix(partition ? 13 : 7);
    const std::string_view op = filter.substr(0, 2);
    filter.remove_prefix(4);
    std::string bound;
    while (!filter.empty()) {
      const char c = filter.front();
      filter.remove_prefix(1);
      if (c == '\'' && !filter.starts_with("'")) break;
      if (c == '\'') filter.remove_prefix(1);
      bound += c;
    }
    if (partition) {
      Narrow(all, partition_key, partitions, op, bound);
      in_partition = in_partition || op == "eq";
    } else {
      if (!in_partition) problems.emplace_back("a scan for RowKeys");
      const size_t count = Begin(all.begin + 1) - Begin(all.begin);
      Narrow(rows, row_key, all.begin < all.end ? count : 0, op, bound);
    }
  }
  if (all.begin >= all.end || rows.begin >= rows.end) return {};
  const size_t begin = Begin(all.begin);
  if (!in_partition) return {begin, Begin(all.end)};
  return {begin + rows.begin, std::min(begin + rows.end, Begin(all.end))};
}

size_t SimulatedTable::PageEnd(const Range& range) const {
  if (!size) return std::max(range.begin, std::min(range.end, range.begin + page));
  size_t end = range.begin;
  for (size_t left = page; end < range.end && size(end) <= left; ++end) left -= size(end);
  return end;
}

Response SimulatedTable::Reply(const Request& request) {
  if (request.query.find("top=") != std::string::npos) problems.emplace_back("$top is sent");
  if (request.query.size() > 16'000) problems.emplace_back("the address is too long");
  const std::string filter = Option(request.query, "$filter");
  filters.push_back(filter);
  for (size_t pos = 0; pos < filter.size();) {
    const char32_t c = NextCodePoint(filter, pos);
    if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFD) problems.push_back("bad: " + filter);
  }
  Range range = Select(filter);
  int empties = empty_pages;
  // A token contains the next entity and the number of empty pages before it.
  if (const std::string from = Option(request.query, "NextPartitionKey"); !from.empty()) {
    range.begin = std::max(range.begin, static_cast<size_t>(*ParseInteger(from)));
    empties = static_cast<int>(*ParseInteger(Option(request.query, "NextRowKey")));
  }
  size_t end = PageEnd(range);
  bool more = end < range.end || (token_at_end && end - range.begin == page);
  if (empties > 0 && range.begin < range.end) {
    end = range.begin;
    more = true;
  } else {
    empties = empty_pages + 1;
  }
  std::string body = R"({"odata.metadata":"http://x/$metadata#T","value":[)";
  for (size_t i = range.begin; i < end; ++i) {
    const size_t partition = PartitionOf(i);
    body += i > range.begin ? R"(,{"PartitionKey":")" : R"({"PartitionKey":")";
    AppendJson(body, partition_key(partition));
    body += R"(","RowKey":")";
    AppendJson(body, row_key(i - Begin(partition)));
    body += '"';
    body += members(i);
    body += '}';
    sent.insert(sent.end(), i);
  }
  Response response = MakeResponse(200, body + "]}");
  if (more) {
    response.headers.Add("x-ms-continuation-NextPartitionKey", std::to_string(end));
    response.headers.Add("x-ms-continuation-NextRowKey", std::to_string(empties - 1));
  }
  return response;
}

std::vector<KeyedTable> KeyedTables(size_t entities) {
  std::vector<KeyedTable> tables;
  for (NamedKeys& one : KeyDistributions(entities)) {
    tables.push_back({std::move(one.name), std::move(one.keys)});
  }
  return tables;
}

}  // namespace aztables::support
