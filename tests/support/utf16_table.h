// Utf16Table: a script that responds to Query Entities over a few entities like the service: in
// UTF-16 order, filtered, with continuation tokens. Optional: pages of random sizes, empty pages,
// and tokens at the end.
//
// Thread rule: one thread.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/encoding.h"
#include "odata/filter_tree.h"
#include "odata/json_writer.h"
#include "support/filter_reading.h"
#include "support/scripted_transport.h"

namespace aztables::support {

class Utf16Table {
 public:
  using Key = std::pair<std::string, std::string>;

  Utf16Table(std::vector<Key> keys, uint32_t seed) : keys_(std::move(keys)), random_(seed) {
    std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) {
      return std::pair(Utf16(a.first), Utf16(a.second)) <
             std::pair(Utf16(b.first), Utf16(b.second));
    });
  }

  size_t page = 1000;         // entities
  size_t first_page = 1000;   // limit of the first page
  bool random_pages = false;  // of 0 to `page` entities
  size_t requests = 0;
  std::vector<std::string> filters;

  ScriptedTransport::Handler Handler() {
    return [this](const Request& request) { return ScriptedReply{Reply(request)}; };
  }

 private:
  static std::string Option(const std::string& query, const std::string& name) {
    const size_t at = ("&" + query).find("&" + name + "=");
    if (at == std::string::npos) return "";
    const size_t begin = at + name.size() + 1;
    return PercentDecode(query.substr(begin, query.find('&', begin) - begin));
  }

  static bool Matches(const FilterNode& node, const PropertyOf& property_of) {
    const auto matches = [&](const FilterNode& child) { return Matches(child, property_of); };
    switch (node.kind) {
      case FilterNode::Kind::kConstant:
        return node.constant;
      case FilterNode::Kind::kAnd:
        return std::all_of(node.children.begin(), node.children.end(), matches);
      case FilterNode::Kind::kOr:
        return std::any_of(node.children.begin(), node.children.end(), matches);
      case FilterNode::Kind::kNot:
        return !Matches(node.children.front(), property_of);
      case FilterNode::Kind::kCompare:
        break;
    }
    return Returns(node.comparison, property_of);
  }

  // The positions of the entities that match the filter. The pages of a query share them.
  const std::vector<size_t>& Selected(const std::string& filter) {
    const auto [selected, is_new] = selected_.try_emplace(filter);
    if (is_new) selected->second = Select(filter);
    return selected->second;
  }

  std::vector<size_t> Select(const std::string& filter) {
    std::vector<size_t> all;
    const auto tree = filter.empty() ? Result<FilterNode>(FilterNode()) : ParseFilter(filter);
    if (!tree.ok()) return all;
    for (size_t i = 0; i < keys_.size(); ++i) {
      const Value keys[] = {Value::String(keys_[i].first), Value::String(keys_[i].second)};
      const PropertyOf property_of = [&](std::string_view name) {
        return &keys[name == "RowKey" ? 1 : 0];
      };
      if (filter.empty() || Matches(*tree, property_of)) all.push_back(i);
    }
    return all;
  }

  Response Reply(const Request& request) {
    ++requests;
    filters.push_back(Option(request.query, "$filter"));
    const std::vector<size_t>& all = Selected(filters.back());
    // A token contains the position of the previous entity, and a number that makes it unique.
    const std::string from = Option(request.query, "NextPartitionKey");
    size_t begin = 0;
    if (!from.empty()) {
      const auto place = static_cast<size_t>(*ParseInteger(from));
      while (begin < all.size() && all[begin] < place) ++begin;
    }
    const size_t most = requests == 1 ? std::min(page, first_page) : page;
    const size_t size = random_pages ? random_() % (most + 1) : most;
    const size_t end = std::min(all.size(), begin + size);
    std::string body = R"({"value":[)";
    for (size_t i = begin; i < end; ++i) {
      if (i > begin) body += ',';
      AppendEntityJson(body, keys_[all[i]].first, keys_[all[i]].second, "{}");
    }
    Response response = MakeResponse(200, body + "]}");
    const bool useless = random_pages && end > begin && random_() % 4 == 0;
    if (end < all.size() || useless) {
      const size_t next = end < all.size() ? all[end] : keys_.size();
      response.headers.Add("x-ms-continuation-NextPartitionKey", std::to_string(next));
      response.headers.Add("x-ms-continuation-NextRowKey", std::to_string(requests));
    }
    return response;
  }

  std::vector<Key> keys_;
  std::map<std::string, std::vector<size_t>> selected_;  // by filter
  std::mt19937 random_;
};

}  // namespace aztables::support
