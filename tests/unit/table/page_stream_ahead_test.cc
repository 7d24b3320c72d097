// Checks prefetched pages: no duplicates, errors only when the page is needed, and progress of
// other requests during a wait.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/scripted_client.h"
#include "table/page_stream.h"

namespace aztables {
namespace {

using support::ErrorResponse;
using support::Everything;
using support::MakeResponse;
using support::ScriptedClient;
using support::ScriptedReply;

constexpr char kOne[] = R"({"value":[{"PartitionKey":"p","RowKey":"1"}]})";
constexpr char kTwo[] = R"({"value":[{"PartitionKey":"p","RowKey":"2"}]})";

TEST(PrefetchTest, AsksOnceForTheFirstPage) {
  Response first = MakeResponse(200, kOne);
  first.headers.Add("x-ms-continuation-NextPartitionKey", "next");
  ScriptedClient s(std::vector<Outcome>{first, MakeResponse(200, kTwo)});
  PageStream stream(&s.client, Everything(), {}, 0, s.options);
  EXPECT_EQ(stream.under_way(), nullptr);
  stream.Prefetch(s.cancel);
  EXPECT_EQ(s.transport.requests().size(), 1U);
  EXPECT_NE(stream.under_way(), nullptr);
  stream.Prefetch(s.cancel);
  EXPECT_EQ(s.transport.requests().size(), 1U);
  EXPECT_EQ(stream.page().size(), 0U);
  EXPECT_TRUE(*stream.NextPage(s.cancel));
  EXPECT_EQ(s.transport.requests().size(), 1U);
  EXPECT_EQ(stream.under_way(), nullptr);
  EXPECT_EQ(stream.page().size(), 1U);
  EXPECT_TRUE(*stream.NextPage(s.cancel));
  EXPECT_EQ(s.transport.requests().size(), 2U);
  EXPECT_FALSE(*stream.NextPage(s.cancel));
  stream.Prefetch(s.cancel);
  EXPECT_EQ(s.transport.requests().size(), 2U) << "nothing comes behind the end";
}

TEST(PrefetchTest, AnErrorIsSaidWhenItIsItsTurn) {
  ScriptedClient s(std::vector<Outcome>{ErrorResponse(403, "AuthorizationFailure", "not you")});
  PageStream stream(&s.client, Everything(), {}, 0, s.options);
  stream.Prefetch(s.cancel);
  const auto more = stream.NextPage(s.cancel);
  EXPECT_EQ(more.status().code(), Code::kAuth);
  EXPECT_EQ(s.transport.requests().size(), 1U);
}

TEST(PrefetchTest, WhatMayNotBeAskedForIsSaidWhenItIsItsTurn) {
  ScriptedClient s(std::vector<Outcome>{MakeResponse(200, kOne)});
  PageStream stream(&s.client, Everything(), {}, 0, s.options);
  int asked = 0;
  bool allowed = false;
  stream.AskFirst([&] {
    ++asked;
    return allowed ? Status() : Status::Error("not now");
  });
  stream.Prefetch(s.cancel);
  EXPECT_EQ(stream.under_way(), nullptr);
  EXPECT_EQ(stream.NextPage(s.cancel).status().message(), "not now");
  EXPECT_TRUE(s.transport.requests().empty());
  allowed = true;
  EXPECT_TRUE(*stream.NextPage(s.cancel));
  EXPECT_EQ(asked, 3);
}

TEST(PrefetchTest, AsksBeforeEveryRequestOnce) {
  Response first = MakeResponse(200, kOne);
  first.headers.Add("x-ms-continuation-NextPartitionKey", "next");
  ScriptedClient s(std::vector<Outcome>{first, MakeResponse(200, kTwo)});
  PageStream stream(&s.client, Everything(), {}, 0, s.options);
  int asked = 0;
  stream.AskFirst([&] { return ++asked, Status(); });
  stream.Prefetch(s.cancel);
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(*stream.NextPage(s.cancel));
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(*stream.NextPage(s.cancel));
  EXPECT_EQ(asked, 2);
}

TEST(PrefetchTest, NoMoreIsAskedForThanTheBudgetHas) {
  ScriptedClient s(std::vector<Outcome>{MakeResponse(200, kOne), MakeResponse(200, kOne)});
  s.options.budget.spending = std::make_shared<Spending>();
  s.options.budget.limits.max_requests = 1;
  PageStream one(&s.client, Everything(), {}, 0, s.options);
  PageStream two(&s.client, Everything(), {}, 0, s.options);
  one.Prefetch(s.cancel);
  two.Prefetch(s.cancel);
  EXPECT_TRUE(*one.NextPage(s.cancel));
  EXPECT_EQ(two.NextPage(s.cancel).status().code(), Code::kBudget);
  EXPECT_EQ(s.transport.requests().size(), 1U);
}

// A caller that starts many requests must see an interrupt at once.
TEST(PrefetchTest, AnInterruptIsSaid) {
  ScriptedClient s(std::vector<Outcome>{MakeResponse(200, kOne)});
  PageStream stream(&s.client, Everything(), {}, 0, s.options);
  stream.Prefetch(Cancel(std::function<bool()>([] { return true; })));
  EXPECT_EQ(stream.interrupted().code(), Code::kInterrupt);
  EXPECT_TRUE(s.transport.requests().empty());
  EXPECT_TRUE(*stream.NextPage(s.cancel));
  EXPECT_TRUE(stream.interrupted().ok());
}

TEST(PrefetchTest, WhatIsGivenUpIsNotWaitedFor) {
  ScriptedClient s([](const Request&) {
    return ScriptedReply{MakeResponse(200, kOne), ScriptedReply::kNever};
  });
  {
    PageStream stream(&s.client, Everything(), {}, 0, s.options);
    stream.Prefetch(s.cancel);
    EXPECT_EQ(s.transport.in_flight(), 1);
  }
  EXPECT_EQ(s.transport.in_flight(), 0);
  EXPECT_EQ(s.transport.given_up(), 1);
}

// The first stream's response takes longer than the others.
ScriptedReply SlowFirst(const Request& request) {
  return {MakeResponse(200, kOne), request.query.find("slow") == std::string::npos ? 3 : 30};
}

struct Three {
  Three() : s(SlowFirst) {
    EntityQuery query = Everything();
    query.filter = {{"PartitionKey", CompareOp::kLe, Value::String("slow")}};
    streams.push_back(std::make_unique<PageStream>(&s.client, query, Projection(), 0, s.options));
    for (int i = 0; i < 2; ++i) {
      streams.push_back(
          std::make_unique<PageStream>(&s.client, Everything(), Projection(), 0, s.options));
    }
    for (const auto& stream : streams) stream->Prefetch(s.cancel);
  }
  std::vector<Exchange*> UnderWay() const {
    std::vector<Exchange*> all;
    for (const auto& stream : streams) all.push_back(stream->under_way());
    return all;
  }

