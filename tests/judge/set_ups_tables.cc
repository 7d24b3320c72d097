// Set-ups of recorded exchanges with tables, their policies and the service properties, and of
// requests that access rules reject or limit.
#include "judge/set_ups.h"

namespace aztables::judge {
namespace {

void Tables(Stage& stage, const std::vector<std::string>& names) {
  for (const std::string& name : names) stage.scene().CreateTable(name);
}

void SetPolicies(Stage& stage, const std::string& xml) {
  Question put;
  put.method = "PUT";
  put.url = "/" + stage.Table() + "?comp=acl";
  put.body = xml;
  stage.scene().Prepare(put, 204);
}

void SetProperties(Stage& stage, const std::string& xml) {
  Question put;
  put.method = "PUT";
  put.url = "/?restype=service&comp=properties";
  put.body = xml;
  stage.scene().Prepare(put, 202);
}

void WithSas(Stage& stage) { stage.question.credential = SignedBy::kSas; }

// Rows 01 and 02 of one partition. The response to the query contains row 01.
void RowsOfTheRange(Stage& stage) {
  stage.CreateTable();
  for (const char* row : {"01", "02"}) {
    stage.Insert(R"({"PartitionKey":"somPartition","RowKey":")" + std::string(row) +
                 R"(","SomeStringProperty":"This is table entity number )" + row + R"("})");
  }
  WithSas(stage);
}

SetUps OfTables() {
  return {
      {"table-create-204", Nothing},
      {"table-create-201", Nothing},
      {"table-create-400-unicode", Nothing},
      {"table-create-400-underscore", Nothing},
      {"table-get-200-nometadata", ItsTable},
      {"table-create-409-exists", ItsTable},
      {"table-delete-204", ItsTable},
      {"table-delete-404", Nothing},
      {"table-get-404-after-delete",
       [](Stage& stage) {
         stage.CreateTable();
         stage.Replay("table-delete-204");
       }},
      {"table-create-409-being-deleted",
       [](Stage& stage) {
         stage.CreateTable();
         stage.scene().DeleteTable(stage.Table());
       }},
      {"tables-list-top2",
       [](Stage& stage) {
         Tables(stage, {"uttable1", "table358619d2", "table01195b113b204be595f426a2aec78bf6",
                        "listtable3f561007"});
       }},
      {"tables-list-next",  // the table that its token names does not exist
       [](Stage& stage) {
         Tables(stage, {"listtable3f561007", "table01195b113b204be595f426a2aec78bf6",
                        "uttable147696b0a84b4d129b92e01c32d61e2c",
                        "uttable260bee0fc9364a258a7b0d2c231adc7e",
                        "tablede242129942d48a9a6c8fb95a1e0b702"});
       }},
      {"tables-filter-top1",
       [](Stage& stage) {
         Tables(stage, {"tableservicetestdata16", "tableservicetestdata17", "atable", "ztable"});
       }},
  };
}

SetUps OfXml() {
  return {
      {"acl-get-empty", ItsTable},
      {"acl-put-policy", ItsTable},
      {"acl-put-400-six", ItsTable},
      {"acl-get-404-xml",
       [](Stage& stage) {
         stage.CreateTable();
         stage.question.credential = SignedBy::kToken;
       }},
      {"acl-get-empty-policy",
       [](Stage& stage) {
         stage.CreateTable();
         SetPolicies(stage,
                     "<SignedIdentifiers><SignedIdentifier><Id>empty</Id><AccessPolicy><Start />"
                     "<Expiry /><Permission /></AccessPolicy></SignedIdentifier>"
                     "</SignedIdentifiers>");
       }},
      {"acl-get-policy",
       [](Stage& stage) {
         stage.CreateTable();
         stage.Replay("acl-put-policy");
       }},
      {"stats-200", [](Stage& stage) { stage.question.secondary = true; }},
      {"properties-get-200",
       [](Stage& stage) {
         SetProperties(stage,
                       "<StorageServiceProperties><HourMetrics><Version>1.0</Version>"
                       "<Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs><RetentionPolicy>"
                       "<Enabled>true</Enabled><Days>7</Days></RetentionPolicy></HourMetrics>"
                       "</StorageServiceProperties>");
       }},
      {"properties-put-202", Nothing},
      {"properties-put-400-retention", Nothing},
  };
}

SetUps OfAccess() {
  return {
      {"auth-403-wrong-key",
       [](Stage& stage) {
         stage.scene().CreateTable("table1");
         MakeBatch(stage.question,
                   {{"POST", "/table1", {}, R"({"PartitionKey":"p","RowKey":"r"})"}});
         stage.question.credential = SignedBy::kWrongKey;
       }},
      {"auth-403-no-authorization-old-version",
       [](Stage& stage) { stage.question.credential = SignedBy::kNone; }},
      {"auth-401-challenge", [](Stage& stage) { stage.question.credential = SignedBy::kNone; }},
      {"auth-403-sas-permission", WithSas},
      {"auth-403-sas-resource-type", WithSas},
      {"sas-account-create-table-201", WithSas},
      {"sas-table-query-200",
       [](Stage& stage) {
         stage.CreateTable();
         stage.Insert(stage.Shown().front());
         WithSas(stage);
       }},
      {"sas-range-query-200",
       [](Stage& stage) {
         stage.CreateTable();
         const Members shown = stage.Shown().front();
         for (const char* row : {"01", "02"}) stage.Insert(With(shown, "RowKey", Quoted(row)));
         WithSas(stage);
       }},
      {"sas-range-get-404", RowsOfTheRange},
  };
}

}  // namespace

SetUps TableSetUps() {
  SetUps all = OfTables();
  all.merge(OfXml());
  all.merge(OfAccess());
  return all;
}

}  // namespace aztables::judge
