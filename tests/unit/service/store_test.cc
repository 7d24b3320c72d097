// Checks the store: acknowledged writes survive, groups of writes, undoing a single one, many
// threads, and files that are missing, replaced or locked.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "unit/service/store_test_base.h"

namespace aztables {
namespace {

TEST_F(StoreTest, AStoreThatDoesNotExistHasNoTablesAndIsCreatedByCreateTableAlone) {
  Store store(path_, &Clock::System());
  EXPECT_TRUE(store.Check(false, {}).ok());
  StoreWrite insert = Inserting("p", "r");
  Status seen;
  const auto run = insert.run;
  insert.run = [&](StoreTransaction& transaction) { return seen = run(transaction); };
  EXPECT_TRUE(WriteOne(store, insert).ok());
  EXPECT_EQ(seen.failure().code, "TableNotFound");
  EXPECT_FALSE(std::filesystem::exists(path_));
  CreateTable(store);
  EXPECT_TRUE(std::filesystem::exists(path_));
  EXPECT_EQ(Entities(store), Strings());
}

TEST_F(StoreTest, AWriteOfAGroupThatFailsIsUndoneAlone) {
  Store store(path_, &Clock::System());
  CreateTable(store);
  StoreWrite first = Inserting("a", "1");
  StoreWrite refused = Inserting("b", "1", ToStatus(errors::kInvalidInput));
  StoreWrite last = Inserting("c", "1");
  StoreWrite* const writes[] = {&first, &refused, &last};
  ASSERT_TRUE(store.Write(writes, {}).ok());
  EXPECT_TRUE(first.failure.ok());
  EXPECT_TRUE(refused.failure.ok());  // its own error is in its result
  EXPECT_EQ(Entities(store), (Strings{"a/1", "c/1"}));
}

TEST_F(StoreTest, ManyThreadsLoseNothing) {
  constexpr int kThreads = 8;
  constexpr int kEach = 40;
  Store store(path_, &Clock::System());
  CreateTable(store);
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        StoreWrite write = Inserting("p" + std::to_string(t), std::to_string(i));
        if (!WriteOne(store, write).ok()) ++failed;
        StoreWrite undone = Inserting("never", std::to_string(i), Status::Error("undo"));
        if (!WriteOne(store, undone).ok()) ++failed;
      }
    });
  }
  for (int i = 0; i < 20; ++i) Entities(store);  // during the writes
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(Entities(store).size(), static_cast<size_t>(kThreads * kEach));
  Store again(path_, &Clock::System());
  EXPECT_EQ(Entities(again).size(), static_cast<size_t>(kThreads * kEach));
}

TEST_F(StoreTest, TwoStoresOnOneFileSeeEachOther) {
  Store one(path_, &Clock::System());
  Store other(path_, &Clock::System());
  CreateTable(one);
  for (int i = 0; i < 10; ++i) {
    StoreWrite write = Inserting("p", std::to_string(i));
    ASSERT_TRUE(WriteOne(i % 2 == 0 ? one : other, write).ok());
    EXPECT_EQ(Entities(i % 2 == 0 ? other : one).size(), static_cast<size_t>(i + 1));
  }
}

TEST_F(StoreTest, AWaitForSomebodyElsesLockObeysCancel) {
  Store store(path_, &Clock::System());
  CreateTable(store);
  auto blocker = StoreConnection::Open(path_, false, {});
  ASSERT_TRUE(blocker.ok());
  ASSERT_TRUE((*blocker)->Execute("BEGIN IMMEDIATE").ok());
  int asked = 0;
  const Cancel cancel(std::function<bool()>([&asked] { return ++asked > 5; }));
  StoreWrite write = Inserting("p", "r");
  EXPECT_EQ(WriteOne(store, write, cancel).code(), Code::kInterrupt);
  EXPECT_EQ(write.state, StoreWrite::State::kNew);
  EXPECT_EQ(Entities(store), Strings());  // readers do not wait
  ASSERT_TRUE((*blocker)->Execute("COMMIT").ok());
  EXPECT_TRUE(WriteOne(store, write).ok());
  EXPECT_EQ(Entities(store), Strings{"p/r"});
}

