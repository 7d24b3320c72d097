// Filters as trees: see filter_tree.h. A recursive descent. Only parentheses and `not` add depth:
// conditions joined by the same word are one node.
#include "odata/filter_tree.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/encoding.h"
#include "odata/filter_lexer.h"
#include "odata/invalid_input.h"

namespace aztables {
namespace {

using TokenKind = FilterToken::Kind;

bool IsArithmetic(std::string_view word) {
  return word == "add" || word == "sub" || word == "mul" || word == "div" || word == "mod";
}

// The operator for which `b op a` means the same as `a op b`.
CompareOp TurnedOver(CompareOp op) {
  switch (op) {
    case CompareOp::kLt:
      return CompareOp::kGt;
    case CompareOp::kLe:
      return CompareOp::kGe;
    case CompareOp::kGt:
      return CompareOp::kLt;
    case CompareOp::kGe:
      return CompareOp::kLe;
    case CompareOp::kEq:
    case CompareOp::kNe:
      break;
  }
  return op;
}

class Parser {
 public:
  explicit Parser(std::string_view filter) : filter_(filter), lexer_(filter) { Advance(); }

  Result<FilterNode> Parse() {
    FilterNode node;
    AZTABLES_RETURN_IF_ERROR(Or(node));
    if (token_.kind != TokenKind::kEnd) return Unexpected();
    if (not_boolean_ && node.kind == FilterNode::Kind::kCompare) {
      return InvalidInput("The $filter expression must evaluate to a single boolean value.");
    }
    if (misfit_) return InvalidInput();
    return node;
  }

 private:
  struct Operand {
    bool property = false;
    std::string name;  // of a property
    Value literal;
  };

  // Each of these reads one part into `node`, which is new.
  Status Or(FilterNode& node) { return Chain("or", FilterNode::Kind::kOr, &Parser::And, node); }
  Status And(FilterNode& node) { return Chain("and", FilterNode::Kind::kAnd, &Parser::Not, node); }

  // Parts joined by `word`; a single part is its own node.
  Status Chain(std::string_view word, FilterNode::Kind kind, Status (Parser::*part)(FilterNode&),
               FilterNode& node) {
    AZTABLES_RETURN_IF_ERROR((this->*part)(node));
    if (!AtName(word)) return {};
    FilterNode first = std::move(node);
    node = FilterNode();
    constexpr size_t kUsual = 4;
    node.kind = kind;
    node.children.reserve(kUsual);
    node.children.push_back(std::move(first));
    while (AtName(word)) {
      Advance();
      AZTABLES_RETURN_IF_ERROR((this->*part)(node.children.emplace_back()));
    }
    return {};
  }

  Status Not(FilterNode& node) {
    if (!AtName("not")) return Primary(node);
    Advance();
    if (AtName("not")) return Unexpected();
    if (depth_ == kMaxFilterDepth) return TooDeep();
    node.kind = FilterNode::Kind::kNot;
    ++depth_;
    AZTABLES_RETURN_IF_ERROR(Primary(node.children.emplace_back()));
    --depth_;
    return {};
  }

  Status Primary(FilterNode& node) {
    if (token_.kind != TokenKind::kOpen) return Compare(node);
    if (depth_ == kMaxFilterDepth) return TooDeep();
    ++depth_;
    Advance();
    AZTABLES_RETURN_IF_ERROR(Or(node));
    --depth_;
    if (token_.kind != TokenKind::kClose) return Unexpected();
    Advance();
    return {};
  }

  // An operand without an operator is well formed, but only true and false are conditions.
  Status Compare(FilterNode& node) {
    Operand left;
    AZTABLES_RETURN_IF_ERROR(TakeOperand(left));
    const auto op = token_.kind == TokenKind::kName ? OpFromName(token_.text) : std::nullopt;
    if (!op && !left.property && left.literal.type == EdmType::kBoolean) {
      node.kind = FilterNode::Kind::kConstant;
      node.constant = left.literal.integer != 0;
      return {};
    }
    if (!op) {
      misfit_ = true;
      not_boolean_ = !left.property && left.literal.type != EdmType::kNull;
      return {};
    }
    Advance();
    Operand right;
    AZTABLES_RETURN_IF_ERROR(TakeOperand(right));
    // Python and .NET write True and False, which the service accepts.
    const bool is_true = EqualsIgnoreCase(right.name, "true");
    if (left.property && (is_true || EqualsIgnoreCase(right.name, "false"))) {
      right = {.property = false, .name = "", .literal = Value::Boolean(is_true)};
    }
    const bool turned = right.property;
    Operand& literal = turned ? left : right;
    if (left.property == right.property || literal.literal.type == EdmType::kNull) misfit_ = true;
    node.comparison.property = std::move(turned ? right.name : left.name);
    node.comparison.op = turned ? TurnedOver(*op) : *op;
    node.comparison.literal = std::move(literal.literal);
    return {};
  }

