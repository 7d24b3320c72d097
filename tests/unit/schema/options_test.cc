// Checks the arguments of CREATE VIRTUAL TABLE: accepted forms, error messages, and that no error
// repeats a possible secret.
#include "schema/options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace aztables {
namespace {

TableDeclaration Parse(const std::vector<std::string>& arguments) {
  TableDeclaration declaration;
  const Status status = ParseDeclaration("movies", arguments, declaration);
  EXPECT_TRUE(status.ok()) << status.message();
  return declaration;
}

std::string ErrorOf(const std::vector<std::string>& arguments) {
  TableDeclaration declaration;
  const Status status = ParseDeclaration("movies", arguments, declaration);
  EXPECT_FALSE(status.ok());
  return std::string(status.message());
}

TEST(OptionsTest, Defaults) {
  const TableOptions options = Parse({}).options;
  EXPECT_EQ(options.table, "movies");
  EXPECT_FALSE(options.table_given);
  EXPECT_EQ(options.connection, "default");
  EXPECT_FALSE(options.read_only);
  EXPECT_FALSE(options.create_missing);
  EXPECT_FALSE(options.mismatch_null);
  EXPECT_EQ(options.pushdown, Pushdown::kAll);
  EXPECT_EQ(options.timeout.count(), 60'000);
  EXPECT_EQ(options.retries, 5);
  EXPECT_EQ(options.scan, ScanRule::kAllow);
  EXPECT_FALSE(options.limits.max_requests);
  EXPECT_FALSE(options.limits.max_entities);
  EXPECT_FALSE(options.limits.max_time);
  EXPECT_EQ(options.infer, TableOptions::kInferAuto);
}

TEST(OptionsTest, Guards) {
  const TableOptions options =
      Parse({"scan=Deny", "max_requests=20", "max_entities=1", "max_seconds='2m'"}).options;
  EXPECT_EQ(options.scan, ScanRule::kDeny);
  EXPECT_EQ(options.limits.max_requests, 20);
  EXPECT_EQ(options.limits.max_entities, 1);
  EXPECT_EQ(options.limits.max_time, std::chrono::milliseconds(120'000));
  const TableOptions none =
      Parse({"scan=warn", "max_requests=none", "max_entities=NONE", "max_seconds=none"}).options;
  EXPECT_EQ(none.scan, ScanRule::kWarn);
  EXPECT_FALSE(none.limits.max_requests);
  EXPECT_FALSE(none.limits.max_entities);
  EXPECT_FALSE(none.limits.max_time);
  for (const char* bad :
       {"scan=no", "max_requests=0", "max_requests=-1", "max_requests=many", "max_entities=1.5",
        "max_seconds=0", "max_seconds=2h", "max_seconds=86401", "max_seconds='1441m'", "infer=0",
        "infer=1501", "infer=yes", "infer="}) {
    EXPECT_NE(ErrorOf({bad}).find(" must be "), std::string::npos) << bad;
  }
}

TEST(OptionsTest, ColumnsToInfer) {
  EXPECT_EQ(Parse({}).InferredColumns(), 300);
  EXPECT_EQ(Parse({"infer=auto"}).InferredColumns(), 300);
  EXPECT_EQ(Parse({"A INT32"}).InferredColumns(), 0);
  EXPECT_EQ(Parse({"A INT32", "infer=auto"}).InferredColumns(), 0);
  EXPECT_EQ(Parse({"A INT32", "infer=20"}).InferredColumns(), 20);
  EXPECT_EQ(Parse({"infer=1500"}).InferredColumns(), 1500);
  EXPECT_EQ(Parse({"infer=off"}).InferredColumns(), 0);
}

TEST(OptionsTest, SplitOption) {
  using Pair = std::pair<std::string, std::string>;
  EXPECT_EQ(SplitOption("SCAN = 'allow'"), Pair("scan", "allow"));
  EXPECT_EQ(SplitOption("timeout=\"2m\""), Pair("timeout", "2m"));
  EXPECT_EQ(SplitOption("a="), Pair("a", ""));
  EXPECT_EQ(SplitOption("refresh"), Pair());
  EXPECT_EQ(SplitOption("=x"), Pair());
  EXPECT_EQ(SplitOption(""), Pair());
}

TEST(OptionsTest, EveryOption) {
  const TableOptions options =
      Parse({"table = 'Movies'", " CONNECTION=prod ", "access=READ", "create=never",
             "mismatch=null", "pushdown=\"keys\"", "timeout='2m'", "retries=0"})
          .options;
  EXPECT_EQ(options.table, "Movies");
  EXPECT_TRUE(options.table_given);
  EXPECT_EQ(options.connection, "prod");
  EXPECT_TRUE(options.read_only);
  EXPECT_TRUE(options.mismatch_null);
  EXPECT_EQ(options.pushdown, Pushdown::kKeys);
  EXPECT_EQ(options.timeout.count(), 120'000);
  EXPECT_EQ(options.retries, 0);
  EXPECT_TRUE(Parse({"create=missing"}).options.create_missing);
  EXPECT_EQ(Parse({"timeout=7"}).options.timeout.count(), 7'000);
  EXPECT_EQ(Parse({"timeout='7s'"}).options.timeout.count(), 7'000);
  EXPECT_TRUE(Parse({"on_error=continue", "bulk=on"}).options.continue_on_error);
  EXPECT_TRUE(Parse({"bulk=on", "atomic=egt"}).options.bulk);
  EXPECT_FALSE(Parse({"bulk=off", "on_error=stop", "atomic=strict"}).options.bulk);
  EXPECT_EQ(Parse({"connection=env:MY_VAR"}).options.connection, "env:MY_VAR");
  EXPECT_EQ(Parse({"connection='file:/run/a b'"}).options.connection, "file:/run/a b");
  EXPECT_EQ(Parse({"connection='UseDevelopmentStorage=true'"}).options.connection,
            "UseDevelopmentStorage=true");
}

TEST(OptionsTest, InvalidValuesNameWhatIsValid) {
  EXPECT_EQ(ErrorOf({"access=maybe"}), "option access must be write or read, not maybe");
  EXPECT_EQ(ErrorOf({"create=yes"}), "option create must be never or missing, not yes");
  EXPECT_EQ(ErrorOf({"bulk=maybe"}), "option bulk must be on or off, not maybe");
  EXPECT_EQ(ErrorOf({"on_error=skip"}), "option on_error must be stop or continue, not skip");
  EXPECT_EQ(ErrorOf({"on_error=continue"}), "on_error=continue needs bulk=on");
  for (const char* atomic : {"atomic=partition", "atomic=strict"}) {
    EXPECT_EQ(ErrorOf({"bulk=on", atomic}),
              "bulk=on contradicts atomic=partition and atomic=strict: it sends before COMMIT");
  }
  EXPECT_EQ(ErrorOf({"mismatch=x"}), "option mismatch must be error or null, not x");
  EXPECT_EQ(ErrorOf({"pushdown=some"}), "option pushdown must be all or keys or none, not some");
  for (const char* bad : {"timeout=0", "timeout=-1", "timeout=x", "timeout=", "timeout='61m'",
                          "timeout=3601", "timeout='1h'", "timeout=1.5"}) {
    EXPECT_TRUE(ErrorOf({bad}).starts_with("option timeout must be a time from 1s to 60m")) << bad;
  }
  for (const char* bad : {"retries=-1", "retries=21", "retries=x", "retries="}) {
    EXPECT_TRUE(ErrorOf({bad}).starts_with("option retries must be a number from 0 to 20")) << bad;
  }
  EXPECT_EQ(ErrorOf({"table=A", "TABLE=B"}), "option table is given twice");
  EXPECT_NE(ErrorOf({"table="}).find("is not a valid table name"), std::string::npos);
  EXPECT_NE(
      ErrorOf({"colour=red"})
          .find("the options are: access, atomic, batch, bulk, compare, concurrency, connection, "
                "create, infer, max_entities, max_pending, max_requests, max_seconds, "
                "mismatch, on_error, parallel, pushdown, retries, scan, settle, table, timeout, "
                "upsert"),
      std::string::npos);
}

TEST(OptionsTest, NothingThatMayBeSecretIsRepeated) {
  std::string secret;  // as long as an account key
  while (secret.size() < 86) secret += "c2VjcmV0";
  for (const std::string& bad : {"connection='AccountName=a;AccountKey=" + secret + "'",
                                 "AccountKey=" + secret,
                                 "key=" + secret,
                                 "SharedAccessSignature='sig=" + secret + "'",
                                 "'AccountName=a;AccountKey=" + secret + "'",
                                 "connection 'AccountName=a;AccountKey=" + secret + "'",
                                 secret + "==",
                                 "x " + secret,
                                 "x INT32 '" + secret + "'",
                                 "x INT32 PROPERTY '" + secret + "/'",
                                 "access=" + secret,
                                 "timeout=" + secret,
                                 "\"" + secret + "==\" INT32",
                                 "'" + secret + "'",
                                 "'AccountKey=" + secret + "=='",
                                 "'table=" + secret + "'",
                                 "bulk " + secret,
                                 "table:" + secret,
                                 "connection:AccountKey=" + secret,
                                 "scan=deny x " + secret + " INT32",
                                 "scan=deny " + secret + " INT32",
                                 "table=a." + secret + "="}) {
    EXPECT_EQ(ErrorOf({bad}).find(secret.substr(0, 12)), std::string::npos) << ErrorOf({bad});
  }
  EXPECT_NE(ErrorOf({"AccountKey=x"}).find("write connection=NAME"), std::string::npos);
}

TEST(OptionsTest, OnAndOffInAnyWords) {
  for (const char* on : {"bulk=on", "bulk=YES", "bulk=True", "bulk=1", "bulk = 'on'"}) {
    EXPECT_TRUE(Parse({on}).options.bulk) << on;
  }
  for (const char* off : {"bulk=off", "bulk=No", "bulk=FALSE", "bulk=0"}) {
    EXPECT_FALSE(Parse({off}).options.bulk) << off;
  }
}

TEST(OptionsTest, ABudgetOfADay) {
  EXPECT_EQ(Parse({"max_seconds=86400"}).options.limits.max_time, std::chrono::hours(24));
  EXPECT_EQ(Parse({"max_seconds='1440m'"}).options.limits.max_time, std::chrono::hours(24));
  EXPECT_EQ(Parse({"max_seconds='3601s'"}).options.limits.max_time, std::chrono::seconds(3601));
}

TEST(OptionsTest, TheConnectionBeforeTheTable) {
  for (const auto& arguments : {std::vector<std::string>{"table=prod.Orders"},
                                {"table='prod.Orders'", "connection=prod"},
                                {"connection=prod", "table=prod.Orders"}}) {
    const TableOptions options = Parse(arguments).options;
    EXPECT_EQ(options.table, "Orders");
    EXPECT_EQ(options.connection, "prod");
  }
  for (const auto& arguments : {std::vector<std::string>{"table=prod.Orders", "connection=test"},
                                {"connection=test", "table=prod.Orders"},
                                {"connection=default", "table=prod.Orders"}}) {
    EXPECT_EQ(ErrorOf(arguments),
              "table=prod.Orders names another connection than the option connection: leave one "
              "of the two out");
  }
  EXPECT_EQ(ErrorOf({"table=" + std::string(60, 'k') + ".Orders", "connection=test"})
                .find("table=CONNECTION.NAME names another connection"),
            0u);
  EXPECT_NE(ErrorOf({"table='a b.Orders'"}).find("before the dot"), std::string::npos);
  EXPECT_NE(ErrorOf({"table=prod."}).find("is not a valid table name"), std::string::npos);
}

TEST(OptionsTest, AMissingComma) {
  const std::string option = "a comma is missing before the option ";
  const std::string column = "a comma is missing before the column ";
  EXPECT_EQ(ErrorOf({"table=Orders connection=prod"}), option + "connection");
  EXPECT_EQ(ErrorOf({"table = 'Orders' CONNECTION = prod"}), option + "connection");
  EXPECT_EQ(ErrorOf({"Amount DOUBLE scan=deny"}), option + "scan");
  EXPECT_EQ(ErrorOf({"Amount scan=deny"}), option + "scan");
  EXPECT_EQ(ErrorOf({"Amount DOUBLE Paid BOOLEAN"}), column + "'Paid'");
  EXPECT_EQ(ErrorOf({"Amount Paid BOOLEAN"}), column + "'Paid'");
  EXPECT_EQ(ErrorOf({"A VARCHAR(9) \"B c\" TEXT"}), column + "'B c'");
  EXPECT_EQ(ErrorOf({"A INT32 PROPERTY 'x' B INT64"}), column + "'B'");
  EXPECT_EQ(ErrorOf({"timeout='60s' Amount DOUBLE"}), column + "'Amount'");
  const std::string word = "a comma is missing before ";
  EXPECT_EQ(ErrorOf({"connection=demo A"}), word + "'A'");
  EXPECT_EQ(ErrorOf({"scan=deny\nA"}), word + "'A'");
  EXPECT_EQ(ErrorOf({"retries=3 'A b'"}), word + "'A b'");
  EXPECT_EQ(ErrorOf({"scan='deny A'"}), "option scan must be allow or warn or deny, not 'deny A'");
  EXPECT_EQ(Parse({"connection=file:/run/a b"}).options.connection, "file:/run/a b");
  EXPECT_EQ(Parse({"timeout=60 s"}).options.timeout, std::chrono::seconds(60));
  EXPECT_EQ(Parse({"A TEXT PROPERTY Any"}).schema.properties[0].property, "Any");
}

TEST(OptionsTest, ATextInQuotesAlone) {
  for (const char* alone : {"'Orders'", "\"Orders\"", "`Orders`", "[Orders]"}) {
    EXPECT_EQ(ErrorOf({alone}),
              "'Orders' is neither an option nor a column: write table=Orders for the remote "
              "table, or Orders ANY for a column");
  }
  for (const char* dotted : {"'prod.Orders'", "prod.Orders"}) {
    EXPECT_EQ(ErrorOf({dotted}),
              "'prod.Orders' is neither an option nor a column: write table=prod.Orders for the "
              "remote table");
  }
  for (const char* quoted : {"\"table\"=Orders", "'table' = Orders", "[table]='Orders'"}) {
    EXPECT_EQ(ErrorOf({quoted}), "the option table is in quotes: write table=Orders");
  }
  EXPECT_EQ(ErrorOf({"'table=Orders'"}), "the option table is in quotes: write table=Orders");
  EXPECT_EQ(ErrorOf({"'timeout=10s'"}), "the option timeout is in quotes: write timeout='10s'");
  EXPECT_EQ(ErrorOf({"timeout '10s'"}), "the option timeout needs '=': write timeout='10s'");
  EXPECT_EQ(ErrorOf({"batch '10'"}), "the option batch needs '=': write batch=10");
  const std::string long_word(65, 'k');
  for (const char* place : {"connection=", "table="}) {
    EXPECT_EQ(ErrorOf({place + long_word + ".Orders"}).find(long_word), std::string::npos) << place;
  }
  EXPECT_EQ(ErrorOf({"'has blank'"}),
            "'has blank' is neither an option nor a column: write table=NAME for the remote "
            "table, or NAME ANY for a column");
  EXPECT_EQ(Parse({"\"Orders\" ANY"}).schema.properties[0].name, "Orders");
}

TEST(OptionsTest, AnOptionWithoutEquals) {
  EXPECT_EQ(ErrorOf({"connection prod"}), "the option connection needs '=': write connection=prod");
  EXPECT_EQ(ErrorOf({"Scan 'deny'"}), "the option scan needs '=': write scan=deny");
  EXPECT_EQ(ErrorOf({"table:Good"}), "the option table needs '=', not ':': write table=Good");
  EXPECT_EQ(ErrorOf({"retries: 3"}), "the option retries needs '=', not ':': write retries=0..20");
  EXPECT_EQ(ErrorOf({"bulk"}),
            "the option bulk has no value: write bulk=on, or bulk ANY for a column of that name");
  EXPECT_EQ(ErrorOf({"other:Good"}),
            "'other:Good' is not a valid property name: letters, digits and _ only, no digit "
            "first; write: "
            "name TYPE PROPERTY 'Remote'");
  for (const char* column :
       {"scan INT32", "table PROPERTY 'T'", "bulk ANY", "timeout varchar(9)"}) {
    EXPECT_EQ(Parse({column}).schema.properties.size(), 1u) << column;
  }
}

TEST(OptionsTest, ColumnsOfEveryTypeAndSynonym) {
  const struct {
    const char* type;
    EdmType expected;
  } kCases[] = {{"STRING", EdmType::kString},      {"text", EdmType::kString},
                {"VARCHAR(20)", EdmType::kString}, {"varchar (20)", EdmType::kString},
                {"INT32", EdmType::kInt32},        {"INT", EdmType::kInt32},
                {"INT64", EdmType::kInt64},        {"INTEGER", EdmType::kInt64},
                {"BigInt", EdmType::kInt64},       {"DOUBLE", EdmType::kDouble},
                {"REAL", EdmType::kDouble},        {"FLOAT", EdmType::kDouble},
                {"BOOLEAN", EdmType::kBoolean},    {"BOOL", EdmType::kBoolean},
                {"DATETIME", EdmType::kDateTime},  {"TIMESTAMP", EdmType::kDateTime},
                {"GUID", EdmType::kGuid},          {"UUID", EdmType::kGuid},
                {"BINARY", EdmType::kBinary},      {"BLOB", EdmType::kBinary},
                {"ANY", EdmType::kNull},           {"", EdmType::kNull}};
  for (const auto& test : kCases) {
    const Schema schema = Parse({"Prop " + std::string(test.type)}).schema;
    ASSERT_EQ(schema.properties.size(), 1u) << test.type;
    EXPECT_EQ(schema.properties[0].type, test.expected) << test.type;
    EXPECT_EQ(schema.properties[0].name, "Prop");
    EXPECT_EQ(schema.properties[0].property, "Prop");
  }
}

TEST(OptionsTest, NamesAndMappings) {
  const Schema schema = Parse({"\"order\" INT32 PROPERTY 'Order'", "[a b] STRING property AB",
                               "`c``d` PROPERTY 'x'", "Größe DOUBLE", "again STRING PROPERTY 'AB'"})
                            .schema;
  ASSERT_EQ(schema.properties.size(), 5u);
  EXPECT_EQ(schema.properties[0].name, "order");
  EXPECT_EQ(schema.properties[0].property, "Order");
  EXPECT_EQ(schema.properties[1].name, "a b");
  EXPECT_EQ(schema.properties[1].property, "AB");
  EXPECT_EQ(schema.properties[2].name, "c`d");
  EXPECT_EQ(schema.properties[3].property, "Größe");
  EXPECT_EQ(schema.properties[4].property, "AB");
}

TEST(OptionsTest, RefusedColumns) {
  for (const char* bad : {"A NUMERIC",
                          "A INT32 NOT NULL",
                          "A INT32 PRIMARY KEY",
                          "A 'INT32'",
                          "A PROPERTY",
                          "A INT32 PROPERTY 'B' C",
                          "'unterminated",
                          "PartitionKey STRING",
                          "rowkey",
                          "timestamp DATETIME",
                          "_etag STRING",
                          "_ENTITY ANY",
                          "_command",
                          "rowid INT64",
                          "OID",
                          "_rowid_",
                          "\"a b\"",
                          "\"1a\" INT32",
                          "A STRING PROPERTY 'PartitionKey'",
                          "A STRING PROPERTY 'a-b'",
                          "\"\" INT32"}) {
    EXPECT_FALSE(ErrorOf({bad}).empty()) << bad;
  }
  EXPECT_NE(ErrorOf({"A INT32", "a STRING"}).find("PROPERTY 'a'"), std::string::npos);
  EXPECT_NE(ErrorOf({"_etag STRING"}).find("other_name STRING PROPERTY '_etag'"),
            std::string::npos);
}

TEST(OptionsTest, WhatWasUnderstoodBeforeAnErrorIsKept) {
  TableDeclaration declaration;
  const Status status = ParseDeclaration(
      "movies", {"connection=prod", "A INT32", "bad NUMERIC", "B STRING"}, declaration);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(declaration.options.connection, "prod");
  ASSERT_EQ(declaration.schema.properties.size(), 2u);
}

}  // namespace
}  // namespace aztables
