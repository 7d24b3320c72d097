// Which lines are boundaries (multipart.h).
#include "odata/batch/multipart.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

// "no", or what precedes the boundary and "|", with "last" at the end.
std::string Found(std::string_view line, std::string_view boundary) {
  std::string_view before;
  const BoundaryLine found = TakeToBoundary(line, {boundary}, before);
  if (found.which < 0) return "no";
  return std::string(before) + "|" + (found.last ? "last" : "");
}

TEST(MultipartTest, ABoundaryIsAWholeLineOrFollowsABody) {
  const struct {
    std::string_view line, boundary, found;
  } kCases[] = {
      {"--b", "b", "|"},
      {"--b--", "b", "|last"},
      {"--b \t\r", "b", "|"},
      {"--b-- \r", "b", "|last"},
      {"{}--b", "b", "{}|"},
      {"{}--b--\r", "b", "{}|last"},
      {" --b", "b", "no"},
      {"x--b", "b", "no"},
      {"-b", "b", "no"},
      {"b", "b", "no"},
      {"", "b", "no"},
      {"--b --", "b", "no"},
      {"--b-", "b", "no"},
      {"--bb", "b", "no"},
      {"--b--x", "b", "no"},
      {"{}--b {}", "b", "no"},
      // A boundary that ends with dashes, or has nothing else.
      {"--b--", "b--", "|"},
      {"--b----", "b--", "|last"},
      {"---", "-", "|"},
      {"-----", "-", "|last"},
      {"----", "-", "no"},
      {"----", "--", "|"},
      {"------", "--", "|last"},
  };
  for (const auto& [line, boundary, found] : kCases) {
    EXPECT_EQ(Found(line, boundary), found) << line << " with " << boundary;
  }
}

}  // namespace
}  // namespace aztables
