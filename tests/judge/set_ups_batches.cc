// Set-ups of recorded batches. If the recording does not contain the body of the request, the
// set-up derives it from the response.
#include "judge/set_ups.h"

namespace aztables::judge {
namespace {

const std::string kType = "Content-Type: application/json";
const std::string kAccept = "Accept: application/json;odata=minimalmetadata";
const std::string kSilent = "Prefer: return-no-content";

std::string Keys(const std::string& row, const std::string& partition = "001") {
  return ToJson({{"PartitionKey", Quoted(partition)}, {"RowKey", Quoted(row)}});
}

AskedOperation Insertion(const Stage& stage, const std::string& entity) {
  return {"POST", "/" + stage.Table(), {kType, kAccept, kSilent}, entity};
}

AskedOperation OnRow(const Stage& stage, const std::string& method, const std::string& row) {
  AskedOperation operation;
  operation.method = method;
  operation.url = "/" + stage.Table() + "(PartitionKey='001',RowKey='" + row + "')";
  operation.headers = {kAccept, "If-Match: *"};
  if (method != "DELETE" && method != "GET") operation.body = Keys(row);
  return operation;
}

// For a recording without a request, the test chooses the table's name.
std::vector<AskedOperation> Insertions(const Stage& stage, size_t count) {
  std::vector<AskedOperation> operations;
  for (size_t i = 0; i < count; ++i) {
    operations.push_back(Insertion(stage, Keys("item" + std::to_string(i))));
  }
  return operations;
}

SetUps OfSuccesses() {
  return {
      {"batch-empty-changeset", Nothing},
      {"batch-insert-1", ItsTable},
      {"batch-all-ops",
       [](Stage& stage) {
         stage.CreateTable();
         for (const char* end : {"-1", "-2", "-3", "-4"}) {
           stage.Insert(Keys("batch_all_operations_together" + std::string(end), "003"));
         }
       }},
      {"batch-201-echo",
       [](Stage& stage) {
         stage.CreateTable();
         std::vector<AskedOperation> operations;
         for (const Members& entity : stage.Shown()) {
           AskedOperation& operation = operations.emplace_back(Insertion(stage, ToJson(entity)));
           operation.headers.back() = "Prefer: return-content";
           if (operations.size() > 1) {
             operation.headers.push_back("Content-ID: " + std::to_string(operations.size() - 1));
           }
         }
         EXPECT_GE(operations.size(), 3U);
         MakeBatch(stage.question, operations);
       }},
      {"batch-get-200",
       [](Stage& stage) {
         stage.CreateTable();
         stage.Insert(stage.Shown().front());
         MakeBatch(stage.question, {{"GET",
                                     stage.scene().BaseUrl() + "/" + stage.Table() +
                                         "(PartitionKey='partition1',RowKey='row1')",
                                     {kAccept},
                                     ""}});
       }},
      {"batch-empty-keys-patch",
       [](Stage& stage) {
         stage.CreateTable();
         stage.Insert(Keys("", ""));
       }},
  };
}

SetUps OfFailures() {
  return {
      {"batch-412-single",
       [](Stage& stage) {
         stage.CreateTable();
         stage.Insert(Keys("rk3741440", "pk3741440"));
       }},
      {"batch-get-404",
       [](Stage& stage) {
         stage.CreateTable();
         MakeBatch(stage.question, {OnRow(stage, "GET", "missing")});
       }},
      {"batch-409-first",
       [](Stage& stage) {
         stage.CreateTable();
         stage.Insert(Keys("item0"));
         MakeBatch(stage.question, Insertions(stage, 1));
       }},
      {"batch-duplicate-row",
       [](Stage& stage) {
         stage.CreateTable();
         std::vector<AskedOperation> operations = Insertions(stage, 1);
         operations.push_back(OnRow(stage, "MERGE", "item0"));
         operations.back().headers.emplace_back("Content-ID: 1");
         MakeBatch(stage.question, operations);
       }},
      {"batch-400-too-many",
       [](Stage& stage) {
         stage.CreateTable();
         MakeBatch(stage.question, Insertions(stage, 101));
       }},
      {"batch-404-table", Nothing},
      {"batch-404-table-three-ops",
       [](Stage& stage) { MakeBatch(stage.question, Insertions(stage, 3)); }},
      {"batch-404-single-delete", ItsTable},
      {"batch-404-index-1",
       [](Stage& stage) {
         stage.CreateTable();
         std::vector<AskedOperation> operations = Insertions(stage, 1);
         operations.push_back(OnRow(stage, "DELETE", "missing"));
         MakeBatch(stage.question, operations);
       }},
      {"batch-400-mixed-partitions",
       [](Stage& stage) {
         stage.CreateTable();
         std::vector<AskedOperation> operations = Insertions(stage, 1);
         operations.push_back(Insertion(stage, Keys("item1", "002")));
         MakeBatch(stage.question, operations);
       }},
      {"batch-409-index-3",
       [](Stage& stage) {
         stage.CreateTable();
         stage.Insert(Keys("item3"));
         MakeBatch(stage.question, Insertions(stage, 4));
       }},
  };
}

}  // namespace

SetUps BatchSetUps() {
  SetUps all = OfSuccesses();
  all.merge(OfFailures());
  return all;
}

}  // namespace aztables::judge
