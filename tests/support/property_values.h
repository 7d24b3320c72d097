// Values for tests of property filters: SQL constants at every edge, and stored values of every EDM
// type near them.
//
// Thread rule: one thread.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/encoding.h"
#include "model/datetime.h"
#include "model/edm.h"
#include "support/describe.h"
#include "support/sqlite_compare.h"

namespace aztables::support {

class PropertyValues {
 public:
  explicit PropertyValues(std::mt19937_64& random) {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    for (const int64_t center :
         {int64_t{0}, int64_t{1} << 31, int64_t{1} << 53, int64_t{1} << 62}) {
      for (int64_t near = -2; near <= 2; ++near) {
        integers_.push_back(center + near);
        integers_.push_back(-center + near);
      }
    }
    for (const int64_t edge :
         {kMost, kMost - 1, -kMost, -kMost - 1, kMost - 511, kMost - 512, int64_t{5}}) {
      integers_.push_back(edge);
    }
    reals_ = {0.0, -0.0, 0.1, 5.0, 5.5, -5.5, 1e-300, 1e300, -1e300, 123456.789, 4.1, 1e15, 1e16};
    reals_.insert(reals_.end(), {DBL_MAX_, -DBL_MAX_, 1.79769313486231e308, 1.7976931348623e308});
    reals_.insert(reals_.end(),
                  {5e-324, 2.2250738585072014e-308, 1e-309, 3e-310, 9.99999999999999e22});
    reals_.insert(reals_.end(), {std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()});
    for (const int64_t integer : integers_) reals_.push_back(static_cast<double>(integer));
    for (int i = 0; i < 40; ++i) {
      reals_.push_back(
          std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 300) - 200));
    }
    for (int power = -20; power <= 22; power += 3) reals_.push_back(std::pow(10, power));
    texts_ = {"",
              " ",
              "5",
              " 5 ",
              "+5",
              "05",
              "5.0",
              "5.",
              ".5",
              "-0",
              "5e0",
              "5e+0",
              "5x",
              "0x5",
              "inf",
              "nan",
              "-",
              "+",
              "2024",
              "2024-01-01",
              "9223372036854775807",
              "9223372036854775808",
              "1e400",
              "4.1",
              "\v5",
              "5\f",
              "'",
              "O'Brien",
              "a",
              "A",
              "ab",
              "b",
              "z",
              "\t",
              "a\x1F",
              "a\x7F",
              "a\xC2\x85",
              "\xFF",
              "a\xC3",
              ":",
              "/",
              ";",
              "a%",
              "A_b%",
              "%",
              "_",
              "Sh%",
              "2024-0%",
              "2024-01-01t1%",
              "true",
              "1"};
    texts_.emplace_back("a\0b", 3);
    texts_.emplace_back("5\0", 2);
    for (const char32_t c : {0xD7FFU, 0xE000U, 0xFFFDU, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
      std::string text = "a";
      AppendUtf8(text, c);
      texts_.push_back(text);
      texts_.push_back(text + "%");
      texts_.push_back(text.substr(1));
    }
    texts_.push_back(std::string(900, 'k') + "'");
    texts_.push_back(std::string(2'000, 'k'));
    texts_.push_back(std::string(400, '\''));
    for (const char* date : {"2024-05-01T10:20:30.1234567Z",
                             "2024-05-01T10:20:30.1230000Z",
                             "9999-12-31T23:59:59.9999999Z",
                             "1601-01-01T00:00:00.0000000Z",
                             "1600-01-01",
                             "0000",
                             "0001",
                             "9999",
                             "2024-",
                             "2024-05",
                             "2024-02-30",
                             "2024-05-01 10:20",
                             "2024-05-01T",
                             "2024-05-01T10:20",
                             "2024-05-01t10:20",
                             "2024-05-01T10:20:30",
                             "2024-05-01T10:20:30.1",
                             "2024-05-01T10:20:30.1234567",
                             "2024-05-01T10:20:30.1234567z",
                             "2024-05-01T24",
                             "2024-05-01T10:20:30Z",
                             "2024-13"}) {
      texts_.emplace_back(date);
    }
    for (const char* guid :
         {"a455c695-df98-5678-aaaa-81d3367e5a34", "A455C695-DF98-5678-AAAA-81D3367E5A34",
          "{a455c695-df98-5678-aaaa-81d3367e5a34}", "a455c695"}) {
      texts_.emplace_back(guid);
    }
    constants_.push_back(SqlValue::Null());
    for (const int64_t integer : integers_) constants_.push_back(SqlValue::Integer(integer));
    for (const double real : reals_) constants_.push_back(SqlValue::Real(real));
    for (const std::string& text : texts_) {
      constants_.push_back(SqlValue::Text(text));
      constants_.push_back(SqlValue::Blob(text));
    }
  }

  const std::vector<SqlValue>& constants() const { return constants_; }

  // Stored values of every type, many of them equal or close to the constant.
  std::vector<Value> StoredNear(const SqlValue& constant, std::mt19937_64& random) const {
    std::vector<Value> all = {Value(), Value::Boolean(true), Value::Boolean(false),
                              Value::Double(NAN)};
    const auto some = [&](const auto& pool) { return pool[random() % pool.size()]; };
    for (int i = 0; i < 4; ++i) {
      AddInteger(some(integers_), all);
      AddReal(some(reals_), all);
      AddText(some(texts_), random, all);
    }
    const SqlThing thing(constant);
    if (thing.type == SqlValue::Type::kInteger) AddNumber(thing, all);
    if (thing.type == SqlValue::Type::kReal) AddNumber(thing, all);
    if (thing.type == SqlValue::Type::kText || thing.type == SqlValue::Type::kBlob) {
      for (int i = 0; i < 3; ++i) AddText(thing.text, random, all);
      if (const auto number = NumberInText(thing.text)) AddNumber(*number, all);
    }
    return all;
  }

 private:
  static constexpr double DBL_MAX_ = std::numeric_limits<double>::max();

  static void AddInteger(int64_t integer, std::vector<Value>& all) {
    all.push_back(Value::Int64(integer));
    if (integer == static_cast<int32_t>(integer)) {
      all.push_back(Value::Int32(static_cast<int32_t>(integer)));
    }
    all.push_back(Value::String(std::to_string(integer)));
  }
  static void AddReal(double real, std::vector<Value>& all) {
    all.push_back(Value::Double(real));
    if (std::isnan(real)) return;
    all.push_back(Value::String(ShowSqlValue(SqlValue::Real(real))));
    if (real > -9e18 && real < 9e18) AddInteger(static_cast<int64_t>(real), all);
  }
  // The number and its neighbours, including those that differ after the 15th digit only.
  static void AddNumber(const SqlThing& number, std::vector<Value>& all) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (number.type == SqlValue::Type::kInteger) {
      AddInteger(number.integer, all);
      if (number.integer < std::numeric_limits<int64_t>::max()) AddInteger(number.integer + 1, all);
      if (number.integer > std::numeric_limits<int64_t>::min()) AddInteger(number.integer - 1, all);
    }
    double up =
        number.type == SqlValue::Type::kReal ? number.real : static_cast<double>(number.integer);
    double down = up;
    for (int i = 0; i < 6; ++i) {
      AddReal(up, all);
      AddReal(down, all);
      up = std::nextafter(up, kInfinity);
      down = std::nextafter(down, -kInfinity);
    }
    AddReal(std::floor(up) + 1, all);
  }
  static void AddText(const std::string& text, std::mt19937_64& random, std::vector<Value>& all) {
    std::string other = text.substr(0, random() % (text.size() + 1));
    if (random() % 2 == 0) other += std::string(1, static_cast<char>('0' + random() % 75));
    for (const std::string& one : {text, other, ToLowerAscii(text)}) {
      if (one.find_first_of("%_") != std::string::npos) {
        std::string like = one;
        for (char& c : like) c = c == '%' || c == '_' ? 'x' : c;
        if (IsValidUtf8(like)) all.push_back(Value::String(like));
      }
      if (IsValidUtf8(one)) all.push_back(Value::String(one));
      all.push_back(Value::Binary(one));
      if (one.size() == 36 && one[8] == '-') all.push_back(Value::Guid(ToLowerAscii(one)));
    }
    // The instant that the text is a prefix of, and its neighbours.
    std::string form = "2024-05-01T10:20:30.1234567Z";
    form.replace(0, std::min(form.size(), text.size()), text.substr(0, form.size()));
    for (char& c : form) c = c == '%' || c == '_' ? '1' : c == 't' ? 'T' : c == 'z' ? 'Z' : c;
    const auto ticks = ParseDateTime(form);
    if (!ticks) return;
    for (const Ticks step : {0, 1, -1, 9'999, -10'000, 864'000'000}) {
      const Ticks instant = *ticks + step;
      if (instant < kMinServiceTicks || instant > kMaxServiceTicks) continue;
      all.push_back(Value::DateTime(FormatDateTime(instant)));
    }
  }

  std::vector<int64_t> integers_;
  std::vector<double> reals_;
  std::vector<std::string> texts_;
  std::vector<SqlValue> constants_;  // they point into texts_
};

}  // namespace aztables::support
