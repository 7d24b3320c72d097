// Checks what requests meet in a simulation: faults, latency, rates and moves.
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "unit/service/simulation_test_base.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using Kind = SimulatedFault::Kind;
using Statuses = std::vector<int>;

TEST_F(SimulationTest, FaultsHitByNumber) {
  Start("500@2, 503@*3, 408@6");
  Statuses seen;
  for (int i = 0; i < 7; ++i) seen.push_back(Status(Point("p")));
  EXPECT_EQ(seen, (Statuses{404, 500, 503, 404, 404, 503, 404}));
}

TEST_F(SimulationTest, OnlyTheNamedOperationsAreCounted) {
  Start("500@2/reads, 502@2/writes, 504@1/egts");
  EXPECT_EQ(Status(Insert("p", "1")), 201);
  EXPECT_EQ(Status(Point("p")), 404);
  EXPECT_EQ(Status(Batch("p", 2)), 502);  // the second write and the first EGT
  EXPECT_EQ(Status(Point("p")), 500);
  EXPECT_EQ(Status(Batch("p", 2)), 202);
}

TEST_F(SimulationTest, ChanceIsReproducible) {
  Start("seed=5, reset-before@10%, 503@1%, stall-after@0.1%");
  const auto first = Kinds(10'000, Point("p"));
  Start("seed=5, reset-before@10%, 503@1%, stall-after@0.1%");
  EXPECT_EQ(Kinds(10'000, Point("p")), first);
  std::map<int, int> counts;
  for (const int kind : first) ++counts[kind];
  EXPECT_NEAR(counts[static_cast<int>(Kind::kReset)], 1000, 150);
  EXPECT_NEAR(counts[static_cast<int>(Kind::kStatus)], 90, 45);
  EXPECT_GT(counts[static_cast<int>(Kind::kStall)], 0);
  Start("seed=6, reset-before@10%, 503@1%, stall-after@0.1%");
  EXPECT_NE(Kinds(10'000, Point("p")), first);

  // Threads share the requests in another order, but the same requests are hit.
  Start("seed=5, reset-before@10%, 503@1%, stall-after@0.1%");
  std::vector<std::map<int, int>> parts(8);
  std::vector<std::thread> threads;
  threads.reserve(parts.size());
  for (auto& part : parts) {
    threads.emplace_back([this, &part] {
      for (const int kind : Kinds(1250, Point("p"))) ++part[kind];
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::map<int, int> all;
  for (const auto& part : parts) {
    for (const auto& [kind, count] : part) all[kind] += count;
  }
  EXPECT_EQ(all, counts);
}

TEST_F(SimulationTest, LatencyHasATail) {
  Start("latency=20, tail=500@5%");
  std::map<milliseconds::rep, int> counts;
  for (int i = 0; i < 2000; ++i) ++counts[simulation_->Meet(Point("p")).latency.count()];
  EXPECT_EQ(counts.size(), 2U);
  EXPECT_NEAR(counts[500], 100, 40);
  EXPECT_EQ(counts[20] + counts[500], 2000);
}

TEST_F(SimulationTest, AfterMeansThatTheRequestIsCarriedOut) {
  Start("500@1/writes, 500-after@2/writes");
  EXPECT_EQ(Status(Insert("p", "r")), 500);
  EXPECT_EQ(Status(Point("p")), 404);
  EXPECT_EQ(Status(Insert("p", "r")), 500);
  EXPECT_EQ(Status(Point("p")), 200);
}

TEST_F(SimulationTest, RetryAfterIsSecondsOrADate) {
  Start("503:2@1, 503:+2@2, 503@3, 429:7@4");
  EXPECT_EQ(Send(Point("p")).headers.Get("Retry-After"), "2");
  const Response dated = Send(Point("p"));
  EXPECT_EQ(dated.headers.Get("Date"), HttpDate(clock_.now_ms));
  EXPECT_EQ(dated.headers.Get("Retry-After"), HttpDate(clock_.now_ms + 2000));
  EXPECT_EQ(Send(Point("p")).headers.Find("Retry-After"), nullptr);
  EXPECT_EQ(Send(Point("p")).headers.Get("Retry-After"), "7");
}

TEST_F(SimulationTest, BodiesAreThoseOfTheServiceOrOfAFrontEnd) {
  Start("503@1, 500@2, 408@3, html@4, bad-json@5, bad-batch@1, bad-json@7");
  const Response busy = Send(Point("p"));
  EXPECT_NE(busy.body.find("\"ServerBusy\""), std::string::npos) << busy.body;
  EXPECT_NE(busy.body.find("unable to receive requests"), std::string::npos) << busy.body;
  EXPECT_NE(busy.headers.Find("x-ms-request-id"), nullptr);
  const Response timed_out = Send(Point("p"));
  EXPECT_EQ(timed_out.status, 500);
  EXPECT_NE(timed_out.body.find("\"OperationTimedOut\""), std::string::npos) << timed_out.body;
  const Response late = Send(Point("p"));
  EXPECT_EQ(late.headers.Get("Content-Type"), "text/html");
  EXPECT_NE(late.body.find("408 Request Timeout"), std::string::npos) << late.body;
  const Response html = Send(Point("p"));
  EXPECT_EQ(html.status, 200);
  EXPECT_TRUE(html.body.starts_with("<html>")) << html.body;
  const Response page = Send(Get("/Tab()"));
  EXPECT_EQ(page.status, 200);
  EXPECT_TRUE(page.body.starts_with("{\"odata.") && !page.body.ends_with('}')) << page.body;
  const Response batch = Send(Batch("p", 2));
  EXPECT_EQ(batch.status, 202);
  EXPECT_EQ(batch.body.find("--\r\n"), std::string::npos) << batch.body;
  EXPECT_EQ(Send(Get("/Tab()")).status, 200);
  EXPECT_NE(Serve(Point("p")).status, 500);
}

TEST_F(SimulationTest, BadJsonReplacesAResponseWithoutJson) {
  Start("bad-json@1/writes");
  Request insert = Insert("p", "r");
  insert.headers.Add("Prefer", "return-no-content");
  const Response response = Send(insert);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "{\"odata.error\":");
  EXPECT_EQ(Status(Point("p")), 200);
}

TEST_F(SimulationTest, TruncateKeepsHalfOrSomeBytes) {
  Start("truncate@1, truncate:3@2, truncate:1000@3");
  const Response response{.status = 200, .headers = {}, .body = "0123456789"};
  EXPECT_EQ(Simulation::Kept(simulation_->Meet(Point("p")), response), 5U);
  EXPECT_EQ(Simulation::Kept(simulation_->Meet(Point("p")), response), 3U);
  EXPECT_EQ(Simulation::Kept(simulation_->Meet(Point("p")), response), 10U);
}

TEST_F(SimulationTest, AStallWithATimeIsCarriedOutAfterIt) {
  Start("stall-before@1, stall-before:100@2, stall-after@3");
  EXPECT_FALSE(simulation_->Meet(Point("p")).carried_out);
  EXPECT_TRUE(simulation_->Meet(Point("p")).carried_out);
  EXPECT_TRUE(simulation_->Meet(Point("p")).carried_out);
}

TEST_F(SimulationTest, APartitionCarriesItsRate) {
  Start("partition_rate=10");
  Statuses seen;
  for (int i = 0; i < 12; ++i) seen.push_back(Status(Point("p")));
  EXPECT_EQ(seen, (Statuses{404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 503, 503}));
  EXPECT_EQ(Status(Point("q")), 404);
  clock_.now_ms += 100;  // one entity more
  EXPECT_EQ(Status(Point("p")), 404);
  EXPECT_EQ(Status(Point("p")), 503);
  clock_.now_ms += 60'000;  // at most those of one second
  seen.clear();
  for (int i = 0; i < 11; ++i) seen.push_back(Status(Point("p")));
  EXPECT_EQ(seen, (Statuses{404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 503}));
}

TEST_F(SimulationTest, ATransactionCountsItsOperations) {
  Start("partition_rate=10");
  EXPECT_EQ(Status(Batch("p", 25)), 202);
  clock_.now_ms += 1500;
  EXPECT_EQ(Status(Point("p")), 503);
  EXPECT_EQ(Status(Insert("p", "x")), 503);
  clock_.now_ms += 100;
  EXPECT_EQ(Status(Insert("p", "x")), 201);
}

TEST_F(SimulationTest, APageCountsItsEntities) {
  Start("account_rate=30");
  EXPECT_EQ(Status(Batch("p", 20)), 202);
  EXPECT_EQ(Status(Get("/Tab()", "$top=1")), 200);
  EXPECT_EQ(Status(Get("/Tab()")), 200);  // 20 entities; 9 tokens were left
  const Response refused = Send(Get("/Tab()"));
  EXPECT_EQ(refused.status, 503);
  EXPECT_NE(refused.body.find("over the account limit"), std::string::npos) << refused.body;
  clock_.now_ms += 350;
  EXPECT_EQ(Status(Get("/Tab()")), 503);
  clock_.now_ms += 60;
  EXPECT_EQ(Status(Get("/Tab()")), 200);
  EXPECT_EQ(EntitiesIn(R"({"value":[]})"), 0);
  EXPECT_EQ(EntitiesIn(R"({"value":[{"A":"{\"{"},{"B":1}]})"), 2);
}

TEST_F(SimulationTest, AMovingPartitionIsUnavailableForAWhile) {
  Start("move:1500@2");
  EXPECT_EQ(Status(Insert("p", "r")), 201);
  EXPECT_EQ(Status(Point("p")), 503);  // the move begins
  EXPECT_EQ(Status(Insert("p", "s")), 503);
  EXPECT_EQ(Status(Batch("p", 2)), 503);
  EXPECT_EQ(Status(Get("/Tab()")), 503);  // the page would have the partition
  EXPECT_EQ(Status(Get("/Tab()", "$filter=PartitionKey%20gt%20'p'")), 200);
  EXPECT_EQ(Status(Get("/Tab()", "$filter=PartitionKey%20lt%20'p'")), 200);
  EXPECT_EQ(Status(Point("q")), 404);
  EXPECT_EQ(Status(Get("/Tables")), 200);
  clock_.now_ms += 1499;
  EXPECT_EQ(Status(Point("p")), 503);
  clock_.now_ms += 1;
  EXPECT_EQ(Status(Point("p")), 200);
  EXPECT_EQ(Status(Get("/Tab()")), 200);
}

TEST_F(SimulationTest, AMoveCountsOnlyRequestsOfPartitions) {
  Start("move@1");
  EXPECT_EQ(Status(Get("/Tables")), 200);
  EXPECT_EQ(Status(Get("/Tab()")), 200);
  EXPECT_EQ(Status(Get("/Tab()", "$filter=PartitionKey%20eq%20'p'")), 503);
}

}  // namespace
}  // namespace aztables
