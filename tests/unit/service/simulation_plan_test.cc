// Checks the reader of plans: each item, and the sentence for each item that is not valid.
#include <gtest/gtest.h>

#include <string>

#include "service/simulation/plan.h"

namespace aztables {
namespace {

using std::chrono::milliseconds;
using Kind = SimulatedFault::Kind;
using Only = SimulatedFault::Only;

SimulationPlan Plan(const std::string& text) {
  auto plan = ParsePlan(text);
  EXPECT_TRUE(plan.ok()) << text << ": " << plan.status().message();
  return plan.ok() ? *plan : SimulationPlan();
}

TEST(SimulationPlanTest, Settings) {
  const SimulationPlan plan = Plan(
      " seed=7 , latency = 20,tail=500 @ 1.25%, partition_rate=2000,account_rate=20000,ranges=10,"
      "scan_time=0,scan_rows=3,tokens=partition ");
  EXPECT_EQ(plan.seed, 7U);
  EXPECT_EQ(plan.latency, milliseconds(20));
  EXPECT_EQ(plan.tail, milliseconds(500));
  EXPECT_DOUBLE_EQ(plan.tail_share, 0.0125);
  EXPECT_EQ(plan.partition_rate, 2000);
  EXPECT_EQ(plan.account_rate, 20000);
  EXPECT_EQ(plan.pages.seed, 7U);
  EXPECT_EQ(plan.pages.ranges, 10U);
  EXPECT_EQ(plan.pages.scan_time, milliseconds(0));
  EXPECT_EQ(plan.pages.scan_rows, 3U);
  EXPECT_TRUE(plan.pages.partition_tokens);
  EXPECT_TRUE(plan.faults.empty());
}

TEST(SimulationPlanTest, WhatAPlanDoesNotNameIsOff) {
  const SimulationPlan plan = Plan("seed=2");
  EXPECT_EQ(plan.latency.count() + plan.tail.count(), 0);
  EXPECT_EQ(plan.tail_share + plan.partition_rate + plan.account_rate, 0);
  EXPECT_EQ(plan.pages.ranges + plan.pages.scan_rows, 0U);
  EXPECT_FALSE(plan.pages.scan_time.has_value());
  EXPECT_FALSE(plan.pages.partition_tokens);
}

TEST(SimulationPlanTest, Faults) {
  const struct {
    const char* text;
    Kind kind;
    bool after;
    int status;
  } kFaults[] = {
      {"refuse", Kind::kRefuse, false, 0},     {"reset-before", Kind::kReset, false, 0},
      {"reset-after", Kind::kReset, true, 0},  {"stall-before", Kind::kStall, false, 0},
      {"stall-after", Kind::kStall, true, 0},  {"truncate", Kind::kTruncate, true, 0},
      {"408", Kind::kStatus, false, 408},      {"429", Kind::kStatus, false, 429},
      {"500", Kind::kStatus, false, 500},      {"502", Kind::kStatus, false, 502},
      {"503", Kind::kStatus, false, 503},      {"504", Kind::kStatus, false, 504},
      {"408-after", Kind::kStatus, true, 408}, {"500-after", Kind::kStatus, true, 500},
      {"html", Kind::kHtml, false, 0},         {"html-after", Kind::kHtml, true, 0},
      {"bad-json", Kind::kBadJson, true, 0},   {"bad-batch", Kind::kBadBatch, true, 0},
      {"move", Kind::kMove, false, 0},
  };
  for (const auto& [text, kind, after, status] : kFaults) {
    const SimulationPlan plan = Plan(std::string(text) + "@3");
    ASSERT_EQ(plan.faults.size(), 1U) << text;
    const SimulatedFault& fault = plan.faults[0];
    EXPECT_EQ(fault.kind, kind) << text;
    EXPECT_EQ(fault.after, after) << text;
    EXPECT_EQ(fault.status, status) << text;
    EXPECT_FALSE(fault.time || fault.kept || fault.retry_after) << text;
    EXPECT_EQ(fault.nth, 3U) << text;
    EXPECT_EQ(fault.only, kind == Kind::kBadBatch ? Only::kEgts : Only::kAll) << text;
  }
}

TEST(SimulationPlanTest, ArgumentsOfFaults) {
  const SimulationPlan plan = Plan(
      "503:2@1, 503:+3@1, refuse:0@1, stall-after : 250 @1, move:1500@1, truncate:100@1, "
      "truncate:half@1");
  ASSERT_EQ(plan.faults.size(), 7U);
  EXPECT_EQ(plan.faults[0].retry_after, 2);
  EXPECT_FALSE(plan.faults[0].retry_date);
  EXPECT_EQ(plan.faults[1].retry_after, 3);
  EXPECT_TRUE(plan.faults[1].retry_date);
  EXPECT_EQ(plan.faults[2].time, milliseconds(0));
  EXPECT_EQ(plan.faults[3].time, milliseconds(250));
  EXPECT_EQ(plan.faults[4].time, milliseconds(1500));
  EXPECT_EQ(plan.faults[5].kept, 100U);
  EXPECT_FALSE(plan.faults[6].kept.has_value());
}

TEST(SimulationPlanTest, WhenAndOnly) {
  const SimulationPlan plan =
      Plan("500@12,500@*12,500@0.5%,500@100%,500@1/reads,500@1/writes,500@ 1 / egts");
  ASSERT_EQ(plan.faults.size(), 7U);
  EXPECT_EQ(plan.faults[0].nth, 12U);
  EXPECT_FALSE(plan.faults[0].each);
  EXPECT_EQ(plan.faults[1].nth, 12U);
  EXPECT_TRUE(plan.faults[1].each);
  EXPECT_EQ(plan.faults[2].nth, 0U);
  EXPECT_DOUBLE_EQ(plan.faults[2].share, 0.005);
  EXPECT_DOUBLE_EQ(plan.faults[3].share, 1);
  EXPECT_EQ(plan.faults[4].only, Only::kReads);
  EXPECT_EQ(plan.faults[5].only, Only::kWrites);
  EXPECT_EQ(plan.faults[6].only, Only::kEgts);
}

TEST(SimulationPlanTest, AnInvalidItemIsNamedByItsNumberAndNeverRepeated) {
  const struct {
    const char* text;
    const char* error;
  } kInvalid[] = {
      {"", "the simulation has no item"},
      {"  ", "the simulation has no item"},
      {"seed=1,", nullptr},  // a comma at the end is allowed
      {"seed=1,,latency=1", "item 2 of the simulation is neither a setting nor a fault"},
      {"sentinel", "item 1 of the simulation is neither a setting nor a fault"},
      {"sentinel=1", "item 1 of the simulation is neither a setting nor a fault"},
      {"seed=1, Latency=2", "item 2 of the simulation is neither"},
      {"AccountKey=c2VudGluZWw=", "item 1 of the simulation is neither"},
      {"seed=-1", "item 1 of the simulation (seed) needs a number from 0 to 1000000000"},
      {"latency=1s", "item 1 of the simulation (latency) needs milliseconds from 0 to 3600000"},
      {"latency=3600001", "(latency) needs milliseconds"},
      {"tail=500", "(tail) needs MS@P%, such as 500@1%"},
      {"tail=500@1", "(tail) needs"},
      {"tail=500@0%", "(tail) needs"},
      {"tail=500@100.1%", "(tail) needs"},
      {"tail=500@1.0000000001%", "(tail) needs"},
      {"tail=500@-1%", "(tail) needs"},
      {"tail=500@1.-1%", "(tail) needs"},
      {"partition_rate=0", "(partition_rate) needs a number from 1 to 1000000000"},
      {"account_rate=x", "(account_rate) needs a number"},
      {"ranges=0", "(ranges) needs a number"},
      {"scan_time=", "(scan_time) needs milliseconds"},
      {"scan_rows=0", "(scan_rows) needs a number"},
      {"tokens=row", "(tokens) needs partition"},
      {"501@1", "is neither a setting nor a fault"},
      {"503-before@1", "is neither a setting nor a fault"},
      {"move-after@1", "is neither a setting nor a fault"},
      {"503", "(503) needs after '@' the number of a request (3), each n-th (*3) or a percentage"},
      {"503@", "(503) needs after '@'"},
      {"503@0", "(503) needs after '@'"},
      {"503@*0", "(503) needs after '@'"},
      {"503@**2", "(503) needs after '@'"},
      {"503@0%", "(503) needs after '@'"},
      {"503@1/", "(503) takes after '/' reads, writes or egts"},
      {"503@1/sentinel", "(503) takes after '/' reads, writes or egts"},
      {"503:@1", "(503) takes after ':' seconds from 0 to 86400, with + for a date"},
      {"503:-1@1", "(503) takes after ':'"},
      {"503:+@1", "(503) takes after ':'"},
      {"503:++1@1", "(503) takes after ':'"},
      {"reset-after:1@1", "(reset-after) takes no argument"},
      {"html:1@1", "(html) takes no argument"},
      {"refuse:sentinel@1", "(refuse) takes after ':' milliseconds from 0 to 3600000"},
      {"truncate:all@1", "(truncate) takes after ':' half, or bytes from 0 to 1000000000"},
  };
  for (const auto& [text, error] : kInvalid) {
    const auto plan = ParsePlan(text);
    ASSERT_EQ(plan.ok(), error == nullptr) << text;
    if (error == nullptr) continue;
    const std::string message(plan.status().message());
    EXPECT_NE(message.find(error), std::string::npos) << text << ": " << message;
    EXPECT_EQ(message.find("sentinel"), std::string::npos) << message;
    EXPECT_EQ(message.find("c2Vu"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace aztables
