// Checks failures of a store in use: its file is replaced, or memory is exhausted.
#include <atomic>
#include <new>
#include <thread>

#include "unit/service/store_test_base.h"

namespace aztables {
namespace {

class StoreMishapsTest : public StoreTest {
 protected:
  static Status Insert(Store& store, const std::string& partition) {
    StoreWrite write = Inserting(partition, "1");
    return WriteOne(store, write);
  }
  // A closed store with one entity of this partition.
  std::string Made(const std::string& partition) {
    std::string path = folder_ / partition;
    Store store(path, &Clock::System());
    CreateTable(store);
    EXPECT_TRUE(Insert(store, partition).ok());
    return path;
  }
  static Status Reads(Store& store) {
    return store.Read({}, [](StoreConnection&) { return Status(); });
  }
};

TEST_F(StoreMishapsTest, AFileThatIsReplacedIsRefused) {
  Store store(path_, &Clock::System());
  CreateTable(store);
  ASSERT_TRUE(Insert(store, "old").ok());
  std::filesystem::rename(Made("new"), path_);
  ASSERT_GT(std::filesystem::file_size(path_ + "-wal"), 0U);
  for (const bool has_log : {true, false}) {
    EXPECT_EQ(Reads(store).message(), errors::kReplacedStore.message) << has_log;
    EXPECT_EQ(Insert(store, "more").message(), errors::kReplacedStore.message) << has_log;
    if (has_log) {
      for (const char* end : {"-wal", "-shm"}) std::filesystem::remove(path_ + end);
    }
  }
  Store again(path_, &Clock::System());
  EXPECT_EQ(Entities(again), Strings{"new/1"});
}

TEST_F(StoreMishapsTest, AFileThatIsGoneWhileItsLogStaysIsMadeAgain) {
  Store store(path_, &Clock::System());
  CreateTable(store);
  ASSERT_TRUE(Insert(store, "old").ok());
  std::filesystem::remove(path_);
  EXPECT_TRUE(Reads(store).ok());
  CreateTable(store);
  ASSERT_TRUE(Insert(store, "new").ok());
  EXPECT_EQ(Entities(store), Strings{"new/1"});
}

// The project does not throw; the allocator may.
TEST_F(StoreMishapsTest, AWriteForWhichThereIsNoMemoryLeavesNothingBehind) {
  Store store(path_, &Clock::System());
  CreateTable(store);
  for (const bool in_group : {false, true}) {
    StoreWrite good = Inserting("good", "1");
    StoreWrite bad;
    bad.run = [](StoreTransaction&) -> Status { throw std::bad_alloc(); };
    StoreWrite* const writes[] = {&good, &bad};
    const std::span<StoreWrite* const> all(writes);
    EXPECT_THROW(static_cast<void>(store.Write(all.subspan(in_group ? 0 : 1), {})), std::bad_alloc);
    EXPECT_EQ(bad.failure.message(), errors::kOutOfMemory.message);
    EXPECT_EQ(Entities(store), Strings());
  }
  EXPECT_THROW(
      static_cast<void>(store.Read({}, [](StoreConnection&) -> Status { throw std::bad_alloc(); })),
      std::bad_alloc);
  ASSERT_TRUE(Insert(store, "after").ok());
  EXPECT_EQ(Entities(store), Strings{"after/1"});
}

// The leader's memory is exhausted; the other writers of its group get the error.
TEST_F(StoreMishapsTest, WritersInAGroupWithoutMemoryAreAllTold) {
  constexpr int kThreads = 8;
  Store store(path_, &Clock::System());
  CreateTable(store);
  std::atomic<int> thrown = 0;
  std::atomic<int> reported = 0;
  std::atomic<int> written = 0;
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        StoreWrite write = Inserting("p" + std::to_string(t), std::to_string(i));
        if (i % 4 == 3) write.run = [](StoreTransaction&) -> Status { throw std::bad_alloc(); };
        try {
          ++(WriteOne(store, write).ok() ? written : reported);
        } catch (const std::bad_alloc&) {
          ++thrown;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(thrown + reported + written, kThreads * 20);
  EXPECT_GT(thrown, 0);
  EXPECT_EQ(Entities(store).size(), static_cast<size_t>(written));
}

}  // namespace
}  // namespace aztables