// If a leader gives up, its followers find another one.
TEST_F(StoreTest, AWriterThatGivesUpHandsTheLeadOn) {
  Store store(path_, &Clock::System());
  CreateTable(store);
  auto blocker = StoreConnection::Open(path_, false, {});
  ASSERT_TRUE(blocker.ok());
  ASSERT_TRUE((*blocker)->Execute("BEGIN IMMEDIATE").ok());
  std::atomic<bool> give_up = false;
  std::atomic<int> written = 0;
  std::atomic<int> given_up = 0;
  std::vector<std::thread> threads;
  threads.reserve(6);
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      StoreWrite write = Inserting("p", std::to_string(t));
      const Cancel cancel(std::function<bool()>([&, t] { return t < 3 && give_up; }));
      ++(WriteOne(store, write, cancel).ok() ? written : given_up);
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  give_up = true;
  while (given_up < 3) std::this_thread::yield();
  ASSERT_TRUE((*blocker)->Execute("COMMIT").ok());
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(written, 3);
  EXPECT_EQ(Entities(store), (Strings{"p/3", "p/4", "p/5"}));
}

TEST_F(StoreTest, AFileThatIsReplacedIsOpenedAnew) {
  Store store(path_, &Clock::System());
  CreateTable(store);
  StoreWrite write = Inserting("old", "1");
  ASSERT_TRUE(WriteOne(store, write).ok());
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + end);
  CreateTable(store);  // the store is missing and created again
  StoreWrite next = Inserting("new", "1");
  ASSERT_TRUE(WriteOne(store, next).ok());
  EXPECT_EQ(Entities(store), Strings{"new/1"});
}

TEST_F(StoreTest, AChildAfterForkIsRefusedAndLeavesItsParentsStoreAlone) {
  Store store(path_, &Clock::System());
  CreateTable(store);
  const pid_t child = fork();
  if (child == 0) {
    const Status status = store.Read({}, [](StoreConnection&) { return Status(); });
    store.~Store();
    _exit(status.message().find("fork") != std::string_view::npos ? 0 : 1);
  }
  int code = -1;
  ASSERT_EQ(waitpid(child, &code, 0), child);
  EXPECT_EQ(code, 0);
  StoreWrite write = Inserting("p", "r");
  EXPECT_TRUE(WriteOne(store, write).ok());
  EXPECT_TRUE(std::filesystem::exists(path_ + "-wal"));
  EXPECT_EQ(Entities(store), Strings{"p/r"});
}

TEST_F(StoreTest, MemoryIsOneStoreForAllThreads) {
  Store store(":memory:", &Clock::System());
  CreateTable(store);
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      StoreWrite write = Inserting("p", std::to_string(t));
      EXPECT_TRUE(WriteOne(store, write).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Entities(store).size(), 4U);
}

class FrozenClock final : public Clock {
 public:
  explicit FrozenClock(int64_t now) : now_(now) {}
  int64_t NowMs() const override { return now_; }

 private:
  int64_t now_;
};

TEST_F(StoreTest, TimestampsGrowThoughTheClockGoesBack) {
  const FrozenClock late(2'000'000);
  const FrozenClock early(1'000'000);
  Store store(path_, &late);
  CreateTable(store);
  std::vector<Ticks> given;
  for (const Clock* clock : {static_cast<const Clock*>(&late), static_cast<const Clock*>(&early)}) {
    Store other(path_, clock);
    for (int i = 0; i < 3; ++i) {
      StoreWrite write;
      write.run = [&](StoreTransaction& transaction) {
        given.push_back(transaction.NextTimestamp());
        given.push_back(transaction.NextTimestamp());
        return Status();
      };
      ASSERT_TRUE(WriteOne(other, write).ok());
    }
  }
  ASSERT_EQ(given.size(), 12U);
  for (size_t i = 1; i < given.size(); ++i) EXPECT_GT(given[i], given[i - 1]);
}

}  // namespace
}  // namespace aztables