  Status TakeOperand(Operand& operand) {
    const FilterToken token = token_;
    const bool name = token.kind == TokenKind::kName && token.text != "not";
    if (!name && token.kind != TokenKind::kLiteral) return Unexpected();
    operand.property = name && !WordType(token.text);
    Advance();
    if (operand.property) {
      if (token_.kind == TokenKind::kOpen) return NotImplemented();  // a function
      operand.name = token.text;
    } else {
      std::optional<Value> value = LiteralValue(token);
      if (!value) return Unrecognized(token);
      operand.literal = std::move(*value);
    }
    if (token_.kind == TokenKind::kName && IsArithmetic(token_.text)) return NotImplemented();
    return {};
  }

  void Advance() { token_ = lexer_.Next(); }
  bool AtName(std::string_view word) const {
    return token_.kind == TokenKind::kName && token_.text == word;
  }

  std::string Position(size_t at) const {
    return std::to_string(Utf16Length(filter_.substr(0, at)));
  }
  std::string Where(size_t at) const {
    return " at position " + Position(at) + " in '" + std::string(filter_) + "'.";
  }
  Status Unexpected() const {
    const Status error = InvalidInput("Syntax error" + Where(token_.begin + token_.text.size()));
    Failure syntax = error.failure();
    syntax.bad_syntax = true;
    return Status(error.code(), std::move(syntax));
  }
  Status Unrecognized(const FilterToken& token) const {
    const std::string type(EdmName(token.type));
    return InvalidInput("Unrecognized '" + type + "' literal '" + std::string(token.text) +
                        "' at position '" + Position(token.begin) + "' in '" +
                        std::string(filter_) + "'.");
  }
  static Status NotImplemented() {
    return Refused(501, "NotImplemented",
                   "The requested operation is not implemented on the specified resource.");
  }
  static Status TooDeep() { return InvalidInput(); }

  std::string_view filter_;
  FilterLexer lexer_;
  FilterToken token_;
  int depth_ = 0;
  bool misfit_ = false;       // well formed so far, but no filter
  bool not_boolean_ = false;  // the last misfit was a literal without an operator
};

bool Limits(const Comparison& comparison) {
  const Value& literal = comparison.literal;
  if (comparison.property != "PartitionKey" || literal.type != EdmType::kString) return false;
  switch (comparison.op) {
    case CompareOp::kEq:
    case CompareOp::kLt:
    case CompareOp::kLe:
      return true;
    case CompareOp::kGt:
    case CompareOp::kGe:
      return !literal.text.empty();  // every key except the empty one is above ''
    case CompareOp::kNe:
      break;
  }
  return false;
}

// The recursion is as deep as the tree: kMaxFilterDepth.
bool Limits(const FilterNode& node) {
  const auto limits = [](const FilterNode& child) { return Limits(child); };
  switch (node.kind) {
    case FilterNode::Kind::kCompare:
      return Limits(node.comparison);
    case FilterNode::Kind::kAnd:
      return std::any_of(node.children.begin(), node.children.end(), limits);
    case FilterNode::Kind::kOr:
      return std::all_of(node.children.begin(), node.children.end(), limits);
    case FilterNode::Kind::kNot:
    case FilterNode::Kind::kConstant:  // a service may read the whole table even for false
      break;
  }
  return false;
}

}  // namespace

Result<FilterNode> ParseFilter(std::string_view text) {
  if (!IsValidUtf8(text)) return InvalidInput();  // no sentence could quote it
  return Parser(text).Parse();
}

bool LimitsPartitionKey(std::string_view filter) {
  const Result<FilterNode> tree = ParseFilter(filter);
  return tree.ok() && Limits(*tree);
}

}  // namespace aztables
