// KeySpace: see key_space.h.
#include "model/key_space.h"

#include <algorithm>

#include "base/encoding.h"
#include "model/key.h"

namespace aztables {
namespace {

using Number = MixedRadix::Number;

// Room above every key, so that sums and products that exceed the form stay exact.
constexpr uint32_t kHeadroom = 0xFFFFFFFF;
// The number of places that a text keeps after its first difference from its neighbour.
constexpr size_t kPrecision = 8;

enum Class : unsigned { kOther = 0, kDigit = 1, kLower = 2, kUpper = 4, kLetter = 8 };

// Letters beyond ASCII. One letter stands for its block, and kOfABlock letters represent the block.
struct Block {
  char32_t first;
  char32_t last;
};
constexpr Block kBlocks[] = {{0xC0, 0x24F},    {0x370, 0x3FF},    {0x400, 0x4FF},
                             {0x590, 0x5FF},   {0x600, 0x6FF},    {0x900, 0x97F},
                             {0xE00, 0xE7F},   {0x3040, 0x30FF},  {0x4E00, 0x9FFF},
                             {0xAC00, 0xD7A3}, {0x1F300, 0x1FAFF}};
constexpr char32_t kOfABlock = 32;

const Block* BlockOf(char32_t c) {
  for (const Block& block : kBlocks) {
    if (c >= block.first && c <= block.last) return &block;
  }
  return nullptr;
}

Class ClassOf(char32_t c) {
  if (c >= '0' && c <= '9') return kDigit;
  if (c >= 'a' && c <= 'z') return kLower;
  if (c >= 'A' && c <= 'Z') return kUpper;
  return BlockOf(c) != nullptr ? kLetter : kOther;
}

bool IsHexadecimal(char32_t c) {
  return ClassOf(c) == kDigit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// The rank of a code point in the order of UTF-16 code units. Code points above U+FFFF are written
// with surrogates, which sort before U+E000.
char32_t UnitOrder(char32_t c) {
  if (c < 0xD800) return c;
  return c >= 0x10000 ? c - 0x10000 + 0xD800 : c + 0x200000;
}

// Whether a generated text may contain the code point. Characters that a URL or a filter cannot
// carry are excluded.
bool IsUsable(char32_t c) {
  return !IsIllegalInKey(c) && !IsSurrogate(c) && !(c >= 0xFFF0 && c <= 0xFFFF);
}

void AddRange(std::set<char32_t>& out, char32_t first, char32_t last) {
  for (char32_t c = first; c <= last; ++c) out.insert(c);
}

void AddBlock(std::set<char32_t>& out, const Block& block) {
  for (char32_t i = 0; i < kOfABlock; ++i) {
    out.insert(block.first + (block.last - block.first) * i / (kOfABlock - 1));
  }
}

template <typename Characters>
unsigned ClassesOf(const Characters& characters) {
  unsigned classes = 0;
  for (const char32_t c : characters) classes |= ClassOf(c);
  return classes;
}

}  // namespace

bool KeyLess(std::string_view a, std::string_view b) { return CompareKeys(a, b) < 0; }

bool KeySpace::ByUnit::operator()(char32_t a, char32_t b) const {
  return UnitOrder(a) < UnitOrder(b);
}

void KeySpace::Add(std::string_view key) {
  size_t place = 0;
  for (size_t pos = 0; pos < key.size(); ++place) {
    if (place == seen_.size()) seen_.emplace_back();
    seen_[place].insert(NextCodePoint(key, pos));
  }
  shortest_ = std::min(shortest_, place);
}

// The number of fixed places. The first `constant` places had one character each. Those that
// continue the varying run after them are not fixed.
size_t KeySpace::FixedPlaces(size_t constant, bool hexadecimal) const {
  if (constant > 0 && constant == seen_.size()) --constant;  // one key: its end may vary
  unsigned varying = constant < seen_.size() ? ClassesOf(seen_[constant]) : 0;
  if (hexadecimal && varying != 0) varying |= kDigit | kLower | kUpper;
  while (constant > 0 && (ClassesOf(seen_[constant - 1]) & varying) != 0) --constant;
  return constant;
}

KeySpace::Form KeySpace::MakeForm() const {
  size_t constant = 0;
  while (constant < seen_.size() && constant < shortest_ && seen_[constant].size() == 1) ++constant;
  unsigned classes = 0;
  bool hexadecimal = true;
  for (size_t i = constant; i < seen_.size(); ++i) {
    classes |= ClassesOf(seen_[i]);
    for (const char32_t c : seen_[i]) {
      if (ClassOf(c) != kOther && !IsHexadecimal(c)) hexadecimal = false;
    }
  }
  if ((classes & kDigit) == 0 || classes == kDigit) hexadecimal = false;
  const size_t fixed = FixedPlaces(constant, hexadecimal);

  std::vector<Place> places;
  std::vector<uint32_t> radices{kHeadroom};
  for (size_t i = 0; i < seen_.size(); ++i) {
    std::set<char32_t> all(seen_[i].begin(), seen_[i].end());
    if (i >= fixed) {
      const bool hex_place =
          hexadecimal && ClassesOf(all) != 0 && std::all_of(all.begin(), all.end(), [](char32_t c) {
            return ClassOf(c) == kOther || IsHexadecimal(c);
          });
      const unsigned grown = hex_place ? classes : ClassesOf(all);
      if (grown & kDigit) AddRange(all, '0', '9');
      if (grown & kLower) AddRange(all, 'a', hex_place ? 'f' : 'z');
      if (grown & kUpper) AddRange(all, 'A', hex_place ? 'F' : 'Z');
      for (const char32_t c : seen_[i]) {
        if (const Block* const block = BlockOf(c)) AddBlock(all, *block);
      }
    }
    Place place;
    std::copy_if(all.begin(), all.end(), std::back_inserter(place.alphabet), IsUsable);
    std::sort(place.alphabet.begin(), place.alphabet.end(), ByUnit());
    place.may_end = i >= shortest_ || place.alphabet.empty();
    radices.push_back(static_cast<uint32_t>(place.alphabet.size() + (place.may_end ? 1 : 0)));
    places.push_back(std::move(place));
  }
  return {std::move(places), MixedRadix(std::move(radices))};
}

// Rounded down if the form has no such key.
Number KeySpace::Form::NumberOf(std::string_view key) const {
  Number number = radix.Zero();
  size_t pos = 0;
  for (size_t i = 0; i < places.size() && pos < key.size(); ++i) {
    const char32_t c = NextCodePoint(key, pos);
    const std::vector<char32_t>& alphabet = places[i].alphabet;
    const auto at = std::lower_bound(alphabet.begin(), alphabet.end(), c, ByUnit());
    const auto rank = static_cast<uint32_t>(at - alphabet.begin()) + (places[i].may_end ? 1 : 0);
    if (at != alphabet.end() && *at == c) {
      number[i + 1] = rank;
      continue;
    }
    if (rank == 0) return number;
    const Number largest = LargestKey();
    number[i + 1] = rank - 1;
    std::copy(largest.begin() + static_cast<std::ptrdiff_t>(i) + 2, largest.end(),
              number.begin() + static_cast<std::ptrdiff_t>(i) + 2);
    return number;
  }
  return number;
}

Number KeySpace::Form::LargestKey() const {
  Number largest = radix.Largest();
  largest[0] = 0;
  return largest;
}

std::string KeySpace::Form::Text(const Number& number, size_t places_kept) const {
  std::string text;
  for (size_t i = 0; i < places.size() && i < places_kept; ++i) {
    const uint32_t digit = number[i + 1];
    if (places[i].may_end && digit == 0) break;
    AppendUtf8(text, places[i].alphabet[digit - (places[i].may_end ? 1 : 0)]);
  }
  return text;
}

// The shortest useful text for `number` that is above `low`. It is cut after a few places that
// differ. If it is still not above `low`, it gets one more character at its end, if a key may end
// there.
std::optional<std::string> KeySpace::Form::TextAbove(const Number& number,
                                                     std::string_view low) const {
  const Number below = NumberOf(low);
  const auto differ = std::mismatch(number.begin(), number.end(), below.begin());
  const auto same = static_cast<size_t>(differ.first - number.begin());
  std::string text = Text(number, same + kPrecision);
  if (KeyLess(low, text)) return text;
  text = Text(number, places.size());
  if (KeyLess(low, text)) return text;
  for (size_t i = 0; i < places.size(); ++i) {
    if (!places[i].may_end || number[i + 1] != 0) continue;
    if (places[i].alphabet.empty()) break;
    AppendUtf8(text, places[i].alphabet.front());
    if (KeyLess(low, text)) return text;
    break;
  }
  return std::nullopt;
}

std::optional<std::string> KeySpace::Between(std::string_view low,
                                             const std::optional<std::string>& high) const {
  const Form form = MakeForm();
  const Number below = form.NumberOf(low);
  const Number above = high ? form.NumberOf(*high) : form.LargestKey();
  if (above <= below) return std::nullopt;
  auto text = form.TextAbove(form.radix.Middle(below, above), low);
  if (text && high && !KeyLess(*text, *high)) return std::nullopt;
  return text;
}

std::optional<std::string> KeySpace::Beyond(std::string_view low, const Span& span, uint32_t pages,
                                            bool to_largest) const {
  const Form form = MakeForm();
  const Number below = form.NumberOf(low);
  const Number spanned = form.radix.Difference(form.NumberOf(span.to), form.NumberOf(span.from));
  const Number step = form.radix.Quotient(form.radix.Product(spanned, pages), span.pages);
  Number last = form.LargestKey();
  if (!to_largest) {
    last = form.radix.Difference(last, form.radix.Quotient(spanned, 2 * span.pages));
  }
  const Number target = std::min(form.radix.Sum(below, step), last);
  if (target <= below) return std::nullopt;
  return form.TextAbove(target, low);
}

Number KeySpace::Distance(std::string_view low, const std::optional<std::string>& high) const {
  const Form form = MakeForm();
  return form.radix.Difference(high ? form.NumberOf(*high) : form.LargestKey(), form.NumberOf(low));
}

Number KeySpace::Times(const Number& distance, uint32_t factor) const {
  return MakeForm().radix.Product(distance, factor);
}

bool KeySpace::IsWithin(const Number& distance, const Span& span, uint32_t quarters) const {
  return Times(distance, 4 * span.pages) <= Times(Distance(span.from, span.to), quarters);
}

}  // namespace aztables
