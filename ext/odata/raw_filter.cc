// Raw filters: see include/aztables/odata/raw_filter.h. A recursive descent over or, and, not,
// parentheses and comparisons; literals are told from names by their quotes alone.
#include "aztables/odata/raw_filter.h"

#include <string>

namespace aztables {
namespace {

constexpr int kMostNested = 100;

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool LimitsPartitionKey() {
    Next();
    const bool limits = Or();
    return limits && !failed_ && token_.empty();
  }

 private:
  bool Or() {
    bool every = And();
    while (Take("or")) every = And() && every;
    return every;
  }

  bool And() {
    bool any = Term();
    while (Take("and")) any = Term() || any;
    return any;
  }

  bool Term() {
    if (++depth_ > kMostNested) failed_ = true;
    bool limits = false;
    if (failed_ || token_.empty()) {
      failed_ = true;
    } else if (Take("not")) {
      Term();
    } else if (Take("(")) {
      limits = Or();
      if (!Take(")")) failed_ = true;
    } else {
      limits = Comparison();
    }
    --depth_;
    return limits;
  }

  // left op right; a property of type Boolean may stand alone.
  bool Comparison() {
    const std::string left = Operand();
    const std::string op = token_;
    if (op != "eq" && op != "ne" && op != "lt" && op != "le" && op != "gt" && op != "ge") {
      return false;
    }
    Next();
    const std::string right = Operand();
    const bool key_first = left == "PartitionKey";
    const std::string& text = key_first ? right : left;
    if ((!key_first && right != "PartitionKey") || !text.starts_with('\'') || op == "ne")
      return false;
    // Every key but the empty one is above ''.
    const bool lower = key_first ? op[0] == 'g' : op[0] == 'l';
    return !(lower && text == "''");
  }

  std::string Operand() {
    std::string operand = token_;
    if (operand.empty() || operand == ")" || operand == "(") failed_ = true;
    Next();
    return operand;
  }

  bool Take(std::string_view word) {
    if (token_ != word) return false;
    Next();
    return true;
  }

  // A parenthesis, a quoted text with whatever stands in front of it (guid'...'), or a word.
  void Next() {
    token_.clear();
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
    if (at_ == text_.size()) return;
    if (text_[at_] == '(' || text_[at_] == ')') {
      token_ = text_[at_++];
      return;
    }
    while (at_ < text_.size() && !IsBlank(text_[at_]) && text_[at_] != '(' && text_[at_] != ')') {
      if (text_[at_] == '\'') {
        Quoted();
        return;
      }
      token_ += text_[at_++];
    }
  }

  void Quoted() {
    token_ += text_[at_++];
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      token_ += c;
      if (c != '\'') continue;
      if (at_ == text_.size() || text_[at_] != '\'') return;
      token_ += text_[at_++];
    }
    failed_ = true;  // no closing quote
  }

  static bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  std::string_view text_;
  size_t at_ = 0;
  std::string token_;  // empty at the end
  bool failed_ = false;
  int depth_ = 0;
};

}  // namespace

bool LimitsPartitionKey(std::string_view filter) { return Scanner(filter).LimitsPartitionKey(); }

}  // namespace aztables
