// KeyNumbers: see key_numbers.h.
#include "model/key_numbers.h"

#include <algorithm>

#include "base/encoding.h"
#include "model/key.h"

namespace aztables {
namespace {

constexpr uint64_t kMaxSize = uint64_t{1} << 62;

// The rank of a code point in the order of UTF-16 code units. Code points above U+FFFF are written
// with surrogates, which sort before U+E000. Lone surrogates are not ranked (IsUsable).
char32_t RankOf(char32_t c) {
  if (c < 0xD800) return c;
  return c >= 0x10000 ? c - 0x10000 + 0xD800 : c - 0xE000 + 0x10D800;
}

char32_t CodePointOf(char32_t rank) {
  if (rank < 0xD800) return rank;
  return rank < 0x10D800 ? rank - 0xD800 + 0x10000 : rank - 0x10D800 + 0xE000;
}

// Whether a guess may contain the code point: a key and a URL can.
bool IsUsable(char32_t c) {
  return !IsIllegalInKey(c) && !IsSurrogate(c) && !(c >= 0xFFF0 && c <= 0xFFFF);
}

// In each list of ranks, they rise.
void Insert(std::vector<char32_t>& ranks, char32_t rank) {
  const auto at = std::lower_bound(ranks.begin(), ranks.end(), rank);
  if (at == ranks.end() || *at != rank) ranks.insert(at, rank);
}

bool HasAny(const std::vector<char32_t>& ranks, char32_t first, char32_t last) {
  const auto at = std::lower_bound(ranks.begin(), ranks.end(), first);
  return at != ranks.end() && *at <= last;
}

bool HasHexadecimal(const std::vector<char32_t>& ranks) {
  return HasAny(ranks, '0', '9') || HasAny(ranks, 'a', 'f') || HasAny(ranks, 'A', 'F');
}

}  // namespace

void KeyNumbers::Add(std::string_view key) {
  size_t i = 0;
  for (size_t pos = 0; pos < key.size(); ++i) {
    if (i == seen_.size()) seen_.emplace_back();
    const char32_t c = NextCodePoint(key, pos);
    if (IsUsable(c)) Insert(seen_[i].ranks, RankOf(c));
  }
  if (i == seen_.size()) seen_.emplace_back();
  seen_[i].ended = true;
}

// The characters of the positions that vary.
KeyNumbers::Ranks KeyNumbers::Varying() const {
  Ranks varying;
  for (const Seen& seen : seen_) {
    if (!seen.Varies()) continue;
    for (const char32_t rank : seen.ranks) Insert(varying, rank);
  }
  return varying;
}

// A position with one character that varies nowhere is constant: a separator, a common prefix. At
// other positions, a digit or a letter represents its class.
KeyNumbers::Frame::Position KeyNumbers::Extended(const Seen& seen, const Ranks& varying) const {
  Ranks ranks = seen.ranks;
  if (seen.Varies() || (ranks.size() == 1 && HasAny(varying, ranks[0], ranks[0]))) {
    const bool hexadecimal =
        HasAny(varying, '0', '9') && !HasAny(varying, 'g', 'z') && !HasAny(varying, 'G', 'Z');
    // In hexadecimal keys one class represents the others.
    const Ranks& shown = hexadecimal && HasHexadecimal(seen.ranks) ? varying : seen.ranks;
    const auto add_class = [&](char32_t first, char32_t last, char32_t last_added) {
      for (char32_t c = first; c <= last_added && HasAny(shown, first, last); ++c) Insert(ranks, c);
    };
    add_class('0', '9', '9');
    add_class('a', 'z', hexadecimal ? 'f' : 'z');
    add_class('A', 'Z', hexadecimal ? 'F' : 'Z');
    const bool wide = HasAny(seen.ranks, 0x80, 0x10FFFF);
    for (const char32_t rank : varying) {
      if (wide && rank >= 0x80) Insert(ranks, rank);
    }
  }
  Frame::Position position;
  position.may_end = seen.ended || ranks.empty();
  position.ranks = std::move(ranks);
  return position;
}

KeyNumbers::Frame KeyNumbers::FrameOf(std::string_view low,
                                      const std::optional<std::string>& high) const {
  const Ranks varying = Varying();
  Frame frame;
  size_t i = 0;
  for (size_t pos = 0; pos < low.size() && i < seen_.size(); ++i) {
    const size_t begin = pos;
    const char32_t c = NextCodePoint(low, pos);
    const bool common = high ? high->size() >= pos &&
                                   high->compare(begin, pos - begin, low, begin, pos - begin) == 0
                             : Extended(seen_[i], varying).radix() == 1;
    if (!common || !IsUsable(c)) break;
    frame.prefix_ = low.substr(0, pos);
  }
  for (; i < seen_.size(); ++i) {
    Frame::Position position = Extended(seen_[i], varying);
    if (position.radix() > kMaxSize / frame.size_) break;
    frame.size_ *= position.radix();
    frame.positions_.push_back(std::move(position));
  }
  uint64_t weight = frame.size_;
  for (Frame::Position& position : frame.positions_) {
    weight /= position.radix();
    position.weight = weight;
  }
  return frame;
}

uint64_t KeyNumbers::Frame::Number(std::string_view key) const {
  if (!Contains(key)) return CompareKeys(key, prefix_) < 0 ? 0 : size_;
  uint64_t number = 0;
  size_t pos = prefix_.size();
  for (const Position& position : positions_) {
    if (pos == key.size()) break;
    const char32_t rank = RankOf(NextCodePoint(key, pos));
    const auto at = std::lower_bound(position.ranks.begin(), position.ranks.end(), rank);
    const auto digit =
        static_cast<uint64_t>(at - position.ranks.begin()) + (position.may_end ? 1 : 0);
    if (at == position.ranks.end()) return number + digit * position.weight;
    number += digit * position.weight;
    if (*at != rank) break;
  }
  return number;
}

std::string KeyNumbers::Frame::Key(uint64_t number) const {
  std::string key = prefix_;
  number = std::min(number, size_ - 1);
  for (const Position& position : positions_) {
    uint64_t digit = number / position.weight;
    number %= position.weight;
    if (position.may_end && digit-- == 0) break;
    AppendUtf8(key, CodePointOf(position.ranks[digit]));
  }
  return key;
}

std::optional<std::string> KeyNumbers::Frame::Above() const {
  if (positions_.empty() || positions_.front().ranks.empty()) return std::nullopt;
  char32_t rank = positions_.front().ranks.back() + 1;
  while (rank < RankOf(0xFFF0) && !IsUsable(CodePointOf(rank))) ++rank;
  if (rank >= RankOf(0xFFF0)) return std::nullopt;
  std::string text = prefix_;
  AppendUtf8(text, CodePointOf(rank));
  return text;
}

}  // namespace aztables
