// KeySpace: where keys lie that nobody has seen yet. Learns the form of keys from some of them (how
// long, which characters at which place) and reads keys of that form as numbers, so that a text can
// be named between two keys or a distance beyond one. What it names is always legal in a filter and
// truly between, in the service's order; that a key of the table lies near is only likely.
//
// The form: places before the first that varies stay as they are, unless they continue the run of
// digits or letters that varies ("p00" of "p003" and "p007" is "p" and two digits). At the others,
// one character of a class stands for the class: 0-9; a-z, or a-f where nothing but hexadecimal
// digits was seen; A-Z likewise; some of a block of letters of other scripts. Other characters
// stand for themselves.
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

// Whether `a` comes before `b` in the service's order, that of UTF-16 code units.
bool KeyLess(std::string_view a, std::string_view b);

class KeySpace {
 public:
  using Number = MixedRadix::Number;

  // What some pages that followed one another reached over.
  struct Span {
    std::string from;
    std::string to;
    uint32_t pages = 1;
  };

  // Learns the form of a key that the table has.
  void Add(std::string_view key);

  // A text above `low` and below `high` (or the largest key of the form), about halfway; nothing
  // if there is none of the form.
  std::optional<std::string> Between(std::string_view low,
                                     const std::optional<std::string>& high) const;
  // The text `pages` pages behind `low`, were all pages like those of `span`; at most the largest
  // key of the form or, unless `to_largest`, the text half a page before it. Nothing if that is not
  // above `low`.
  std::optional<std::string> Beyond(std::string_view low, const Span& span, uint32_t pages,
                                    bool to_largest = false) const;

  // How far it is, in keys of the form: for comparing with other distances, until the next Add().
  Number Distance(std::string_view low, const std::optional<std::string>& high) const;
  // `distance` as often, or as large as numbers go.
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
    bool may_end = false;            // keys may be over here: the digit 0
  };
  struct Form {
    std::vector<Place> places;
    MixedRadix radix;  // of numbers: one digit for what exceeds every key, then one per place
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
