// SimulatedTable: a script that responds to Query Entities like the documented service, for a table
// of any size. It generates entities on request, in UTF-16 order, up to 1000 per page, with
// continuation tokens. Empty or short pages are optional. Filters are conjunctions of key
// comparisons, as the project sends them. It counts how often each entity was sent.
//
// Thread rule: one thread.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/key_distributions.h"
#include "support/scripted_transport.h"

namespace aztables::support {

class SimulatedTable : public TableKeys {
 public:
  SimulatedTable() = default;
  // Each entity has one property.
  SimulatedTable(TableKeys keys);  // NOLINT(google-explicit-constructor)

  // The members of the n-th entity after its keys: "" or R"(,"A":1)".
  std::function<std::string(size_t entity)> members;
  size_t page = 1000;
  // If it is set: the size of the n-th entity. A page then ends before its entities exceed `page`.
  std::function<size_t(size_t entity)> size;
  bool token_at_end = false;  // the last full page has a token, too
  int empty_pages = 0;        // number of empty pages before every page

  std::set<size_t> sent;
  std::vector<std::string> problems;  // requests that the project must not send
  std::vector<std::string> filters;

  // `delay`: of each reply.
  ScriptedTransport::Handler Handler(int delay = 0);

 private:
  struct Range {
    size_t begin = 0;
    size_t end = 0;
  };

  static void Narrow(Range& range, const KeyForm& key, size_t count, std::string_view op,
                     const std::string& bound);
  // Converts "PartitionKey eq 'a' and RowKey ge 'b'" to numbers of entities.
  Range Select(std::string_view filter);
  // The end of the page that begins with the first entity of the range.
  size_t PageEnd(const Range& range) const;
  Response Reply(const Request& request);
};

struct KeyedTable {
  std::string name;
  SimulatedTable table;
};

// A table for each of KeyDistributions().
std::vector<KeyedTable> KeyedTables(size_t entities);

}  // namespace aztables::support
