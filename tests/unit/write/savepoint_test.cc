// Checks savepoints of a write log: SQLite's calls in each situation, tables that join a
// transaction late, and random transactions of two tables against a model with copies.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "support/log_writes.h"
#include "write/write_log.h"

namespace aztables {
namespace {

using Texts = std::vector<std::string>;

// One virtual table's part of a transaction, with the names of SQLite's callbacks.
class Participant {
 public:
  Participant(int64_t id, WriteLog* log) : id_(id), log_(log) {}

  void Update(const std::string& row_key) {
    ASSERT_TRUE(support::Insert(*log_, id_, {"p", row_key, {}}).ok()) << row_key;
  }
  void Savepoint(int number) { marks_.Savepoint(number, log_->next_sequence()); }
  void Release(int number) { marks_.Release(number); }
  void RollbackTo(int number) {
    if (const auto sequence = marks_.RollbackTo(number)) log_->TruncateTo(*sequence, id_);
  }

 private:
  int64_t id_;
  WriteLog* log_;
  SavepointMarks marks_;
};

class SavepointTest : public testing::Test {
 protected:
  Texts Log() const {
    Texts keys;
    for (const auto& item : log_.Items()) keys.push_back(item.key->row_key);
    return keys;
  }

  WriteLog log_;
  Participant a_{1, &log_};
  Participant b_{2, &log_};
};

TEST_F(SavepointTest, SavepointInsideATransactionOfSavepoints) {
  // SAVEPOINT a; 1; SAVEPOINT b; 2; ROLLBACK TO b; 3; RELEASE b; RELEASE a. The outermost one,
  // which began the transaction, is not counted.
  a_.Update("1");
  a_.Savepoint(0);
  a_.Update("2");
  a_.RollbackTo(0);
  EXPECT_EQ(Log(), Texts{"1"});
  a_.Update("3");
  a_.Release(0);
  EXPECT_EQ(Log(), (Texts{"1", "3"}));
}

TEST_F(SavepointTest, RollingBackTwiceToTheSameSavepoint) {
  a_.Update("1");
  a_.Savepoint(0);
  a_.Update("2");
  a_.RollbackTo(0);
  a_.Update("3");
  a_.RollbackTo(0);
  EXPECT_EQ(Log(), Texts{"1"}) << "the savepoint stays open";
  a_.Release(0);
  a_.Update("4");
  a_.RollbackTo(0);
  EXPECT_EQ(Log(), (Texts{"1", "4"})) << "until it is released";
}

TEST_F(SavepointTest, ATableThatJoinsLateIsToldOfTheInnermostOnly) {
  // BEGIN; SAVEPOINT a; SAVEPOINT b; 1; ROLLBACK TO a.
  a_.Savepoint(1);
  a_.Update("1");
  a_.RollbackTo(0);
  EXPECT_EQ(Log(), Texts{});
  a_.Update("2");
  a_.RollbackTo(0);
  EXPECT_EQ(Log(), Texts{}) << "savepoint a is open still";
}

TEST_F(SavepointTest, ReleasingTheInnermostKeepsTheOthersThatItStandsFor) {
  // BEGIN; SAVEPOINT a; SAVEPOINT b; SAVEPOINT c; 1; RELEASE c; 2; RELEASE b; 3; ROLLBACK TO a.
  a_.Savepoint(2);
  a_.Update("1");
  a_.Release(2);
  a_.Update("2");
  a_.Release(1);
  a_.Update("3");
  a_.RollbackTo(0);
  EXPECT_EQ(Log(), Texts{});
  a_.Release(0);
  a_.Update("4");
  a_.RollbackTo(0);
  EXPECT_EQ(Log(), Texts{"4"}) << "no savepoint is left";
}

TEST_F(SavepointTest, TablesOverOneLogThatJoinAtDifferentTimes) {
  a_.Update("A0");
  a_.Savepoint(0);
  a_.Update("A1");
  b_.Savepoint(0);  // joins
  b_.Update("B0");
  a_.RollbackTo(0);
  b_.RollbackTo(0);
  EXPECT_EQ(Log(), Texts{"A0"});
}

TEST_F(SavepointTest, OneTableKeepsWhatItWroteBeforeTheOthersSavepoint) {
  a_.Update("A0");
  b_.Update("B0");
  a_.Savepoint(0);
  b_.Savepoint(0);
  b_.Update("B1");
  a_.Update("A1");
  b_.RollbackTo(0);
  EXPECT_EQ(Log(), (Texts{"A0", "B0", "A1"})) << "each drops its own";
  a_.RollbackTo(0);
  EXPECT_EQ(Log(), (Texts{"A0", "B0"}));
}

TEST_F(SavepointTest, AFailingStatementOfManyRows) {
  a_.Update("1");
  a_.Savepoint(0);
  a_.Update("2");
  a_.Update("3");
  a_.RollbackTo(0);
  a_.Release(0);
  EXPECT_EQ(Log(), Texts{"1"});
  a_.Update("2");
  EXPECT_EQ(Log(), (Texts{"1", "2"}));
}

TEST_F(SavepointTest, TheFirstStatementFails) {
  a_.Savepoint(0);
  a_.Update("1");
  a_.RollbackTo(0);
  a_.Release(0);
  EXPECT_EQ(Log(), Texts{});
}

TEST_F(SavepointTest, AStatementOfAnotherTableFails) {
  a_.Update("1");
  a_.Savepoint(0);
  a_.RollbackTo(0);
  a_.Release(0);
  EXPECT_EQ(Log(), Texts{"1"});
}

TEST_F(SavepointTest, NestedSavepoints) {
  a_.Savepoint(0);
  a_.Update("1");
  a_.Savepoint(1);
  a_.Update("2");
  a_.Savepoint(2);
  a_.Update("3");
  a_.Release(2);
  a_.RollbackTo(1);
  EXPECT_EQ(Log(), Texts{"1"});
  a_.Update("4");
  a_.Release(1);
  EXPECT_EQ(Log(), (Texts{"1", "4"}));
  a_.RollbackTo(0);
  EXPECT_EQ(Log(), Texts{});
}

TEST_F(SavepointTest, ASavepointReplacesThoseOfItsNumberAndAbove) {
  a_.Savepoint(0);
  a_.Update("1");
  a_.Savepoint(1);
  a_.Savepoint(0);
  a_.Update("2");
  a_.RollbackTo(0);
  EXPECT_EQ(Log(), Texts{"1"});
}

TEST_F(SavepointTest, RollingBackToWhatWasNeverSet) {
  a_.Update("1");
  a_.RollbackTo(0);
  EXPECT_EQ(Log(), Texts{"1"});
  a_.Savepoint(0);
  a_.Update("2");
  a_.RollbackTo(1);
  EXPECT_EQ(Log(), (Texts{"1", "2"})) << "a mark below is none of its business";
}

TEST_F(SavepointTest, ATableCreatedInsideASavepointIsNotToldOfIt) {
  // SAVEPOINT a; CREATE VIRTUAL TABLE; 1; SAVEPOINT b; 2; ROLLBACK TO a.
  a_.Savepoint(-1);
  a_.Update("1");
  a_.Savepoint(1);
  a_.Update("2");
  a_.RollbackTo(0);
  EXPECT_EQ(Log(), Texts{});
}

TEST_F(SavepointTest, MarksAreForgottenWithTheTransaction) {
  SavepointMarks marks;
  marks.Savepoint(0, 5);
  marks.Clear();
  EXPECT_EQ(marks.RollbackTo(0), std::nullopt);
}

// Random transactions with SQLite's calls: each goes to all tables that have joined. A table that
// joins inside savepoints gets the innermost one only.
void RunRandomTransaction(std::mt19937& random, size_t& rolled_back) {
  WriteLog log;
  Participant tables[] = {Participant(1, &log), Participant(2, &log), Participant(3, &log)};
  bool joined[std::size(tables)] = {};
  std::vector<Texts> copies;  // the log at each open savepoint
  Texts model;
  int written = 0;
  for (int step = 0; step < 40; ++step) {
    const auto open = static_cast<unsigned>(copies.size());
    const unsigned action = random() % 8;
    const auto number = static_cast<int>(open > 0 ? random() % open : 0);
    const auto for_all = [&](auto call) {
      for (size_t i = 0; i < std::size(tables); ++i) {
        if (joined[i]) call(tables[i]);
      }
    };
    if (action < 4) {
      const size_t i = random() % std::size(tables);
      if (!joined[i] && open > 0) tables[i].Savepoint(static_cast<int>(open) - 1);
      joined[i] = true;
      model.push_back(std::to_string(written++));
      tables[i].Update(model.back());
    } else if (action < 6) {
      for_all([&](Participant& table) { table.Savepoint(static_cast<int>(open)); });
      copies.push_back(model);
    } else if (open > 0 && action == 6) {
      for_all([&](Participant& table) { table.Release(number); });
      copies.resize(static_cast<size_t>(number));
    } else if (open > 0) {
      for_all([&](Participant& table) { table.RollbackTo(number); });
      copies.resize(static_cast<size_t>(number) + 1);
      if (model != copies.back()) ++rolled_back;
      model = copies.back();
    }
    Texts keys;
    for (const auto& item : log.Items()) keys.push_back(item.key->row_key);
    ASSERT_EQ(keys, model) << "after step " << step;
  }
}

TEST(SavepointModelTest, RandomTransactions) {
  std::mt19937 random(11);
  size_t rolled_back = 0;
  for (int i = 0; i < 5'000; ++i) {
    ASSERT_NO_FATAL_FAILURE(RunRandomTransaction(random, rolled_back)) << i;
  }
  EXPECT_GT(rolled_back, 5'000U);
}

}  // namespace
}  // namespace aztables
