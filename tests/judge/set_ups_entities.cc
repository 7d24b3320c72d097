// Set-ups of recorded exchanges with single entities.
#include <regex>

#include "base/encoding.h"
#include "judge/set_ups.h"

namespace aztables::judge {
namespace {

// The table, with the entity of the response.
void TheShown(Stage& stage) {
  stage.CreateTable();
  stage.Insert(stage.Shown().front());
}

// The same entity, last written by a PUT, which sorts the properties.
void ThePut(Stage& stage) {
  stage.CreateTable();
  stage.PutReversed(stage.Shown().front());
}

// The table, with an entity that has the keys of the request.
void TheStandard(Stage& stage) {
  stage.CreateTable();
  stage.Insert(stage.StandardEntity());
}

SetUp After(const std::string& id) {
  return [id](Stage& stage) {
    TheStandard(stage);
    stage.Replay(id);
  };
}

void SendTheShown(Stage& stage) {
  stage.CreateTable();
  stage.question.headers.Set("Prefer", "return-content");
  stage.question.body = ToJson(stage.Shown().front());
}

// Takes the keys from the header Location.
void SendKeysOfLocation(Stage& stage) {
  stage.CreateTable();
  const std::string location(stage.recorded().headers.Get("Location"));
  std::smatch match;
  ASSERT_TRUE(std::regex_search(location, match, std::regex("='([^']*)',RowKey='([^']*)'")));
  stage.question.headers.Set("Prefer", "return-no-content");
  stage.question.body = ToJson({{"PartitionKey", Quoted(PercentDecode(match[1].str()))},
                                {"RowKey", Quoted(PercentDecode(match[2].str()))}});
}

// The properties key0 to key254, as the shortened request describes them.
void SendTooManyProperties(Stage& stage) {
  stage.CreateTable();
  Members members = {{"PartitionKey", Quoted("p")}, {"RowKey", Quoted("r")}};
  for (int i = 0; i < 255; ++i) {
    members.emplace_back("key" + std::to_string(i), Quoted("value" + std::to_string(i)));
  }
  stage.question.body = ToJson(members);
}

void SendTooLongName(Stage& stage) {
  stage.CreateTable();
  stage.question.body = ToJson({{"PartitionKey", Quoted("p")},
                                {"RowKey", Quoted("r")},
                                {std::string(256, 'a'), Quoted("badval")}});
}

SetUps OfWrites() {
  return {
      {"entity-insert-204", ItsTable},
      {"entity-insert-409", TheStandard},
      {"entity-insert-empty-pk", ItsTable},
      {"entity-insert-empty-rk", ItsTable},
      {"entity-insert-201-return-content", SendTheShown},
      {"entity-insert-unicode-keys", SendKeysOfLocation},
      {"entity-insert-201", ItsTable},
      {"entity-insert-odd-keys", ItsTable},
      {"entity-insert-400-too-many-properties", SendTooManyProperties},
      {"entity-insert-400-property-name-too-long", SendTooLongName},
      {"entity-insert-400-no-keys", ItsTable},
      {"entity-insert-201-datetime", ItsTable},
      {"entity-insert-double-string", ItsTable},
      {"entity-delete-204", TheStandard},
      {"entity-delete-404", ItsTable},
      {"entity-delete-412", TheStandard},
      {"entity-merge-204", TheStandard},
      {"entity-merge-404", ItsTable},
      {"entity-merge-412", TheStandard},
      {"entity-update-204", TheStandard},
      {"entity-update-412", TheStandard},
      {"entity-upsert-merge-204", TheStandard},
      {"entity-upsert-replace-204", TheStandard},
      {"upsert-patch-204", ItsTable},
  };
}

SetUps OfReads() {
  return {
      {"entity-get-minimal",
       [](Stage& stage) {
         stage.CreateTable();
         stage.Replay("entity-insert-204");
       }},
      {"entity-get-full", TheShown},
      {"entity-get-nometadata", TheStandard},
      {"entity-get-select-null", TheStandard},
      {"entity-get-special-doubles", TheShown},
      {"entity-get-null-dropped",
       [](Stage& stage) {
         stage.CreateTable();
         Members entity = stage.Shown().front();
         entity.emplace_back("NoneValue", "null");
         stage.Insert(entity);
       }},
      {"entity-get-empty-strings", TheShown},
      {"entity-get-404", ItsTable},
      {"entity-get-after-upsert-merge", After("entity-upsert-merge-204")},
      {"entity-get-after-upsert-replace", After("entity-upsert-replace-204")},
      {"entity-get-double-exponent",
       [](Stage& stage) {
         stage.CreateTable();
         stage.Replay("entity-insert-double-string");
       }},
      {"entity-put-nan-sorted", ThePut},
      {"quotes-get", ThePut},
      {"get-empty-rk", TheShown},
      {"entity-get-format-over-accept",  // the recording does not contain its query
       [](Stage& stage) {
         std::string& url = stage.question.url;
         url = url.substr(0, url.find('?')) +
               "?$format=application%2Fjson%3Bodata%3Dfullmetadata&$select=Test";
         stage.CreateTable();
         stage.Insert(R"({"PartitionKey":"partitionkey419511","RowKey":"rowkey9874194fc",)"
                      R"("Test":"Value","Other":1})");
       }},
  };
}

}  // namespace

SetUps EntitySetUps() {
  SetUps all = OfWrites();
  all.merge(OfReads());
  return all;
}

}  // namespace aztables::judge
