// Checks what requests meet in a simulation, on a clock that the test sets.
#include "service/simulation/simulation.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "service/table_service.h"
#include "unit/service/set_clock.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using Kind = SimulatedFault::Kind;

Request Get(const std::string& path, const std::string& query = "") {
  return {.method = "GET", .origin = "http://h", .path = path, .query = query};
}

Request Point(const std::string& partition) {
  return Get("/Tab(PartitionKey='" + partition + "',RowKey='r')");
}

Request Insert(const std::string& partition, const std::string& row) {
  Request request{.method = "POST", .origin = "http://h", .path = "/Tab"};
  request.may_repeat = false;
  request.headers.Add("Content-Type", "application/json");
  request.body = R"({"PartitionKey":")" + partition + R"(","RowKey":")" + row + "\"}";
  return request;
}

Request Batch(const std::string& partition, int operations) {
  Request request{.method = "POST", .origin = "http://h", .path = "/$batch"};
  request.may_repeat = false;
  request.headers.Add("Content-Type", "multipart/mixed; boundary=b");
  request.body = "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n";
  for (int i = 0; i < operations; ++i) {
    const std::string path =
        "http://h/Tab(PartitionKey='" + partition + "',RowKey='" + std::to_string(i) + "')";
    request.body +=
        "--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPUT " +
        path + " HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{\"N\":" + std::to_string(i) +
        "}\r\n";
  }
  request.body += "--c--\r\n--b--\r\n";
  return request;
}

class SimulationTest : public testing::Test {
 protected:
  // A service with the table Tab, and the simulation before it.
  void Start(const std::string& text) {
    auto plan = ParsePlan(text);
    ASSERT_TRUE(plan.ok()) << plan.status().message();
    auto service = TableService::Open(
        {.store = ":memory:", .create = true, .clock = &clock_, .pages = plan->pages});
    ASSERT_TRUE(service.ok());
    service_ = std::move(*service);
    Request create{.method = "POST", .origin = "http://h", .path = "/Tables"};
    create.headers.Add("Content-Type", "application/json");
    create.body = R"({"TableName":"Tab"})";
    ASSERT_EQ(Serve(create).status, 201);
    simulation_ = std::make_unique<Simulation>(
        *plan, service_->serves(),
        [this](const RequestTarget& target) { return service_->RangeStart(target); }, &clock_);
  }

  Response Serve(const Request& request) { return service_->Handle(request, Peer(), Cancel()); }

  Response Send(const Request& request) {
    const Encounter encounter = simulation_->Meet(request);
    Response response = encounter.carried_out ? Serve(request) : Response();
    simulation_->Complete(encounter, response);
    return response;
  }
  int Status(const Request& request) { return Send(request).status; }

  // The kinds of the faults that these requests meet; -1: none.
  std::vector<int> Kinds(int count, const Request& request) {
    std::vector<int> kinds;
    for (int i = 0; i < count; ++i) {
      const Encounter encounter = simulation_->Meet(request);
      kinds.push_back(encounter.fault ? static_cast<int>(encounter.fault->kind) : -1);
    }
    return kinds;
  }

  SetClock clock_;
  std::unique_ptr<TableService> service_;
  std::unique_ptr<Simulation> simulation_;
};

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

// The partitions of each page, following the tokens: "a b|c".
class SimulatedPagesTest : public SimulationTest {
 protected:
  std::string Pages(const std::string& options = "") {
    std::string pages;
    const std::string first = "$select=PartitionKey" + options;
    std::string query = first;
    rowless_ = 0;
    for (int i = 0; i < 100; ++i) {
      const Response page = Send(Get("/Tab()", query));
      EXPECT_EQ(page.status, 200) << page.body;
      constexpr std::string_view kKey = "\"PartitionKey\":\"";
      for (size_t at = 0; (at = page.body.find(kKey, at)) != std::string::npos;) {
        at += kKey.size();
        pages += page.body[at];
      }
      const std::string* const partition = page.headers.Find("x-ms-continuation-NextPartitionKey");
      if (partition == nullptr) return pages;
      const std::string* const row = page.headers.Find("x-ms-continuation-NextRowKey");
      query = first;
      query += "&NextPartitionKey=" + *partition;
      if (row != nullptr) {
        query += "&NextRowKey=" + *row;
      } else {
        ++rowless_;
      }
      pages += "|";
    }
    return pages + "...";
  }
  // Entities of partitions a to h, two each.
  void Fill() {
    for (char c = 'a'; c <= 'h'; ++c) {
      for (const char* row : {"1", "2"}) {
        EXPECT_EQ(Serve(Insert(std::string(1, c), row)).status, 201);
      }
    }
  }
  int rowless_ = 0;
};

