// Checks the waits of a simulated handler and how it ends connections.
#include "server/simulated_handler.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace aztables {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A handler with this plan. `served` counts the requests that are carried out.
Handler Simulated(const std::string& plan, int& served) {
  auto parsed = ParsePlan(plan);
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  return WithSimulation(
      [&served](const Request&, const Peer&, const Cancel&) {
        ++served;
        return HandlerReply{.response = {.status = 200, .headers = {}, .body = "0123456789"}};
      },
      std::make_shared<Simulation>(parsed.ok() ? *parsed : SimulationPlan(), nullptr, nullptr));
}

int64_t Milliseconds(const std::function<void()>& run) {
  const auto begin = steady_clock::now();
  run();
  return (steady_clock::now() - begin) / milliseconds(1);
}

TEST(SimulatedHandler, ADelayOutlastsTheRequestsTimeButNotTheServer) {
  int served = 0;
  const Handler handler = Simulated("latency=120", served);
  const auto time_with = [&handler](Code code) {
    return Milliseconds([&] {
      EXPECT_EQ(handler({}, {}, Cancel([code]() -> Status {
                          return {code, "over"};
                        }))
                    .response.status,
                200);
    });
  };
  EXPECT_GE(time_with(Code::kBusy), 120);
  EXPECT_LT(time_with(Code::kInterrupt), 100);
  EXPECT_EQ(served, 2);
}

TEST(SimulatedHandler, FaultsCutEveryNth) {
  int served = 0;
  const Handler after = Simulated("reset-after@*3", served);
  int begun = 0;
  const Handler before = Simulated("reset-before@*2", begun);
  std::string seen;
  for (int i = 0; i < 6; ++i) {
    for (const Handler* handler : {&after, &before}) {
      const HandlerReply reply = (*handler)({}, {}, {});
      EXPECT_EQ(reply.reset, reply.response.status == 0);
      seen += std::to_string(reply.response.status) + " ";
    }
  }
  EXPECT_EQ(seen, "200 200 200 0 0 200 200 0 200 200 0 0 ");
  EXPECT_EQ(served, 6);
  EXPECT_EQ(begun, 3);
}

TEST(SimulatedHandler, AStallEndsWithItsTimeTheClientOrTheServer) {
  int served = 0;
  const Handler handler = Simulated(
      "stall-before:60@1, stall-before@2, stall-after@3, stall-before@4, stall-before:60@5",
      served);
  const Peer gone{.address = "", .https = false, .has_gone = [] { return true; }};
  const Cancel stopped([]() -> Status { return {Code::kInterrupt, "the server stops"}; });
  EXPECT_GE(Milliseconds([&] { EXPECT_EQ(handler({}, {}, {}).response.status, 200); }), 60);
  EXPECT_EQ(served, 1);
  EXPECT_EQ(handler({}, gone, {}).response.status, 0);
  EXPECT_EQ(served, 1);
  EXPECT_EQ(handler({}, gone, {}).response.status, 0);
  EXPECT_EQ(served, 2);
  EXPECT_EQ(handler({}, {}, stopped).response.status, 0);
  EXPECT_EQ(handler({}, gone, {}).response.status, 0);
  EXPECT_EQ(served, 2);
}

TEST(SimulatedHandler, ConnectionsEndAsPlanned) {
  int served = 0;
  const Handler handler = Simulated("refuse@1, refuse:70@2, truncate:4@3, 503@4", served);
  const HandlerReply refused = handler({}, {}, {});
  EXPECT_TRUE(refused.reset);
  EXPECT_EQ(refused.refuse, milliseconds(300));
  EXPECT_EQ(handler({}, {}, {}).refuse, milliseconds(70));
  const HandlerReply cut = handler({}, {}, {});
  EXPECT_EQ(cut.kept, 4U);
  EXPECT_EQ(cut.response.body.size(), 10U);
  EXPECT_EQ(handler({}, {}, {}).response.status, 503);
  EXPECT_EQ(served, 1);
}

}  // namespace
}  // namespace aztables
