// Checks against a real table service that a sample finds a property that the first 5000 of 6000
// entities lack. It needs ten requests at most and counts every entity once.
//
// Here a page has 1000 entities unless it is the last, and a token only if an entity follows. The
// live service may end a page earlier, send empty pages, and send a token at the end.
// tests/unit/table/table_sample_test.cc simulates these.
#include "table/table_sample.h"

#include <algorithm>
#include <string>
#include <vector>

#include "contract_test_base.h"

namespace aztables {
namespace {

class TableSampleContractTest : public ContractTest {
 protected:
  static constexpr size_t kEntities = 6'000;
  static constexpr size_t kLate = 5'000;

  // Inserts entities; those from kLate on have the property Late.
  void Fill(size_t per_partition) {
    std::vector<Entity> entities;
    for (size_t i = 0; i < kEntities; ++i) {
      entities.push_back({"p" + Padded(i / per_partition), Padded(i % per_partition), {}});
      entities.back().properties.push_back({"Number", Value::Int32(static_cast<int32_t>(i))});
      if (i >= kLate) entities.back().properties.push_back({"Late", Value::Double(0.5)});
    }
    Write(entities);
  }
  static std::string Padded(size_t i) {
    const std::string digits = std::to_string(i);
    return std::string(5 - digits.size(), '0') + digits;
  }

  TableSample Sample() {
    const size_t before = requests();
    const auto sample = SampleTable(client(), table_, options_, cancel_);
    EXPECT_TRUE(sample.ok()) << sample.status().message();
    if (!sample.ok()) return {};
    EXPECT_EQ(requests() - before, static_cast<size_t>(sample->requests));
    EXPECT_LE(sample->requests, kMaxSampleRequests);
    return *sample;
  }

  // Requires the table of Fill().
  void ExpectLateIsFound() {
    const TableSample sample = Sample();
    ASSERT_EQ(sample.properties.size(), 2U) << sample.entities << " entities seen";
    EXPECT_LE(sample.entities, kEntities);
    EXPECT_TRUE(!sample.complete || sample.entities == kEntities);
    EXPECT_EQ(sample.properties[0].name, "Number");
    EXPECT_EQ(sample.properties[0].entities, sample.entities);
    EXPECT_EQ(sample.properties[0].example, "0");
    EXPECT_EQ(sample.properties[1].name, "Late");
    EXPECT_EQ(sample.properties[1].example, "0.5");
    EXPECT_EQ(sample.properties[1].types, (std::vector<std::pair<EdmType, size_t>>{
                                              {EdmType::kDouble, sample.properties[1].entities}}));
    if (sample.complete) {
      EXPECT_EQ(sample.properties[1].entities, kEntities - kLate);
    }
  }
};

TEST_F(TableSampleContractTest, SmallPartitions) {
  Fill(60);
  ExpectLateIsFound();
}

TEST_F(TableSampleContractTest, LargePartitions) {
  Fill(1'500);
  ExpectLateIsFound();
}

TEST_F(TableSampleContractTest, OnePartition) {
  Fill(kEntities);
  ExpectLateIsFound();
}

TEST_F(TableSampleContractTest, FewOrNoEntities) {
  TableSample sample = Sample();
  EXPECT_EQ(sample.entities, 0U);
  EXPECT_EQ(sample.requests, 1);
  EXPECT_TRUE(sample.complete);
  Write({{"", "", {{"A", Value::String("x")}}}, {"o'neil", "\xC3\xA9", {{"B", Value::Int64(7)}}}});
  sample = Sample();
  EXPECT_EQ(sample.entities, 2U);
  EXPECT_EQ(sample.requests, 1);
  EXPECT_TRUE(sample.complete);
  ASSERT_EQ(sample.properties.size(), 2U);
  EXPECT_EQ(sample.properties[1].example, "7");
}

TEST_F(TableSampleContractTest, AMissingTable) {
  const auto sample = SampleTable(client(), FreshName(), options_, cancel_);
  ASSERT_FALSE(sample.ok());
  EXPECT_EQ(sample.status().code(), Code::kNotFound) << sample.status().message();
}

}  // namespace
}  // namespace aztables
