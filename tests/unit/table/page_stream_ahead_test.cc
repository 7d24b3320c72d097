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

// A page with one entity and a token; the last of four pages has none.
Response PageAhead(int number) {
  Response page = MakeResponse(
      200, R"({"value":[{"PartitionKey":"p","RowKey":")" + std::to_string(number) + R"("}]})");
  if (number < 4) page.headers.Add("x-ms-continuation-NextPartitionKey", std::to_string(number));
  return page;
}

// Reads four pages; the reply to each request has this delay. `requests` gets the number of
// requests after each page.
struct FourPages {
  explicit FourPages(int delay, bool shows_head = false)
      : s([this, delay, shows_head](const Request&) {
          return ScriptedReply{PageAhead(++sent), sent == 3 ? delay : 0, shows_head};
        }) {}

  std::vector<size_t> ReadAll(size_t first_page = 0) {
    PageStream stream(&s.client, Everything(), {}, first_page, s.options);
    std::vector<size_t> requests;
    while (*stream.NextPage(s.cancel)) requests.push_back(s.transport.requests().size());
    return requests;
  }

  int sent = 0;
  ScriptedClient s;
};

TEST(ReadAheadTest, BeginsWithTheSecondPage) {
  EXPECT_EQ(FourPages(0).ReadAll(), (std::vector<size_t>{1, 3, 4, 4}));
  EXPECT_EQ(FourPages(0, true).ReadAll(), (std::vector<size_t>{1, 3, 4, 4}));
  EXPECT_EQ(FourPages(5).ReadAll(), (std::vector<size_t>{1, 3, 4, 4}));
  EXPECT_EQ(FourPages(5, true).ReadAll(), (std::vector<size_t>{1, 3, 4, 4}));
}

TEST(ReadAheadTest, AfterReadOnASinglePageRequestsTheNextOne) {
  FourPages pages(0);
  PageStream stream(&pages.s.client, Everything(), {}, 0, pages.s.options);
  stream.ReadSinglePages();
  std::vector<size_t> requests;
  for (int page = 1; page <= 4; ++page) {
    if (page == 1 || page == 3) stream.ReadOn(pages.s.cancel);
    EXPECT_TRUE(*stream.NextPage(pages.s.cancel));
    requests.push_back(pages.s.transport.requests().size());
    stream.Prefetch(pages.s.cancel);
    EXPECT_EQ(pages.s.transport.requests().size(),
              std::min<size_t>(static_cast<size_t>(page) + 1, 4))
        << "once";
  }
  EXPECT_EQ(requests, (std::vector<size_t>{2, 2, 4, 4}));
}

TEST(ReadAheadTest, ReadOnRequestsAtOnceIfThePageCame) {
  FourPages pages(0);
  PageStream stream(&pages.s.client, Everything(), {}, 0, pages.s.options);
  stream.ReadSinglePages();
  stream.ReadOn(pages.s.cancel);
  EXPECT_EQ(pages.s.transport.requests().size(), 0U) << "no page is under way";
  stream.Prefetch(pages.s.cancel);
  Exchange* const first = stream.under_way();
  ASSERT_TRUE(pages.s.pipeline->WaitAny(std::span(&first, 1), pages.s.cancel).ok());
  stream.ReadOn(pages.s.cancel);
  stream.ReadOn(pages.s.cancel);
  EXPECT_EQ(pages.s.transport.requests().size(), 2U);
  EXPECT_TRUE(*stream.NextPage(pages.s.cancel));
  EXPECT_TRUE(*stream.NextPage(pages.s.cancel));
  EXPECT_EQ(pages.s.transport.requests().size(), 2U) << "the second page was requested once";
}

TEST(ReadAheadTest, NothingIsReadBeyondTheExpectedEntities) {
  EXPECT_EQ(FourPages(0).ReadAll(2), (std::vector<size_t>{1, 2, 3, 4}));
  EXPECT_EQ(FourPages(0).ReadAll(1000), (std::vector<size_t>{1, 2, 3, 4}));
  EXPECT_EQ(FourPages(0).ReadAll(1002), (std::vector<size_t>{1, 3, 3, 4}));
}

TEST(ReadAheadTest, NothingIsReadAheadUnderLimits) {
  FourPages requests(0);
  requests.s.options.budget.limits.max_requests = 100;
  EXPECT_EQ(requests.ReadAll(), (std::vector<size_t>{1, 2, 3, 4}));
  FourPages time(0);
  time.s.options.budget.limits.max_time = std::chrono::milliseconds(60'000);
  EXPECT_EQ(time.ReadAll(), (std::vector<size_t>{1, 2, 3, 4}));
}

TEST(ReadAheadTest, BeginsWhileTheBodyArrives) {
  FourPages pages(ScriptedReply::kNever, true);
  bool stop = false;
  const Cancel cancel([&]() -> Status {
    stop = stop || pages.s.transport.requests().size() == 4;
    return stop ? Status(Code::kInterrupt, "interrupted") : Status();
  });
  {
    PageStream stream(&pages.s.client, Everything(), {}, 0, pages.s.options);
    EXPECT_TRUE(*stream.NextPage(cancel));
    EXPECT_TRUE(*stream.NextPage(cancel));
    EXPECT_EQ(stream.NextPage(cancel).status().code(), Code::kInterrupt);
    EXPECT_EQ(pages.s.transport.requests().size(), 4U) << "the third body never arrives";
  }
  EXPECT_EQ(pages.s.transport.given_up(), 2) << "the end cancels what is in flight";
}

TEST(ReadAheadTest, APageThatIsRequestedAgainIsFollowedByItsOwnToken) {
  int sent = 0;
  ScriptedClient s([&](const Request&) {
    Response page = PageAhead(std::vector<int>{1, 2, 3, 2, 3, 4}.at(static_cast<size_t>(sent)));
    if (++sent == 2) page.body.resize(page.body.size() - 3);
    return ScriptedReply{page};
  });
  s.options.retries = 1;
  PageStream stream(&s.client, Everything(), {}, 0, s.options);
  std::string keys;
  while (*stream.NextPage(s.cancel)) keys += stream.page().At(0, EntityPage::kRowKey).view();
  EXPECT_EQ(keys, "1234");
}

TEST(ReadAheadTest, APageKnowsWhenItWasRequested) {
  FourPages pages(0);
  PageStream stream(&pages.s.client, Everything(), {}, 0, pages.s.options);
  int64_t now = 1;
  stream.Stamp([&now] { return now; });
  std::vector<int64_t> asked;
  for (; *stream.NextPage(pages.s.cancel); ++now) asked.push_back(stream.asked_at());
  EXPECT_EQ(asked, (std::vector<int64_t>{1, 2, 2, 3}));
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
