// Checks the memory that the body of a response takes.
#include "http/response_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace aztables {
namespace {

Response Read(size_t length) {
  ResponseReader reader;
  const std::string size = std::to_string(length);
  for (const std::string& line : {std::string("HTTP/1.1 200 OK"), "Content-Length: " + size}) {
    EXPECT_TRUE(reader.AddHeader(line + "\r\n"));
  }
  EXPECT_TRUE(reader.AddHeader("\r\n"));
  EXPECT_TRUE(reader.head_complete());
  EXPECT_TRUE(reader.AddBody(std::string(length, 'x')));
  return reader.Take(200);
}

TEST(ResponseReaderTest, TheBodyHasAsMuchMemoryAsItNeeds) {
  EXPECT_EQ(Read(700'000).body.capacity(), 700'000U);
  EXPECT_EQ(Read(700'000).body, std::string(700'000, 'x'));
}

}  // namespace
}  // namespace aztables
