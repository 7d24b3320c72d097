// Keys of common forms: computes the n-th of `count` in ascending order, so tables of a million
// entities need no memory.
//
// Thread rule: free functions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace aztables::support {

using KeyForm = std::function<std::string(size_t)>;

std::string PaddedTo(size_t digits, size_t n);
// A pseudo-random number for n.
uint64_t Scramble(uint64_t n);

// "p-000", "p-001", ...
KeyForm Padded(std::string_view prefix, size_t digits);
// "0", "1", "10", "100", "101", ...: the numbers below `count` in text order.
KeyForm Unpadded(std::string_view prefix, size_t count);
// Evenly spread GUIDs; their other digits are random.
KeyForm Guids(size_t count);
// The remaining time in ticks, with steps of about `seconds` seconds: the newest is first.
KeyForm ReverseTicks(size_t seconds);
// Words of one to four syllables, spread unevenly.
KeyForm Words(size_t count);
// URLs with escapes for the characters that keys cannot contain.
KeyForm Addresses(size_t count);
// Texts of four letters, evenly spread over `letters` letters, each `step` after the one before.
KeyForm Letters(size_t count, char32_t first, uint64_t letters, char32_t step);

}  // namespace aztables::support
