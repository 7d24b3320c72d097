// Set-ups of recorded queries: the entities of the response, and entities that must not be in it.
#include "judge/set_ups.h"

namespace aztables::judge {
namespace {

void AllShown(Stage& stage) {
  stage.CreateTable();
  for (const Members& entity : stage.Shown()) stage.Insert(entity);
}

// The entities of the response, and other ones.
SetUp ShownBeside(const std::vector<std::string>& others) {
  return [others](Stage& stage) {
    AllShown(stage);
    for (const std::string& other : others) stage.Insert(other);
  };
}

// Copies of the first entity of the response, with these row keys.
SetUp CopiesInRows(const std::vector<std::string>& rows) {
  return [rows](Stage& stage) {
    stage.CreateTable();
    const Members first = stage.Shown().front();
    for (const std::string& row : rows) stage.Insert(With(first, "RowKey", Quoted(row)));
  };
}

// The entities of the response, and copies of the first one with other values of `property`.
SetUp CopiesWith(const std::string& property, const std::vector<std::string>& values) {
  return [property, values](Stage& stage) {
    AllShown(stage);
    const Members first = stage.Shown().front();
    for (size_t i = 0; i < values.size(); ++i) {
      stage.Insert(
          With(With(first, "RowKey", Quoted("copy" + std::to_string(i))), property, values[i]));
    }
  };
}

// rk1 to rk20 of the table that several queries read.
void TwentyStreets(Stage& stage) {
  stage.CreateTable();
  for (int i = 20; i > 0; --i) {
    const std::string number = std::to_string(i);
    stage.Insert(ToJson({{"PartitionKey", R"("partition1-ô- -'-\"-%20-%27-pk")"},
                         {"RowKey", R"("row-ô- -''-\"-%20-%27-rk)" + number + "\""},
                         {"Address", Quoted("street" + number)},
                         {"Name", Quoted("jennifer" + number)}}));
  }
}

constexpr const char* kOtherTypes =
    R"({"PartitionKey":"1","RowKey":"4","Int32Value":124,"DoubleValue":123.46,"BoolValue":true,)"
    R"("StringValue":"Mystring","DateValue":"2012-11-10T03:04:05.2000001Z",)"
    R"("DateValue@odata.type":"Edm.DateTime","GuidValue":"debc44d5-04a9-42ea-ab2f-4e2cb49ff834",)"
    R"("GuidValue@odata.type":"Edm.Guid","Int64Value":"4294967297",)"
    R"("Int64Value@odata.type":"Edm.Int64","BinaryValue":"AQIz",)"
    R"("BinaryValue@odata.type":"Edm.Binary"})";

SetUps OfPages() {
  return {
      {"query-unicode-name",
       ShownBeside({R"({"PartitionKey":"pk9990123d","RowKey":"of another partition"})"})},
      {"query-empty", ItsTable},
      {"query-select",
       [](Stage& stage) {
         stage.CreateTable();
         stage.Insert(stage.StandardEntity("pkfcf31465", "rkfcf314651"));
         stage.Insert(stage.StandardEntity("pkfcf31465", "rkfcf3146512"));
       }},
      {"query-top2-page1", CopiesInRows({"rk801016e81", "rk801016e812", "rk801016e8123",
                                         "rk801016e81234", "rk801016e812345"})},
      {"query-top2-page3", CopiesInRows({"rk801016e81", "rk801016e812", "rk801016e8123",
                                         "rk801016e81234", "rk801016e812345"})},
      {"query-full", CopiesInRows({"rk264f151d1", "rk264f151d12"})},
      {"query-select-empty",
       [](Stage& stage) {
         AllShown(stage);
         const Members first = stage.Shown().front();
         for (const char* end : {"3", "4", "5"}) {
           const std::string row = "batch_all_operations_together-" + std::string(end);
           stage.Insert(With(first, "RowKey", Quoted(row)));
         }
         stage.Insert(With(first, "PartitionKey", Quoted("004")));
       }},
      {"query-top9-page2", TwentyStreets},
      {"query-select-keys", TwentyStreets},
      {"query-select-one", TwentyStreets},
      {"query-surrogates", AllShown},
  };
}

SetUps OfFilters() {
  const std::vector<std::string> rows = {
      R"({"PartitionKey":"foo","RowKey":"bar1","IsAdmin":"admin"})",
      R"({"PartitionKey":"foo","RowKey":"bar2","IsAdmin":""})",
      R"({"PartitionKey":"fox","RowKey":"bar1","IsAdmin":"admin"})",
      R"({"PartitionKey":"fox","RowKey":"bar2","IsAdmin":""})"};
  const auto users = [rows](Stage& stage) {
    stage.CreateTable();
    for (const std::string& row : rows) stage.Insert(row);
  };
  SetUps all;
  for (const char* type : {"string-eq", "datetime-eq", "bool-eq", "int32-eq", "double-eq",
                           "int64-eq-L", "guid-eq", "binary-eq-X"}) {
    all.emplace("filter-" + std::string(type), ShownBeside({kOtherTypes}));
  }
  all.merge(SetUps{
      {"filter-special-chars", TwentyStreets},
      {"filter-int32-lt", CopiesWith("age", {"49", "40"})},
      {"filter-double-lt", CopiesWith("ratio", {"5.2", "4.1"})},
      {"filter-int64-absent", ShownBeside({R"({"PartitionKey":"pk001","RowKey":"rk002"})",
                                           R"({"PartitionKey":"pk001","RowKey":"rk003","a":1})"})},
      {"filter-invalid-400", ItsTable},
      {"filter-and", users},
      {"filter-or-and-precedence", users},
      {"filter-double-encoded", users},
      {"filter-odd-chars",
       ShownBeside({R"({"PartitionKey":":@","RowKey":"+,$","Chars":"?'/!_^#"})",
                    R"({"PartitionKey":":@","RowKey":"=&","Chars":"?\"\\{}<>%"})"})},
      {"filter-datetime-lt",
       CopiesWith("date", {"\"2019-07-10T19:00:00Z\"", "\"2019-07-10T19:00:00.001Z\""})},
      {"filter-not",
       [](Stage& stage) {
         AllShown(stage);
         const Members first = stage.Shown().front();
         stage.Insert(With(first, "RowKey", Quoted("0001")));
         stage.Insert(With(first, "PartitionKey", Quoted("somOtherPartition")));
       }},
      {"filter-int64-ge-L", CopiesWith("Int64", {"\"2147483649\"", "\"2147483648\""})},
      {"filter-contradiction",
       [](Stage& stage) {
         stage.CreateTable();
         stage.Insert(R"({"PartitionKey":"somPartition","RowKey":"1"})");
         stage.Insert(R"({"PartitionKey":"somPartition2","RowKey":"1"})");
       }},
  });
  return all;
}

}  // namespace

SetUps QuerySetUps() {
  SetUps all = OfPages();
  all.merge(OfFilters());
  return all;
}

}  // namespace aztables::judge