TEST_F(SimulatedPagesTest, APageEndsAtTheNextRange) {
  Start("ranges=1");
  Fill();
  // The first range has no entity. So has the range of a missing partition.
  EXPECT_EQ(Pages(), "|aa|bb|cc|dd|ee|ff|gg|hh");
  EXPECT_EQ(Pages("&$filter=PartitionKey%20eq%20'c'"), "cc");
  EXPECT_EQ(Pages("&$filter=PartitionKey%20ge%20'c'%20and%20RowKey%20eq%20'2'"), "c|d|e|f|g|h");
  EXPECT_EQ(Pages("&$filter=PartitionKey%20gt%20'g'"), "|hh");
  EXPECT_EQ(Pages("&$filter=RowKey%20eq%20'x'"), "||||||||");
  EXPECT_EQ(Pages("&$top=1"), "|a|a|b|b|c|c|d|d|e|e|f|f|g|g|h|h");
}

TEST_F(SimulatedPagesTest, TheSeedChoosesTheRanges) {
  std::set<std::string> different;
  for (int seed = 1; seed <= 8; ++seed) {
    const std::string plan = "seed=" + std::to_string(seed) + ",ranges=3";
    Start(plan);
    Fill();
    const std::string pages = Pages();
    different.insert(pages);
    std::string entities = pages;
    std::erase(entities, '|');
    EXPECT_EQ(entities, "aabbccddeeffgghh");
    Start(plan);
    Fill();
    EXPECT_EQ(Pages(), pages);
  }
  EXPECT_GT(different.size(), 4U);
}

TEST_F(SimulatedPagesTest, APageEndsAfterItsRowsOrItsTime) {
  Start("scan_rows=3");
  Fill();
  EXPECT_EQ(Pages(), "aab|bcc|dde|eff|ggh|h");
  EXPECT_EQ(Pages("&$filter=PartitionKey%20ge%20'b'%20and%20RowKey%20eq%20'1'"), "bc|d|ef|g|h");
  EXPECT_EQ(Pages("&$filter=Absent%20eq%201"), "|||||");
  Start("scan_time=0");
  Fill();
  EXPECT_EQ(Pages(), "a|a|b|b|c|c|d|d|e|e|f|f|g|g|h|h");
}

TEST_F(SimulatedPagesTest, TokensOfPartitionsHaveNoRowKey) {
  Start("tokens=partition,scan_rows=2");
  Fill();
  EXPECT_EQ(Pages(), "aa|bb|cc|dd|ee|ff|gg|hh");
  EXPECT_EQ(rowless_, 7);
  EXPECT_EQ(Pages("&$top=1"), "a|a|b|b|c|c|d|d|e|e|f|f|g|g|h|h");
  EXPECT_EQ(rowless_, 7);
  // The token of a table with the name of a deleted one.
  EXPECT_EQ(Serve({.method = "DELETE", .origin = "http://h", .path = "/Tables('Tab')"}).status,
            204);
  Request create{.method = "POST", .origin = "http://h", .path = "/Tables"};
  create.body = R"({"TableName":"Tab"})";
  EXPECT_EQ(Serve(create).status, 201);
  Fill();
  EXPECT_EQ(Pages(), "aa|bb|cc|dd|ee|ff|gg|hh");
  EXPECT_EQ(rowless_, 7);
}

TEST_F(SimulatedPagesTest, AMoveAffectsTheWholeRange) {
  // Seeks a seed with a range of several partitions that does not begin with the table.
  std::string pages;
  std::string range;
  for (int seed = 1; seed < 50 && range.size() < 2; ++seed) {
    Start("seed=" + std::to_string(seed) + ",ranges=3,move:1000@1/writes");
    Fill();
    pages = Pages();
    const size_t begin = pages.find('|');
    if (begin == std::string::npos || begin == 0) continue;
    range = pages.substr(begin + 1, pages.find('|', begin + 1) - begin - 1);
    if (range.size() < 4 || range.ends_with("hh")) range.clear();
  }
  ASSERT_GE(range.size(), 4U) << pages;
  EXPECT_EQ(Status(Insert(std::string(1, range.back()), "new")), 503);
  for (char c = 'a'; c <= 'h'; ++c) {
    const bool moves = range.find(c) != std::string::npos;
    EXPECT_EQ(Status(Point(std::string(1, c))), moves ? 503 : 404) << pages << " " << c;
    EXPECT_EQ(Status(Get("/Tab()", std::string("$filter=PartitionKey%20ge%20'") + c + "'")),
              moves ? 503 : 200)
        << pages << " " << c;
  }
  EXPECT_EQ(Status(Get("/Tab()")), 200);  // a page of the first range
  clock_.now_ms += 1000;
  EXPECT_EQ(Pages(), pages);
}

}  // namespace
}  // namespace aztables
