// An independent implementation of SQLite's comparisons for tests: storage classes, affinities,
// numeric texts, bounds of LIKE, and the column values of stored values.
// Source: SQLite, "Datatypes In SQLite", sections 4 and 4.2; sqlite3CompareAffinity().
//
// Thread rule: free functions; any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "base/encoding.h"
#include "model/convert.h"
#include "model/edm.h"
#include "plan/read_plan.h"

namespace aztables::support {

// kNone: an expression; kBlob: a column without a type or of type BLOB.
enum class Affinity { kNone, kBlob, kText, kNumeric };

inline Affinity AffinityOf(EdmType declared) {
  switch (declared) {
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kBoolean:
    case EdmType::kDouble:
      return Affinity::kNumeric;
    case EdmType::kString:
    case EdmType::kDateTime:
    case EdmType::kGuid:
      return Affinity::kText;
    case EdmType::kBinary:
    case EdmType::kNull:
      break;
  }
  return Affinity::kBlob;
}

// A SQL value that owns its text.
struct SqlThing {
  SqlValue::Type type = SqlValue::Type::kNull;
  int64_t integer = 0;
  double real = 0;
  std::string text;

  SqlThing() = default;
  explicit SqlThing(const SqlValue& v) : type(v.type), integer(v.integer), real(v.real) {
    if (type == SqlValue::Type::kText || type == SqlValue::Type::kBlob) text = v.text;
  }
  bool is_number() const {
    return type == SqlValue::Type::kInteger || type == SqlValue::Type::kReal;
  }
};

// The number in a text that SQLite converts: blanks, sign, digits with a point, exponent, blanks.
inline std::optional<SqlThing> NumberInText(const std::string& text) {
  size_t i = 0;
  const auto blanks = [&] {
    while (i < text.size() && (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))) ++i;
  };
  const auto digits = [&] {
    const size_t begin = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - begin;
  };
  blanks();
  const size_t begin = i;
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  size_t count = digits();
  bool whole = true;
  if (i < text.size() && text[i] == '.') {
    ++i;
    whole = false;
    count += digits();
  }
  if (count == 0) return std::nullopt;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    whole = false;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) return std::nullopt;
  }
  const std::string number = text.substr(begin, i - begin);
  blanks();
  if (i != text.size()) return std::nullopt;
  SqlThing thing;
  const auto integer = whole ? ParseInteger(number) : std::nullopt;
  thing.type = integer ? SqlValue::Type::kInteger : SqlValue::Type::kReal;
  if (integer) thing.integer = *integer;
  thing.real = std::strtod(number.c_str(), nullptr);
  return thing;
}

inline int CompareNumbers(const SqlThing& a, const SqlThing& b) {
  using Type = SqlValue::Type;
  if (a.type == Type::kInteger && b.type == Type::kInteger) {
    return (a.integer > b.integer) - (a.integer < b.integer);
  }
  if (a.type == Type::kReal && b.type == Type::kReal) return (a.real > b.real) - (a.real < b.real);
  if (a.type == Type::kReal) return -CompareNumbers(b, a);
  if (b.real >= 9223372036854775808.0) return -1;
  if (b.real < -9223372036854775808.0) return 1;
  const auto whole = static_cast<int64_t>(b.real);  // towards zero
  if (a.integer != whole) return a.integer < whole ? -1 : 1;
  const double rest = b.real - static_cast<double>(whole);
  return (rest < 0) - (rest > 0);
}

// Collation NOCASE: ASCII letters in any case, up to a NUL. Source: nocaseCollatingFunc().
inline int CompareNoCase(std::string_view a, std::string_view b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const auto x = static_cast<unsigned char>(ToLowerAscii(a[i]));
    const auto y = static_cast<unsigned char>(ToLowerAscii(b[i]));
    if (x != y) return x < y ? -1 : 1;
    if (x == 0) break;
  }
  return (a.size() > b.size()) - (a.size() < b.size());
}

enum class Collating { kBinary, kNoCase };

