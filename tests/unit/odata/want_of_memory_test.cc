// Checks that all JSON readers survive a lack of memory: whichever allocation fails, the result is
// a value or a Status, and the same object can read on later. Tests choose which nothrow allocation
// fails; simdjson and its strings use these.
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "odata/entity_page.h"
#include "odata/entity_reader.h"
#include "odata/response_body.h"
#include "unit/odata/show_cell.h"

namespace {

// The number of this thread's allocation that fails: 1 for the next one, 0 for none.
thread_local int failing_allocation = 0;

bool FailsNow() { return failing_allocation > 0 && --failing_allocation == 0; }

}  // namespace

// They use the throwing operators, so that the matching delete works even if a sanitizer has
// replaced them.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  if (FailsNow()) return nullptr;
  try {
    return ::operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  if (FailsNow()) return nullptr;
  try {
    return ::operator new[](size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

namespace aztables {
namespace {

using testing_support::kFirst;
using testing_support::Show;

// Calls `read(object, failing)` for a new Object and each allocation that can fail: first with the
// failure, then without it.
template <typename Object, typename Read>
void WhileEachAllocationFails(const Read& read) {
  int failures = 0;
  for (bool failed = true; failed; ++failures) {
    const auto object = std::make_unique<Object>();
    failing_allocation = failures + 1;
    read(*object, true);
    failed = failing_allocation == 0;
    failing_allocation = 0;
    read(*object, false);
  }
  EXPECT_GT(failures, 1);  // at least one allocation has failed
}

// `status` is OK, or reports a lack of memory if `failing`.
bool Succeeds(const Status& status, bool failing) {
  if (status.ok()) return true;
  EXPECT_TRUE(failing) << status.message();
  EXPECT_EQ(status.code(), Code::kNoMemory) << status.message();
  return false;
}

template <typename T>
bool Succeeds(const Result<T>& result, bool failing) {
  return Succeeds(result.ok() ? Status() : result.status(), failing);
}

std::string LongEntity(size_t length) {
  return R"({"PartitionKey":"p","Row\u004bey":"r","S@odata.type":"Edm.String","S":"\"\u00e9)" +
         std::string(length, 's') + "\"}";
}

struct Page : EntityPage {
  Page() : EntityPage({{"S"}, true}) {}
};

void ReadPage(EntityPage& page, size_t length, bool failing) {
  const std::string text = "\"\u00e9" + std::string(length, 's');
  const std::string entity = LongEntity(length);
  if (Succeeds(page.ReadQuery(R"({"value":[)" + entity + "," + entity + "]}"), failing)) {
    ASSERT_EQ(page.size(), 2U);
    for (size_t row = 0; row < 2; ++row) {
      EXPECT_EQ(page.At(row, EntityPage::kPartitionKey).view(), "p");
      EXPECT_EQ(page.At(row, EntityPage::kRowKey).view(), "r");
      EXPECT_EQ(Show(page.At(row, kFirst)), "Edm.String " + text);
    }
  } else {
    EXPECT_EQ(page.size(), 0U);
  }
}

TEST(WantOfMemoryTest, APage) {
  WhileEachAllocationFails<Page>(
      [](EntityPage& page, bool failing) { ReadPage(page, 5000, failing); });
}

TEST(WantOfMemoryTest, APageThatIsLargerThanTheLast) {
  struct UsedPage : Page {
    UsedPage() { ReadPage(*this, 10, false); }
  };
  WhileEachAllocationFails<UsedPage>([](EntityPage& page, bool failing) {
    ReadPage(page, 5000, failing);
    if (!failing) return;
    const int kept = std::exchange(failing_allocation, 0);
    ReadPage(page, 10, false);  // a smaller one, for which memory suffices
    failing_allocation = kept;
  });
}

TEST(WantOfMemoryTest, AnEmptyBodyIsAnErrorThenToo) {
  WhileEachAllocationFails<Page>([](EntityPage& page, bool failing) {
    ReadPage(page, 100, failing);
    EXPECT_FALSE(page.ReadQuery("").ok());
  });
}

TEST(WantOfMemoryTest, AnEntity) {
  WhileEachAllocationFails<Page>([](EntityPage& page, bool failing) {
    if (!Succeeds(page.ReadEntity(LongEntity(5000)), failing)) return;
    ASSERT_EQ(page.size(), 1U);
    EXPECT_EQ(Show(page.At(0, kFirst)), "Edm.String \"\u00e9" + std::string(5000, 's'));
  });
}

TEST(WantOfMemoryTest, TheTextOfAnEntity) {
  const std::string text = R"({"A":"1\n","\u0042":"2\t","C@odata.type":"Edm.Int64","C":"3"})";
  WhileEachAllocationFails<EntityReader>([&](EntityReader& reader, bool failing) {
    const auto all = reader.All(text);
    if (!Succeeds(all, failing)) return;
    ASSERT_EQ(all->size(), 3U);
    EXPECT_EQ((*all)[0].value.text, "1\n");
    EXPECT_EQ((*all)[1].name, "B");
    EXPECT_EQ((*all)[2].value.integer, 3);
  });
  WhileEachAllocationFails<EntityReader>([&](EntityReader& reader, bool failing) {
    const auto one = reader.Get(text, "A");
    if (!Succeeds(one, failing)) return;
    EXPECT_EQ(one->text, "1\n");
  });
  WhileEachAllocationFails<EntityReader>([&](EntityReader& reader, bool failing) {
    const auto set = reader.Set(text, {"A", Value::Int32(7)});
    if (!Succeeds(set, failing)) return;
    EXPECT_TRUE(set->starts_with(R"({"A":7,"\u0042":"2\t")")) << *set;
  });
}

TEST(WantOfMemoryTest, SmallResponses) {
  WhileEachAllocationFails<int>([](int, bool failing) {
    const auto names =
        ReadTableNames(R"({"value":[{"TableName":"One"},{"TableName":"Tw\u006f"}]})");
    if (!Succeeds(names, failing)) return;
    EXPECT_EQ(*names, (std::vector<std::string>{"One", "Two"}));
  });
  WhileEachAllocationFails<int>([](int, bool failing) {
    const ErrorBody error = ReadErrorBody(
        R"({"odata.error":{"code":"C\u006fde","message":{"lang":"en-US","value":"te\"xt"}}})");
    EXPECT_TRUE(error.recognized || failing);
    if (!error.recognized) return;
    EXPECT_EQ(error.code, "Code");
    EXPECT_EQ(error.message, "te\"xt");
  });
}

}  // namespace
}  // namespace aztables
