// Checks the log around a handler.
#include "server/http_handler.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>

namespace aztables {
namespace {

std::string ContentsOf(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c = 0; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  return text;
}

TEST(HttpHandler, TheLogHoldsNoQueryAndNothingThatATerminalObeys) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  ASSERT_NE(file, nullptr);
  {
    int status = 200;
    const Handler handler = WithLog(
        [&status](const Request&, const Peer&, const Cancel&) {
          return HandlerReply{.response = {.status = status, .body = "12345"}};
        },
        file.get());
    Request request{.method = "GET", .path = "/a/b%20c\x1B[2J\xC3\xA9", .query = "sig=secret"};
    handler(request, {}, {});
    status = 0;
    handler(request, {}, {});
  }
  EXPECT_EQ(ContentsOf(file.get()),
            "GET /a/b%20c%1B[2J%C3%A9 200 0 ms 5 bytes\n"
            "GET /a/b%20c%1B[2J%C3%A9 cut 0 ms 5 bytes\n");
}

}  // namespace
}  // namespace aztables
