// ValueText: numbers, instants and ETags as the service writes them. Source: recorded
// traffic; .NET's format of a Double.
//
// Each Write function writes at most kLongestValue bytes to `out` and returns their end.
//
// Thread rule: free functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/datetime.h"

namespace aztables {

inline constexpr size_t kLongestValue = 64;

char* WriteInteger(int64_t value, char* out);
// 3.0, 1.1, 1.23456789012346E+24, 1E-05, NaN, Infinity, -Infinity
char* WriteDouble(double value, char* out);
std::string DoubleText(double value);
// Instants in the service's form, without trailing zeros in their fractions. Instants that follow
// each other are often of the same second, whose text the writer keeps.
class InstantWriter {
 public:
  char* Write(Ticks ticks, char* out);
  // datetime'2017-11-10T02%3A44%3A46.1416145Z': the part of an ETag between W/" and ".
  char* WriteForEtag(Ticks ticks, char* out);

 private:
  static constexpr size_t kWhole = 19;  // 2017-11-10T02:44:46
  void SetSecond(int64_t seconds);

  int64_t seconds_ = -1;  // since 0001-01-01
  char whole_[kWhole + 1];
};
std::string InstantText(Ticks ticks);
// W/"datetime'2017-11-10T02%3A44%3A46.1416145Z'"
std::string EtagOf(Ticks timestamp);

}  // namespace aztables
