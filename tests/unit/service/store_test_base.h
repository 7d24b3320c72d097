// StoreTest: a store in its own folder, and writes for it.
//
// Thread rule: one thread; several threads may use its objects.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "service/storage_error.h"
#include "service/store/entity_rows.h"
#include "service/store/store.h"
#include "service/store/table_rows.h"

namespace aztables {

class StoreTest : public testing::Test {
 protected:
  static constexpr std::string_view kAccount = "acct";

  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "store_test_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ / "store.db";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static Status WriteOne(Store& store, StoreWrite& write, const Cancel& cancel = {}) {
    StoreWrite* const writes[] = {&write};
    AZTABLES_RETURN_IF_ERROR(store.Write(writes, cancel));
    return write.failure;
  }
  static StoreWrite Creating(const std::string& name) {
    StoreWrite write;
    write.creates = true;
    write.run = [name](StoreTransaction& transaction) {
      return TableRows(transaction.connection, kAccount).Create(name);
    };
    return write;
  }
  // Inserts (partition, row) into the table; `then` is the result of the write.
  static StoreWrite Inserting(const std::string& partition, const std::string& row,
                              const Status& then = {}) {
    StoreWrite write;
    write.run = [=](StoreTransaction& transaction) -> Status {
      const auto table = TableRows(transaction.connection, kAccount).Get("Table");
      if (!table.ok()) return table.status();
      EntityRows rows(transaction.connection, table->id);
      const auto inserted = rows.Insert(transaction, partition, row, {});
      return inserted.ok() ? then : inserted.status();
    };
    return write;
  }
  static void CreateTable(Store& store) {
    StoreWrite create = Creating("Table");
    const Status status = WriteOne(store, create);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  // "p/r" of all entities, in order, and checks that their Timestamps are all different.
  static std::vector<std::string> Entities(Store& store) {
    std::vector<std::string> keys;
    std::set<Ticks> timestamps;
    const Status status = store.Read({}, [&](StoreConnection& connection) -> Status {
      const auto table = TableRows(&connection, kAccount).Get("Table");
      if (!table.ok()) return table.status();
      const auto ended =
          EntityRows(&connection, table->id)
              .Scan(WholeTable(), true, [&](const StoredEntity& entity) -> Result<bool> {
                keys.push_back(entity.partition_key + "/" + entity.row_key);
                timestamps.insert(entity.timestamp);
                return true;
              });
      return ended.status();
    });
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(timestamps.size(), keys.size());
    return keys;
  }

  std::filesystem::path folder_;
  std::string path_;
};

using Strings = std::vector<std::string>;

}  // namespace aztables
