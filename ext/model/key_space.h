// KeySpace: estimates where unseen keys lie. It learns the form of keys from some of them (their
// length, and the characters at each place). It reads keys of that form as numbers. So it can name
// a text between two keys, or at a distance after one. Such a text is always legal in a filter and
// always between, in the service's order. It is only likely that a key of the table lies near it.
//
// The form: a place is fixed if it is before the first place that varies. It is not fixed if it
// continues the varying run of digits or letters ("p00" of "p003" and "p007" is "p" and two
// digits). At the other places, one character of a class stands for the class. The classes are:
// 0-9; a-z, or a-f if all seen characters are hexadecimal digits; A-Z likewise; some letters of a
// block of another script. Any other character stands for itself.
//
// Thread rule: a value; const methods on any thread.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/mixed_radix.h"

namespace aztables {

// Whether `a` is before `b` in the service's order (UTF-16 code units).
bool KeyLess(std::string_view a, std::string_view b);

class KeySpace {
 public:
  using Number = MixedRadix::Number;

  // The range of keys of some consecutive pages.
  struct Span {
    std::string from;
    std::string to;
    uint32_t pages = 1;
  };

  // Learns the form of a key of the table.
  void Add(std::string_view key);

  // A text about halfway above `low` and below `high` (or below the largest key of the form).
  // Nothing if the form has no such text.
  std::optional<std::string> Between(std::string_view low,
                                     const std::optional<std::string>& high) const;
  // The text that is `pages` pages after `low`, if all pages are like those of `span`. It is at
  // most the largest key of the form or, unless `to_largest`, the text half a page before that key.
  // Nothing if the text would not be above `low`.
  std::optional<std::string> Beyond(std::string_view low, const Span& span, uint32_t pages,
                                    bool to_largest = false) const;

  // The distance in keys of the form. It can be compared with other distances until the next Add().
  Number Distance(std::string_view low, const std::optional<std::string>& high) const;
  // `distance` times `factor`, or the largest number if that is larger.
  Number Times(const Number& distance, uint32_t factor) const;
  // Whether `distance` is at most `quarters` quarters of a page of `span`.
  bool IsWithin(const Number& distance, const Span& span, uint32_t quarters) const;

 private:
  struct ByUnit {
    bool operator()(char32_t a, char32_t b) const;
  };
  using Characters = std::set<char32_t, ByUnit>;

  struct Place {
    std::vector<char32_t> alphabet;  // in the service's order
    bool may_end = false;            // keys may end here: the digit 0
  };
  struct Form {
    std::vector<Place> places;
    MixedRadix radix;  // first a digit for numbers above every key, then one digit per place
    Number NumberOf(std::string_view key) const;
    Number LargestKey() const;
    std::string Text(const Number& number, size_t places_kept) const;
    std::optional<std::string> TextAbove(const Number& number, std::string_view low) const;
  };

  Form MakeForm() const;
  size_t FixedPlaces(size_t constant, bool hexadecimal) const;

  std::vector<Characters> seen_;  // by place
  size_t shortest_ = static_cast<size_t>(-1);
};

}  // namespace aztables
