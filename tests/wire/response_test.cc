// Complete responses in every form: chunks, interim responses, no body, a response before the end
// of the request, and long headers.
#include <gtest/gtest.h>

#include <tuple>

#include "wire/wire_fixture.h"

namespace aztables {
namespace {

TEST(HttpResponse, ChunkedResponses) {
  const std::string body = Bytes(100'000);
  LoopbackServer server([&](const WireRequest& request) {
    Reply reply = Reply::Text(request.number == 4 ? "" : body);
    const std::vector<size_t> sizes[] = {{1, 2, 3}, {99'999}, std::vector<size_t>(5000, 7), {1}};
    reply.chunks = sizes[request.number - 1];
    reply.pause = milliseconds(50);
    return reply;
  });
  Client client;
  for (int i = 0; i < 4; ++i) {
    const auto outcome = client.Send(Read(server.origin()));
    ASSERT_TRUE(outcome.ok()) << Describe(outcome);
    EXPECT_TRUE(outcome->body == (i == 3 ? "" : body)) << i;
  }
  EXPECT_EQ(server.connection_count(), 1);
}

TEST(HttpResponse, InterimResponseIsNotTheResponse) {
  LoopbackServer server([](const WireRequest&) {
    Reply reply = Reply::Text("body", 201);
    reply.interim = true;
    reply.headers = {{"x-one", "1"}, {"x-two", " blanks around "}};
    return reply;
  });
  Client client;
  const auto outcome = client.Send(Write(server.origin(), "POST", "x"));
  ASSERT_TRUE(outcome.ok()) << Describe(outcome);
  EXPECT_EQ(outcome->status, 201);
  EXPECT_EQ(outcome->body, "body");
  EXPECT_EQ(outcome->headers.Get("X-ONE"), "1");
  EXPECT_EQ(outcome->headers.Get("x-two"), "blanks around");
}

TEST(HttpResponse, StatusWithoutBody) {
  LoopbackServer server([](const WireRequest& request) {
    return request.number == 1 ? Reply::Raw("HTTP/1.1 204 No Content\r\nETag: \"1\"\r\n\r\n",
                                            Reply::End::kKeepAlive)
                               : Reply::Text("", 404);
  });
  Client client;
  auto outcome = client.Send(Write(server.origin(), "POST", "x"));
  ASSERT_TRUE(outcome.ok()) << Describe(outcome);
  EXPECT_EQ(outcome->status, 204);
  EXPECT_EQ(outcome->headers.Get("etag"), "\"1\"");
  outcome = client.Send(Write(server.origin(), "DELETE", ""));
  ASSERT_TRUE(outcome.ok()) << Describe(outcome);
  EXPECT_EQ(outcome->status, 404);
  EXPECT_EQ(server.connection_count(), 1);
}

// A server may respond before it has read the whole body, for example if the body is too large. The
// client must not lose this response.
TEST(HttpResponse, ResponseBeforeTheBodyIsSent) {
  LoopbackServer server(
      [](const WireRequest&) {
        Reply reply = Reply::Text("too large", 413);
        reply.end = Reply::End::kHold;
        return reply;
      },
      {.respond_before_body = true});
  Client client;
  const auto outcome = client.Send(Write(server.origin(), "POST", Bytes(size_t{16} << 20)));
  ASSERT_TRUE(outcome.ok()) << Describe(outcome);
  EXPECT_EQ(outcome->status, 413);
  EXPECT_EQ(outcome->body, "too large");
}

TEST(HttpResponse, LongHeaders) {
  // The length of one header value, the number of such headers, and the message. An empty message
  // means that the response is accepted.
  const std::tuple<size_t, int, const char*> cases[] = {
      {size_t{64} << 10, 1, ""},
      {size_t{99} << 10, 1, ""},
      {size_t{99} << 10, 2, ""},
      {size_t{300} << 10, 1, "the response has a header longer than 100 KiB"},
      {size_t{2} << 20, 1, "the response has a header longer than 100 KiB"},
      {size_t{90} << 10, 3, "the response has more than 256 KiB of headers"},
      {size_t{1} << 10, 1100, "the response has more than 256 KiB of headers"},
      {size_t{1}, 200'000, "the response has more than 256 KiB of headers"},
  };
  for (const auto& [size, count, sentence] : cases) {
    const std::string token(size, 'k');
    LoopbackServer server([&, n = count](const WireRequest&) {
      Reply reply = Reply::Text("body");
      const Headers::Header header = {"x-ms-continuation-NextPartitionKey", token};
      reply.headers.assign(static_cast<size_t>(n), header);
      return reply;
    });
    Client client;
    const auto outcome = client.Send(Read(server.origin()));
    EXPECT_EQ(server.request_count(), 1U);  // a retry would not help
    if (*sentence == '\0') {
      ASSERT_TRUE(outcome.ok()) << Describe(outcome);
      EXPECT_EQ(outcome->headers.Get("x-ms-continuation-nextpartitionkey"), token);
      EXPECT_EQ(outcome->body, "body");
    } else {
      ASSERT_FALSE(outcome.ok()) << size << " x " << count;
      EXPECT_EQ(outcome.status().code(), Code::kTooBig);
      EXPECT_NE(outcome.status().message().find(sentence), std::string_view::npos)
          << outcome.status().message();
    }
  }
}

}  // namespace
}  // namespace aztables