// NULL < numbers < texts < blobs.
inline int CompareThings(const SqlThing& a, const SqlThing& b,
                         Collating collating = Collating::kBinary) {
  const auto rank = [](const SqlThing& thing) {
    return thing.is_number()                     ? 1
           : thing.type == SqlValue::Type::kNull ? 0
           : thing.type == SqlValue::Type::kText ? 2
                                                 : 3;
  };
  if (rank(a) != rank(b)) return rank(a) < rank(b) ? -1 : 1;
  if (rank(a) == 0) return 0;
  if (rank(a) == 1) return CompareNumbers(a, b);
  if (rank(a) == 2 && collating == Collating::kNoCase) return CompareNoCase(a.text, b.text);
  const int order = a.text.compare(b.text);
  return (order > 0) - (order < 0);
}

// SQLite's bounds for a LIKE pattern with the prefix `prefix`: from `low` to before `end`, with
// collation NOCASE. Source: exprAnalyze(), isLikeOrGlob().
// REQUIRES: not empty
struct LikeBounds {
  std::string low;
  std::string end;

  explicit LikeBounds(std::string_view prefix) : low(prefix), end(ToLowerAscii(prefix)) {
    for (char& c : low) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    end.back() = static_cast<char>(end.back() + 1);
  }
};

// Whether SQLite keeps a row if its column of affinity `column` has the value `left`.
// REQUIRES: op is neither kIn nor kLike; LIKE is a kGe and a kLt, each Collating::kNoCase
inline bool Keeps(SqlThing left, Affinity column, ConditionOp op, SqlThing right, Affinity of_right,
                  Collating collating = Collating::kBinary) {
  using Type = SqlValue::Type;
  const bool null = left.type == Type::kNull || right.type == Type::kNull;
  if (op == ConditionOp::kIs && null) return left.type == right.type;
  if (null) return false;
  Affinity affinity = column == Affinity::kNone ? of_right : column;
  if (column != Affinity::kNone && of_right != Affinity::kNone) {
    const bool numeric = column == Affinity::kNumeric || of_right == Affinity::kNumeric;
    affinity = numeric ? Affinity::kNumeric : Affinity::kBlob;
  }
  for (SqlThing* const side : {&left, &right}) {
    if (affinity == Affinity::kNumeric && side->type == Type::kText) {
      if (auto number = NumberInText(side->text)) *side = std::move(*number);
    } else if (affinity == Affinity::kText && side->is_number()) {
      SqlValue value = side->type == Type::kInteger ? SqlValue::Integer(side->integer)
                                                    : SqlValue::Real(side->real);
      side->text = ShowSqlValue(value);
      side->type = Type::kText;
    }
  }
  const int order = CompareThings(left, right, collating);
  switch (op) {
    case ConditionOp::kLt:
      return order < 0;
    case ConditionOp::kLe:
      return order <= 0;
    case ConditionOp::kGt:
      return order > 0;
    case ConditionOp::kGe:
      return order >= 0;
    default:
      return order == 0;
  }
}

// A double after a service with 15 digits has written it.
inline double Rounded(double real) {
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", real);
  const double shown = std::strtod(text, nullptr);
  return std::isfinite(shown) ? shown : real;
}

// The column value of a stored value for the declared type.
inline SqlThing Shown(const Value& stored, EdmType declared) {
  constexpr int64_t kMost = int64_t{1} << 53;  // exact in a double
  const bool integer = stored.type == EdmType::kInt32 || stored.type == EdmType::kInt64;
  const bool fits = declared == EdmType::kNull || declared == stored.type ||
                    (declared == EdmType::kInt64 && stored.type == EdmType::kInt32) ||
                    (declared == EdmType::kDouble && integer && stored.integer >= -kMost &&
                     stored.integer <= kMost);
  SqlThing thing;
  if (!fits || (stored.type == EdmType::kDouble && std::isnan(stored.real))) return thing;
  switch (stored.type) {
    case EdmType::kNull:
      break;
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kBoolean:
      thing.type = SqlValue::Type::kInteger;
      thing.integer = stored.integer;
      if (declared == EdmType::kDouble) {
        thing.type = SqlValue::Type::kReal;
        thing.real = static_cast<double>(stored.integer);
      }
      break;
    case EdmType::kDouble:
      thing.type = SqlValue::Type::kReal;
      thing.real = stored.real;
      break;
    case EdmType::kBinary:
      thing.type = SqlValue::Type::kBlob;
      thing.text = stored.text;
      break;
    default:
      thing.type = SqlValue::Type::kText;
      thing.text = stored.text;
  }
  return thing;
}

}  // namespace aztables::support
