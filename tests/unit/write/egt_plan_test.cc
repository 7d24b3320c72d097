// Checks how writes are grouped into entity group transactions: by table and partition, in order,
// within the limits of operations and bytes, with the minimal number of transactions.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "model/limits.h"
#include "support/log_writes.h"
#include "support/scripted_client.h"
#include "write/commit.h"

namespace aztables {
namespace {

using support::ScriptedClient;
using Texts = std::vector<std::string>;

ScriptedClient Storage() { return ScriptedClient(std::vector<Outcome>{}); }
ScriptedClient Cosmos() {
  return ScriptedClient(
      std::vector<Outcome>{},
      {.connection = "c", .origin = "https://c.table.cosmos.azure.com", .cosmos = true});
}

void Insert(WriteLog& log, const std::string& partition_key, const std::string& row_key,
            size_t bytes = 0) {
  Entity entity{partition_key, row_key, {}};
  for (int i = 0; bytes > 0; ++i) {
    const size_t size = std::min(bytes, kMaxBinarySize);
    entity.properties.push_back({"B" + std::to_string(i), Value::Binary(std::string(size, 'x'))});
    bytes -= size;
  }
  ASSERT_TRUE(CheckEntity(entity).ok()) << CheckEntity(entity).message();
  ASSERT_TRUE(support::Insert(log, 1, entity).ok());
}

TableWrites Writes(const ScriptedClient& s, const WriteLog& log, const std::string& table = "T") {
  return {.to = {.client = &s.client, .table = table}, .log = &log};
}

// "p: 1 2 3"
Texts Show(const std::vector<Egt>& egts) {
  Texts texts;
  for (const Egt& egt : egts) {
    std::string text = egt.phase > 0 ? std::to_string(egt.phase) + " " : "";
    text.append(egt.partition_key).append(":");
    for (const EntityOperation& operation : egt.operations) {
      EXPECT_EQ(operation.partition_key, egt.partition_key);
      text += " ";
      if (operation.verb != EntityVerb::kInsert) text += VerbName(operation.verb).front();
      text += operation.row_key;
    }
    EXPECT_EQ(egt.outcome, EgtOutcome::kNotSent);
    EXPECT_TRUE(egt.status.ok());
    texts.push_back(text);
  }
  return texts;
}

std::vector<size_t> Sizes(const std::vector<Egt>& egts) {
  std::vector<size_t> sizes;
  sizes.reserve(egts.size());
  for (const Egt& egt : egts) sizes.push_back(egt.operations.size());
  return sizes;
}

TEST(EgtPlanTest, Nothing) {
  EXPECT_TRUE(PlanEgts({})->empty());
  const ScriptedClient s = Storage();
  const WriteLog log;
  EXPECT_TRUE(PlanEgts({Writes(s, log)})->empty());
}

TEST(EgtPlanTest, PartitionsByFirstAppearanceEntitiesAsWritten) {
  const ScriptedClient s = Storage();
  WriteLog log;
  for (const auto& [partition_key, row_key] : std::vector<std::pair<const char*, const char*>>{
           {"b", "9"}, {"a", "1"}, {"b", "3"}, {"B", "7"}, {"a", "0"}, {"b", "5"}, {"", ""}}) {
    Insert(log, partition_key, row_key);
  }
  EXPECT_EQ(Show(*PlanEgts({Writes(s, log)})), (Texts{"b: 9 3 5", "a: 1 0", "B: 7", ": "}));
}

TEST(EgtPlanTest, AHundredOperationsEach) {
  const ScriptedClient s = Storage();
  for (const auto& [count, sizes] : std::vector<std::pair<int, std::vector<size_t>>>{
           {1, {1}}, {99, {99}}, {100, {100}}, {101, {100, 1}}, {250, {100, 100, 50}}}) {
    WriteLog log;
    for (int i = 0; i < count; ++i) Insert(log, "p", std::to_string(i));
    EXPECT_EQ(Sizes(*PlanEgts({Writes(s, log)})), sizes);
  }
}

TEST(EgtPlanTest, PartitionsDoNotShareAnEgt) {
  const ScriptedClient s = Storage();
  WriteLog log;
  for (int i = 0; i < 150; ++i) {
    Insert(log, "a", std::to_string(i));
    Insert(log, "b", std::to_string(i));
  }
  EXPECT_EQ(Sizes(*PlanEgts({Writes(s, log)})), (std::vector<size_t>{100, 50, 100, 50}));
}

TEST(EgtPlanTest, SeveralTables) {
  const ScriptedClient s = Storage();
  WriteLog first;
  Insert(first, "p", "1");
  WriteLog second;
  Insert(second, "p", "2");
  Insert(second, "p", "3");
  const std::vector<Egt> egts = *PlanEgts({Writes(s, first, "A"), Writes(s, second, "B")});
  EXPECT_EQ(Show(egts), (Texts{"p: 1", "p: 2 3"}));
  EXPECT_EQ(egts[0].table, 0U);
  EXPECT_EQ(egts[1].table, 1U);
}

TEST(EgtPlanTest, TheLargestEntities) {
  const ScriptedClient storage = Storage();
  const ScriptedClient cosmos = Cosmos();
  WriteLog log;
  // 1 MiB less the overhead; base64 in JSON adds a third: 1.3 MiB each.
  for (int i = 0; i < 7; ++i) Insert(log, "p", std::to_string(i), kMaxEntitySize - 1024);
  EXPECT_EQ(Sizes(*PlanEgts({Writes(storage, log)})), (std::vector<size_t>{3, 3, 1}));
  EXPECT_EQ(Sizes(*PlanEgts({Writes(cosmos, log)})), (std::vector<size_t>(7, 1)));
}

// The size of the EGT's body.
size_t BodySize(ScriptedClient& s, const Egt& egt) {
  const auto exchange = s.client.StartEgt("T", egt.operations, {});
  return exchange->request().body.size();
}

TEST(EgtPlanTest, BodiesStayBelowTheLimitAndAreNotMuchSmaller) {
  std::mt19937 random(3);
  ScriptedClient storage = Storage();
  ScriptedClient cosmos = Cosmos();
  for (ScriptedClient* s : {&storage, &cosmos}) {
    const size_t most = s->client.MaxEgtBytes();
    WriteLog log;
    for (int i = 0; i < 300; ++i) {
      const size_t large = random() % 4 == 0 ? 300'000 : 3'000;
      Insert(log, "p" + std::to_string(random() % 3), std::to_string(i), 1 + random() % large);
    }
    const std::vector<Egt> egts = *PlanEgts({Writes(*s, log)});
    size_t inserts = 0;
    for (size_t i = 0; i < egts.size(); ++i) {
      inserts += egts[i].operations.size();
      const size_t bytes = BodySize(*s, egts[i]);
      EXPECT_LE(bytes, most);
      EXPECT_LE(egts[i].operations.size(), kMaxEgtOperations);
      const bool last = i + 1 == egts.size() || egts[i + 1].partition_key != egts[i].partition_key;
      if (last || egts[i].operations.size() == kMaxEgtOperations) continue;
      Egt longer = egts[i];
      longer.operations.push_back(egts[i + 1].operations.front());
      EXPECT_GT(BodySize(*s, longer) + 16'384, most) << "the next one would have fitted";
    }
    EXPECT_EQ(inserts, 300U);
    EXPECT_GT(egts.size(), 5U);
  }
}

// UPDATE of a key; `etag` is empty if the transaction itself created the entity.
void Move(WriteLog& log, EntityKeyView from, EntityKeyView to, const char* etag = "e") {
  ASSERT_TRUE(log.Move(1, from, {WriteVerb::kDelete, etag, ""}, to,
                       support::WriteOf(WriteVerb::kInsert), support::kNoLimit)
                  .ok());
}

TEST(EgtPlanTest, AMoveWithinAPartitionIsOneEgt) {
  const ScriptedClient s = Storage();
  WriteLog log;
  Move(log, {"p", "1"}, {"p", "2"});
  EXPECT_EQ(Show(*PlanEgts({Writes(s, log)})), (Texts{"p: 2 D1"}));
}

TEST(EgtPlanTest, LinkedMovesAreNotSplit) {
  const ScriptedClient s = Storage();
  WriteLog log;
  for (int i = 0; i < 99; ++i) Insert(log, "p", "i" + std::to_string(i));
  Move(log, {"p", "1"}, {"p", "2"});
  const auto egts = *PlanEgts({Writes(s, log)});
  EXPECT_EQ(Sizes(egts), (std::vector<size_t>{99, 2}));
  EXPECT_EQ(Show(egts)[1], "p: 2 D1");
}

TEST(EgtPlanTest, AcrossPartitionsTheInsertsComeFirst) {
  const ScriptedClient s = Storage();
  WriteLog log;
  Insert(log, "a", "0");
  Move(log, {"a", "1"}, {"b", "1"});
  Move(log, {"b", "2"}, {"a", "2"});
  EXPECT_EQ(Show(*PlanEgts({Writes(s, log)})), (Texts{"a: 0 2", "1 a: D1", "b: 1", "1 b: D2"}));
}

TEST(EgtPlanTest, AChainOfMovesGoesBackwards) {
  // 3 moves to 4, then 2 to 3, then 1 to 2, each to the key that became free.
  const ScriptedClient s = Storage();
  WriteLog log;
  Move(log, {"p", "3"}, {"p", "4"});
  Move(log, {"p", "2"}, {"p", "3"});
  Move(log, {"p", "1"}, {"p", "2"});
  EXPECT_EQ(Show(*PlanEgts({Writes(s, log)})), (Texts{"p: 4 R3 R2 D1"}));
  TableWrites small = Writes(s, log);
  small.batch = 3;
  EXPECT_EQ(Show(*PlanEgts({small})), (Texts{"p: 4 R3 R2", "1 p: D1"}));
  small.batch = 1;
  EXPECT_EQ(Show(*PlanEgts({small})), (Texts{"p: 4", "1 p: R3", "2 p: R2", "3 p: D1"}));
  Insert(log, "p", "i");
  small.batch = 3;
  EXPECT_EQ(Show(*PlanEgts({small})), (Texts{"p: 4 R3 R2", "1 p: D1", "p: i"}))
      << "what is linked is not split for others";
}

TEST(EgtPlanTest, WhatWasMovedTwiceIsHeldByTheLast) {
  const ScriptedClient s = Storage();
  WriteLog log;
  Move(log, {"p", "1"}, {"q", "1"});
  Move(log, {"q", "1"}, {"r", "1"}, "");
  EXPECT_EQ(Show(*PlanEgts({Writes(s, log)})), (Texts{"1 p: D1", "r: 1"}));
  Move(log, {"r", "1"}, {"p", "1"}, "");
  EXPECT_EQ(Show(*PlanEgts({Writes(s, log)})), (Texts{"p: R1"})) << "and back";
}

TEST(EgtPlanTest, WhatWasMovedAndDeletedIsHeldByNone) {
  const ScriptedClient s = Storage();
  WriteLog log;
  Move(log, {"p", "1"}, {"q", "1"});
  ASSERT_TRUE(log.Add(1, {"q", "1"}, {WriteVerb::kDelete, "", ""}, support::kNoLimit).ok());
  EXPECT_EQ(Show(*PlanEgts({Writes(s, log)})), (Texts{"p: D1"}));
}

TEST(EgtPlanTest, LinkedMovesWaitTogether) {
  const ScriptedClient s = Storage();
  WriteLog log;
  Insert(log, "p", "a");
  Move(log, {"p", "3"}, {"p", "4"});
  Move(log, {"p", "2"}, {"p", "3"});
  Move(log, {"p", "6"}, {"p", "7"});
  Insert(log, "p", "b");
  TableWrites writes = Writes(s, log);
  for (const auto& [waits, plan] :
       std::vector<std::pair<const char*, Texts>>{{"none", {"p: a 4 R3 D2 7 D6 b"}},
                                                  {"a", {"p: 4 R3 D2 7 D6 b"}},
                                                  {"2", {"p: a 7 D6 b"}},
                                                  {"4", {"p: a 7 D6 b"}},
                                                  {"7", {"p: a 4 R3 D2 b"}}}) {
    writes.waits = [waiting = std::string(waits)](EntityKeyView key) {
      return key.row_key == waiting;
    };
    EXPECT_EQ(Show(*PlanEgts({writes})), plan) << waits;
  }
}

TEST(EgtPlanTest, ASwapNeedsOneEgt) {
  const ScriptedClient s = Storage();
  for (const char* other : {"p", "q"}) {
    WriteLog log;
    Move(log, {"p", "1"}, {"p", "t"});
    Move(log, {other, "2"}, {"p", "1"});
    Move(log, {"p", "t"}, {other, "2"}, "");
    const auto egts = PlanEgts({Writes(s, log)});
    if (other == std::string("p")) {
      ASSERT_TRUE(egts.ok());
      EXPECT_EQ(Show(*egts), (Texts{"p: R1 R2"}));
    } else {
      EXPECT_EQ(egts.status().message(),
                "the key changes of 2 entities of table T form a cycle that does not fit into one "
                "entity group transaction, the entity PartitionKey='p', RowKey='1' among them; "
                "change them over free keys in two transactions");
    }
  }
}

TEST(EgtPlanTest, ACycleIsApartFromWhatCanBeSent) {
  const ScriptedClient s = Storage();
  WriteLog log;
  ASSERT_TRUE(log.Add(1, {"q", "0"}, support::WriteOf(WriteVerb::kInsert), support::kNoLimit).ok());
  Move(log, {"p", "1"}, {"p", "t"});
  Move(log, {"q", "2"}, {"p", "1"});
  Move(log, {"p", "t"}, {"q", "2"}, "");
  const std::vector<Egt> egts = PlanAllEgts({Writes(s, log)});
  const auto part = [&](size_t i) {
    return std::string(egts[i].partition_key) + " " + std::to_string(egts[i].operations.size());
  };
  ASSERT_EQ(egts.size(), 3U);
  EXPECT_EQ((Texts{part(0), part(1), part(2)}), (Texts{"q 1", "q 1", "p 1"}));
  EXPECT_TRUE(egts[0].status.ok());
  EXPECT_FALSE(egts[1].status.ok());
  EXPECT_FALSE(egts[2].status.ok());
  EXPECT_EQ(PlanEgts({Writes(s, log)}).status().message(), egts[1].status.message());
}

TEST(EgtPlanTest, WhatMayBeLeftOut) {
  const ScriptedClient s = Storage();
  WriteLog log;
  const auto add = [&](const char* key, EntityWrite write) {
    ASSERT_TRUE(log.Add(1, {"p", key}, std::move(write), support::kNoLimit).ok());
  };
  add("1", support::WriteOf(WriteVerb::kInsert));
  add("2", support::WriteOf(WriteVerb::kInsertOrIgnore));
  add("3", {WriteVerb::kDelete, "*", ""});
  add("4", {WriteVerb::kDelete, "e", ""});
  add("5", support::WriteOf(WriteVerb::kMerge, {}, "*"));
  const auto egts = *PlanEgts({Writes(s, log)});
  EXPECT_EQ(egts[0].skips, (std::vector<Skip>{Skip::kNever, Skip::kIfExists, Skip::kIfMissing,
                                              Skip::kNever, Skip::kNever}));
  EXPECT_TRUE(egts[0].groups.empty());
}

TEST(EgtPlanTest, WhatIsFull) {
  const ScriptedClient s = Storage();
  WriteLog log;
  for (const char* key : {"1", "2", "3"}) Insert(log, "p", key);
  for (const char* key : {"1", "2"}) Insert(log, "q", key);
  Insert(log, "r", "1", 900'000);
  Insert(log, "r", "2", 900'000);
  Insert(log, "r", "3", 900'000);
  Insert(log, "r", "4", 900'000);
  TableWrites small = Writes(s, log);
  small.batch = 2;
  const auto full = [](const std::vector<Egt>& egts) {
    std::vector<bool> each;
    each.reserve(egts.size());
    for (const Egt& egt : egts) each.push_back(egt.full);
    return each;
  };
  EXPECT_EQ(full(*PlanEgts({small})), (std::vector<bool>{true, false, true, true, true}));
  EXPECT_EQ(full(*PlanEgts({Writes(s, log)})), (std::vector<bool>{false, false, true, false}))
      << "by bytes";
}

TEST(EgtPlanTest, WhatIsLinkedHasAGroup) {
  const ScriptedClient s = Storage();
  WriteLog log;
  Insert(log, "p", "0");
  Move(log, {"p", "1"}, {"q", "1"});
  Move(log, {"p", "2"}, {"q", "2"});
  const auto egts = *PlanEgts({Writes(s, log)});
  EXPECT_EQ(Show(egts), (Texts{"p: 0", "1 p: D1 D2", "q: 1 2"}));
  EXPECT_EQ(egts[0].groups, std::vector<size_t>{0});
  EXPECT_EQ(egts[1].groups, egts[2].groups);
  EXPECT_NE(egts[1].groups[0], egts[1].groups[1]);
}

TEST(EgtPlanTest, WhatIsMovedHasToBeThere) {
  const ScriptedClient s = Storage();
  WriteLog log;
  Move(log, {"p", "1"}, {"p", "2"}, "*");
  ASSERT_TRUE(
      log.Add(1, {"p", "3"}, support::WriteOf(WriteVerb::kInsertOrReplace), support::kNoLimit)
          .ok());
  Move(log, {"p", "3"}, {"p", "4"}, "");
  const auto egts = *PlanEgts({Writes(s, log)});
  EXPECT_EQ(Show(egts), (Texts{"p: 2 D1 D3 4"}));
  EXPECT_EQ(egts[0].skips,
            (std::vector<Skip>{Skip::kNever, Skip::kNever, Skip::kIfMissing, Skip::kNever}));
}

TEST(CheckAtomicityTest, Table) {
  const ScriptedClient s = Storage();
  WriteLog one;
  Insert(one, "p", "1");
  WriteLog two;
  Insert(two, "p", "1");
  Insert(two, "q", "1");
  WriteLog many;
  for (int i = 0; i < 101; ++i) Insert(many, "p", std::to_string(i));
  const struct {
    const WriteLog* log;
    Atomicity atomicity;
    const char* refusal;
  } cases[] = {
      {&one, Atomicity::kStrict, ""},
      {&two, Atomicity::kPartition, ""},
      {&many, Atomicity::kEgt, ""},
      {&two, Atomicity::kStrict,
       "the transaction needs 2 entity group transactions, and atomic=strict allows one"},
      {&many, Atomicity::kPartition,
       "the partition 'p' of table T needs 2 entity group transactions, and atomic=partition "
       "allows one for each partition"},
  };
  for (const auto& c : cases) {
    const std::vector<TableWrites> writes = {Writes(s, *c.log)};
    EXPECT_EQ(CheckAtomicity(*PlanEgts(writes), writes, c.atomicity).message(), c.refusal);
  }
}

}  // namespace
}  // namespace aztables