  ScriptedClient s;
  std::vector<std::unique_ptr<PageStream>> streams;
};

TEST(BesideTest, WhatIsUnderWayForOthersGoesOn) {
  Three three;
  const auto beside = three.UnderWay();  // includes the stream's own
  EXPECT_TRUE(*three.streams[0]->NextPage(three.s.cancel, beside));
  for (size_t i : {1U, 2U}) {
    ASSERT_NE(three.streams[i]->under_way(), nullptr);
    EXPECT_TRUE(three.streams[i]->under_way()->done());
    EXPECT_TRUE(*three.streams[i]->NextPage(three.s.cancel));
    EXPECT_EQ(three.streams[i]->page().size(), 1U);
  }
  EXPECT_EQ(three.s.transport.requests().size(), 3U);
}

TEST(BesideTest, NobodyWaitsForTheOthers) {
  Three three;
  const auto beside = three.UnderWay();
  EXPECT_TRUE(*three.streams[1]->NextPage(three.s.cancel, beside));
  EXPECT_FALSE(three.streams[0]->under_way()->done());
}

TEST(BesideTest, AnInterruptLeavesWhatIsUnderWay) {
  ScriptedClient s([](const Request&) {
    return ScriptedReply{MakeResponse(200, kOne), ScriptedReply::kNever};
  });
  PageStream stream(&s.client, Everything(), {}, 0, s.options);
  PageStream other(&s.client, Everything(), {}, 0, s.options);
  stream.Prefetch(s.cancel);
  other.Prefetch(s.cancel);
  Exchange* const beside[] = {other.under_way()};
  for (int i = 0; i < 2; ++i) {
    const auto more = stream.NextPage(Cancel([] { return true; }), beside);
    EXPECT_EQ(more.status().code(), Code::kInterrupt);
    EXPECT_EQ(s.transport.in_flight(), 2);
  }
  EXPECT_EQ(s.transport.requests().size(), 2U);
}

}  // namespace
}  // namespace aztables
