// ReadPlan: how one scan of a table is read, and its text form, which is SQLite's idxStr and what
// EXPLAIN QUERY PLAN prints. xBestIndex makes the plan and writes it, xFilter reads it back;
// nothing else passes between the two. The text is specified in ARCHITECTURE.md.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aztables/base/status.h"
#include "aztables/odata/filter.h"

namespace aztables {

enum class Key : uint8_t { kPartitionKey, kRowKey };
std::string_view KeyName(Key key);

// A comparison of a key with the `argument`-th value that xFilter gets, counted from 1.
struct KeyCondition {
  Key key = Key::kPartitionKey;
  CompareOp op = CompareOp::kEq;
  int argument = 0;
  // An upper bound whose value is not a literal. Where it is no parameter either, it may have
  // numeric affinity, and then SQLite sorts the keys that look like numbers before every text.
  bool computed = false;

  bool operator==(const KeyCondition& other) const = default;
};

struct ReadPlan {
  std::vector<KeyCondition> conditions;
  int rowid_argument = 0;  // 0: rowid is not compared
  int limit_argument = 0;  // 0: no LIMIT that says how much will be read
  int offset_argument = 0;
  std::vector<std::string> select;  // remote names, keys included; empty: every property

  bool operator==(const ReadPlan& other) const = default;
};

// How much of the table a plan reads, in Azure's words.
enum class ReadKind : uint8_t { kPoint, kRowRange, kPartitionRange, kTableScan };
std::string_view ReadKindName(ReadKind kind);  // "point", "row range", ...
ReadKind KindOf(const std::vector<KeyCondition>& conditions);

// "row range: PartitionKey eq ?1 and RowKey ge ?2; select PartitionKey,RowKey; limit ?3"
std::string EncodePlan(const ReadPlan& plan);
// The plan that such a text means. REQUIRES nothing: any other text is an error.
Result<ReadPlan> DecodePlan(std::string_view text);

}  // namespace aztables
