// Parses a $filter by recursive descent and evaluates it at once. See key_filter.h.
#include "server/key_filter.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

namespace aztables::bench {
namespace {

using Ranges = std::vector<IndexRange>;

void AddOverlap(const IndexRange& a, const IndexRange& b, Ranges* to) {
  const IndexRange overlap{std::max(a.begin, b.begin), std::min(a.end, b.end)};
  if (overlap.begin < overlap.end) to->push_back(overlap);
}

Ranges Overlap(const Ranges& ranges, const IndexRange& other) {
  Ranges result;
  for (const IndexRange& range : ranges) AddOverlap(range, other, &result);
  return result;
}

Ranges Union(Ranges a, const Ranges& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::ranges::sort(a, {}, &IndexRange::begin);
  Ranges merged;
  for (const IndexRange& range : a) {
    if (!merged.empty() && range.begin <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, range.end);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

// The range of `count` ordered values that a comparison keeps. `before(or_equal)` is the number of
// values that are less than the literal, or not greater.
std::optional<IndexRange> Compared(std::string_view op, size_t count, auto before) {
  if (op == "eq") return IndexRange{before(false), before(true)};
  if (op == "lt") return IndexRange{0, before(false)};
  if (op == "le") return IndexRange{0, before(true)};
  if (op == "gt") return IndexRange{before(true), count};
  if (op == "ge") return IndexRange{before(false), count};
  return std::nullopt;
}

// After an error, failed() is true and the results have no meaning.
class Parser {
 public:
  Parser(const GeneratedTable& table, std::string_view text) : table_(table), rest_(text) {}

  // Each method returns the part of `within` that its expression keeps.
  Ranges Or(const Ranges& within) {
    Ranges result = And(within);
    while (TakeWord("or")) result = Union(std::move(result), And(within));
    return result;
  }

  bool failed() const { return failed_ || !rest_.empty(); }

 private:
  Ranges And(const Ranges& within) {
    Ranges result = Unary(within);
    while (TakeWord("and")) result = Unary(result);
    return result;
  }

  Ranges Unary(const Ranges& within) {
    if (!Take('(')) return Comparison(within);
    Ranges result = Or(within);
    if (!Take(')')) failed_ = true;
    return result;
  }

  Ranges Comparison(const Ranges& within) {
    const std::string_view name = Word();
    const std::string_view op = Word();
    std::optional<IndexRange> kept;
    if (name == "N") {
      const std::optional<size_t> value = Number();
      if (!value) return {};
      kept = Compared(op, table_.keys().entities, [&](bool or_equal) {
        const size_t first = kFirstN;
        const size_t before = *value < first ? 0 : *value - first + (or_equal ? 1 : 0);
        return std::min(before, table_.keys().entities);
      });
    } else if (name == "PartitionKey") {
      const std::string key = Text();
      kept = Compared(op, table_.keys().Partitions(),
                      [&](bool or_equal) { return table_.PartitionsBefore(key, or_equal); });
      if (kept) kept = {table_.keys().Begin(kept->begin), table_.keys().Begin(kept->end)};
    } else if (name == "RowKey") {
      return RowsOfPartitions(within, op, Text());
    }
    if (!kept) failed_ = true;
    return kept ? Overlap(within, *kept) : Ranges();
  }

  Ranges RowsOfPartitions(const Ranges& within, std::string_view op, const std::string& key) {
    const support::TableKeys& keys = table_.keys();
    Ranges result;
    for (const IndexRange& range : within) {
      for (size_t partition = keys.PartitionOf(range.begin); keys.Begin(partition) < range.end;
           ++partition) {
        const size_t first = keys.Begin(partition);
        const auto rows = Compared(op, keys.Begin(partition + 1) - first, [&](bool or_equal) {
          return table_.RowsBefore(partition, key, or_equal);
        });
        if (!rows) failed_ = true;
        if (rows) AddOverlap(range, {first + rows->begin, first + rows->end}, &result);
      }
    }
    return result;
  }

  std::string_view Word() {
    SkipSpace();
    size_t size = 0;
    while (size < rest_.size() && std::isalnum(static_cast<unsigned char>(rest_[size])) != 0) {
      ++size;
    }
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }

  bool TakeWord(std::string_view word) {
    const std::string_view before = rest_;
    if (Word() == word) return true;
    rest_ = before;
    SkipSpace();
    return false;
  }

  bool Take(char c) {
    SkipSpace();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string Text() {
    std::string text;
    if (!Take('\'')) failed_ = true;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\'') {
        if (!rest_.starts_with('\'')) return text;
        rest_.remove_prefix(1);
      }
      text += c;
    }
    failed_ = true;
    return text;
  }

  // An Int32. Nothing: a literal of another type, for which no comparison with N is true.
  std::optional<size_t> Number() {
    SkipSpace();
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" )"));
    rest_.remove_prefix(word.size());
    size_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc() && end == word.data() + word.size()) return number;
    if (word.find_first_of(".L'") == word.npos && word != "true" && word != "false") failed_ = true;
    return std::nullopt;
  }

  void SkipSpace() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }

  const GeneratedTable& table_;
  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

std::optional<Ranges> SelectedRanges(const GeneratedTable& table, std::string_view filter) {
  const Ranges all{{0, table.keys().entities}};
  if (filter.empty()) return all;
  Parser parser(table, filter);
  Ranges result = parser.Or(all);
  if (parser.failed()) return std::nullopt;
  return result;
}

}  // namespace aztables::bench
