// KeyNumbers: keys as 64-bit numbers, so that a search can name a text between two keys or far
// above one. It learns from some keys which characters each position has. Such a text is always
// valid in a filter. It is only likely that a key of the table lies near it. So a caller compares
// the text with its bounds, and never takes a number as proof.
//
// Thread rule: a value; const methods on any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aztables {

class KeyNumbers {
 public:
  // The numbers of the keys that begin with one prefix. They count the first positions after the
  // prefix, as many as a number holds. They rise with the service's order of keys.
  class Frame {
   public:
    // Numbers are below size(). A key below the prefix has the number 0, one above it the largest.
    // A key without a number of its own gets that of the next key that has one.
    uint64_t Number(std::string_view key) const;
    // The smallest text with the number; a number above the largest counts as the largest.
    std::string Key(uint64_t number) const;
    // A text above every key that has a number, and above few others. Nothing if there is none.
    std::optional<std::string> Above() const;
    bool Contains(std::string_view key) const { return key.starts_with(prefix_); }
    uint64_t size() const { return size_; }

   private:
    friend class KeyNumbers;
    struct Position {
      std::vector<char32_t> ranks;  // in the service's order
      bool may_end = false;         // the digit 0: the key ends before this position
      uint64_t weight = 1;
      uint64_t radix() const { return ranks.size() + (may_end ? 1 : 0); }
    };

    std::string prefix_;
    std::vector<Position> positions_;
    uint64_t size_ = 1;
  };

  // Learns the characters of a key.
  void Add(std::string_view key);
  // The frame for keys above `low` and below `high`: their common prefix. Without `high`: the
  // prefix of `low` up to the first position that varies.
  Frame FrameOf(std::string_view low, const std::optional<std::string>& high) const;

 private:
  using Ranks = std::vector<char32_t>;  // rising, each once
  struct Seen {
    Ranks ranks;
    bool ended = false;  // a key ended before this position
    bool Varies() const { return ranks.size() + (ended ? 1 : 0) > 1; }
  };

  Ranks Varying() const;
  Frame::Position Extended(const Seen& seen, const Ranks& varying) const;

  std::vector<Seen> seen_;  // by position
};

}  // namespace aztables
