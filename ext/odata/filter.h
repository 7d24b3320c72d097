// $filter: literals and comparisons as OData text. This code builds only what is sound to send;
// plan decides whether a comparison may be sent at all. Source: Microsoft, "Querying tables and
// entities". The project writes the property on the left, operators in lower case, and one blank
// around them.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/edm.h"

namespace aztables {

// kNe occurs only in parsed filters (filter_tree.h): the planner never makes it.
enum class CompareOp : uint8_t { kEq, kLt, kLe, kGt, kGe, kNe };
std::string_view OpName(CompareOp op);  // "eq", "lt", ...
// The operator of that name, in lower case; nothing for another word.
std::optional<CompareOp> OpFromName(std::string_view name);

bool IsUpper(CompareOp op);  // kLt, kLe
// Whether the comparison is true of a value with this order relative to the literal. NaN has none.
bool Holds(CompareOp op, std::partial_ordering order);

struct Comparison {
  std::string property;
  CompareOp op = CompareOp::kEq;
  Value literal;
};

// Comparisons that must all hold. Empty: no filter.
using Conjunction = std::vector<Comparison>;
// A conjunction of one comparison.
Conjunction One(std::string_view property, CompareOp op, Value literal);
// Conjunctions of which at least one must hold.
using Disjunction = std::vector<Conjunction>;
// Whether one of them compares a property other than the keys; and a function that drops those.
bool ComparesProperties(const std::vector<Disjunction>& clauses);
void DropProperties(std::vector<Disjunction>& clauses);

// 'O''Brien', 30, 30L, 100.0, true, datetime'...', guid'...', X'0A1F'. REQUIRES: not null, a finite
// double.
std::string Literal(const Value& value);

// "PartitionKey eq 'a' and RowKey ge 'b'", not percent-encoded; empty for no comparison.
std::string FilterText(const Conjunction& conjunction);
// The same, and of each clause at least one conjunction: "PartitionKey eq 'a' and (N eq 5 or N eq
// 5L)". REQUIRES: no empty conjunction in `clauses`
std::string FilterText(const Conjunction& conjunction, const std::vector<Disjunction>& clauses);

}  // namespace aztables
