// $filter text: see filter.h.
#include "odata/filter.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/encoding.h"

namespace aztables {
namespace {

// Decimal digits, without an exponent and always with a point. Some servers cannot read an
// exponent. Without a point, the service reads the literal as an integer.
std::string DoubleLiteral(double value) {
  char text[400];
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, value, std::chars_format::fixed);
  std::string out(text, end);
  if (out.find('.') == std::string::npos) out += ".0";
  return out;
}

// Whether the disjunction compares a property other than the keys. Its first comparison shows that.
bool ComparesProperty(const Disjunction& disjunction) {
  const std::string& property = disjunction.front().front().property;
  return property != "PartitionKey" && property != "RowKey";
}

}  // namespace

std::string_view OpName(CompareOp op) {
  switch (op) {
    case CompareOp::kEq:
      return "eq";
    case CompareOp::kLt:
      return "lt";
    case CompareOp::kLe:
      return "le";
    case CompareOp::kGt:
      return "gt";
    case CompareOp::kGe:
      return "ge";
    case CompareOp::kNe:
      return "ne";
  }
  return "";
}

std::optional<CompareOp> OpFromName(std::string_view name) {
  for (const CompareOp op : {CompareOp::kEq, CompareOp::kLt, CompareOp::kLe, CompareOp::kGt,
                             CompareOp::kGe, CompareOp::kNe}) {
    if (OpName(op) == name) return op;
  }
  return std::nullopt;
}

std::string Literal(const Value& value) {
  switch (value.type) {
    case EdmType::kString:
      return QuoteText(value.text);
    case EdmType::kInt32:
      return std::to_string(value.integer);
    case EdmType::kInt64:
      return std::to_string(value.integer) + "L";
    case EdmType::kDouble:
      return DoubleLiteral(value.real);
    case EdmType::kBoolean:
      return value.integer != 0 ? "true" : "false";
    case EdmType::kDateTime:
      return "datetime" + QuoteText(value.text);
    case EdmType::kGuid:
      return "guid" + QuoteText(value.text);
    case EdmType::kBinary: {
      std::string out = "X'";
      AppendHex(out, value.text);
      return out + "'";
    }
    case EdmType::kNull:
      break;
  }
  return "";
}

std::string FilterText(const Conjunction& conjunction) {
  constexpr size_t kUsualComparison = 60;
  std::string text;
  text.reserve(conjunction.size() * kUsualComparison);
  for (const Comparison& comparison : conjunction) {
    if (!text.empty()) text += " and ";
    text += comparison.property;
    text += ' ';
    text += OpName(comparison.op);
    text += ' ';
    text += Literal(comparison.literal);
  }
  return text;
}

bool IsUpper(CompareOp op) { return op == CompareOp::kLt || op == CompareOp::kLe; }

bool Holds(CompareOp op, std::partial_ordering order) {
  switch (op) {
    case CompareOp::kEq:
      return std::is_eq(order);
    case CompareOp::kNe:
      return std::is_neq(order);
    case CompareOp::kLt:
      return std::is_lt(order);
    case CompareOp::kLe:
      return std::is_lteq(order);
    case CompareOp::kGt:
      return std::is_gt(order);
    case CompareOp::kGe:
      return std::is_gteq(order);
  }
  return false;
}

Conjunction One(std::string_view property, CompareOp op, Value literal) {
  return {{std::string(property), op, std::move(literal)}};
}

bool IsFixed(const Conjunction& conjunction, std::string_view property) {
  return std::any_of(conjunction.begin(), conjunction.end(), [&](const Comparison& comparison) {
    return comparison.property == property && comparison.op == CompareOp::kEq;
  });
}

bool ComparesProperties(const std::vector<Disjunction>& clauses) {
  return std::any_of(clauses.begin(), clauses.end(), ComparesProperty);
}

void DropProperties(std::vector<Disjunction>& clauses) { std::erase_if(clauses, ComparesProperty); }

std::string FilterText(const Conjunction& conjunction, const std::vector<Disjunction>& clauses) {
  std::string text = FilterText(conjunction);
  for (const Disjunction& disjunction : clauses) {
    if (!text.empty()) text += " and ";
    if (disjunction.size() == 1) {
      text += FilterText(disjunction[0]);
      continue;
    }
    std::string_view separator = "(";
    for (const Conjunction& alternative : disjunction) {
      text += separator;
      const bool one = alternative.size() == 1;
      text += one ? FilterText(alternative) : "(" + FilterText(alternative) + ")";
      separator = " or ";
    }
    text += ')';
  }
  return text;
}

}  // namespace aztables
