// ReadPlan: how one scan of a table is read, and its text form. The text is SQLite's idxStr, and
// EXPLAIN QUERY PLAN prints it. xBestIndex makes and writes the plan, and xFilter reads it back;
// nothing else passes between the two. Its grammar:
//
//   plan       = kind [ ": " conditions ] [ "; check " conditions ] "; select " columns
//                [ order ] [ "; distinct" ] [ "; in up to " N " ranges" ]
//                [ "; limit ?" N [ " offset ?" N ] ]
//   kind       = "point" | "row range" | "partition range" | "table scan"
//   conditions = condition { " and " condition }
//   condition  = property " " op " ?" N [ "*" ] [ "~" ]  |  property " like ?" N " to ?" N
//              | property " not null"  |  ( "rowid eq ?" | "rowid in ?" ) N
//   op         = "eq" | "lt" | "le" | "gt" | "ge" | "is" | "in" | "ne" | "is not"
//   columns    = "*" | name { "," name }
//   order      = ( "; in order" | "; in reverse order" ) [ " of RowKey" | " of PartitionKey" ]
//
// ?N is the N-th value that xFilter gets; for `in` it is a whole list. "*" marks an upper bound
// that is not a literal, "~" a bound that SQLite made of a GLOB or LIKE, if the values of its
// column are checked. `columns` are remote names and always include the keys. "in order" is by
// PartitionKey, then RowKey; "of RowKey" means that PartitionKey equals one text. "distinct" means
// that one row of each partition is enough.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace aztables {

// How a condition compares a property with its argument.
// kIs: as kEq, but NULL is a value.
// kIn: with every value of a list.
// kLike: with the range that SQLite makes of a pattern of LIKE: not below `argument` and below
// `end`, in any case.
// kNotNull: without an argument: a property that is not a key is not NULL.
// kNe and kIsNot are never sent to the service.
enum class ConditionOp : uint8_t {
  kEq,
  kLt,
  kLe,
  kGt,
  kGe,
  kIs,
  kIn,
  kLike,
  kNotNull,
  kNe,
  kIsNot
};
// Every operator with its text in idxStr and in SQL.
struct ConditionOpEntry {
  ConditionOp op;
  std::string_view name;
  std::string_view sql;
};
inline constexpr ConditionOpEntry kConditionOps[] = {
    {ConditionOp::kEq, "eq", "="},
    {ConditionOp::kLt, "lt", "<"},
    {ConditionOp::kLe, "le", "<="},
    {ConditionOp::kGt, "gt", ">"},
    {ConditionOp::kGe, "ge", ">="},
    {ConditionOp::kIs, "is", "IS"},
    {ConditionOp::kIn, "in", "IN"},
    {ConditionOp::kLike, "like", "LIKE"},
    {ConditionOp::kNe, "ne", "<>"},
    {ConditionOp::kIsNot, "is not", "IS NOT"},
    {ConditionOp::kNotNull, "not null", "IS NOT NULL"}};
const ConditionOpEntry& EntryOf(ConditionOp op);
inline std::string_view ConditionOpName(ConditionOp op) { return EntryOf(op).name; }
bool IsRange(ConditionOp op);  // kLt, kLe, kGt, kGe
// Whether a condition makes its property equal to one value, or to one of a list.
bool IsEquality(ConditionOp op);

inline constexpr std::string_view kPartitionKeyName = "PartitionKey";
inline constexpr std::string_view kRowKeyName = "RowKey";

// A comparison of a property with the `argument`-th value of xFilter, counted from 1; 0 for
// kNotNull.
struct Condition {
  std::string property;  // its remote name; the keys and Timestamp are properties too
  ConditionOp op = ConditionOp::kEq;
  int argument = 0;
  // A bound whose value is not a literal. It may have numeric affinity. SQLite then sorts the texts
  // that look like numbers before every other text.
  bool computed = false;
  bool of_pattern = false;  // SQLite made the bound of a GLOB or LIKE; its value is not checked
  int end = 0;              // for kLike: the place of the other bound

  bool operator==(const Condition& other) const = default;
};

// Whether the condition is on PartitionKey or RowKey.
bool IsKey(const Condition& condition);

// The order of the rows. kKeys: by (PartitionKey, RowKey). kRows: by RowKey, if PartitionKey equals
// one value. kPartitions: by PartitionKey, if RowKey equals one value.
enum class ReadOrder : uint8_t { kNone, kKeys, kRows, kPartitions };

struct ReadPlan {
  std::vector<Condition> conditions;
  // Comparisons that are not sent. Their values are checked (plan/strict_comparison.h).
  std::vector<Condition> checked;
  int rowid_argument = 0;   // 0: rowid is not compared
  bool rowid_list = false;  // with every value of a list
  int limit_argument = 0;   // 0: no LIMIT bounds the read
  int offset_argument = 0;
  std::vector<std::string> select;  // remote names, keys included; empty: every property
  ReadOrder order = ReadOrder::kNone;
  bool reverse = false;   // from the last row to the first
  bool distinct = false;  // one row of each partition is enough
  int ranges = 1;         // the value of `parallel` if the read may be divided, for people

  bool operator==(const ReadPlan& other) const = default;
};

// How much of the table a plan reads, in Azure's words.
enum class ReadKind : uint8_t { kPoint, kRowRange, kPartitionRange, kTableScan };
std::string_view ReadKindName(ReadKind kind);  // "point", "row range", ...
ReadKind KindOf(const std::vector<Condition>& conditions);
ReadKind KindOf(const ReadPlan& plan);

// Whether ranges of keys may be read at the same time. They are read ahead, which a LIMIT may not
// need.
bool MayBeDivided(const ReadPlan& plan);

// "row range: PartitionKey eq ?1 and RowKey ge ?2; select PartitionKey,RowKey; in order; limit ?3"
std::string EncodePlan(const ReadPlan& plan);
// The plan of such a text. Accepts any text: a text that EncodePlan() does not write is an error.
Result<ReadPlan> DecodePlan(std::string_view text);

}  // namespace aztables
