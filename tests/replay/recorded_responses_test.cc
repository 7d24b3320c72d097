// Feeds every recorded response of the live service to the client's reader for it. Compares the
// result with a second implementation of the rules. Counts the exchanges of each reader, and those
// without one.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/key.h"
#include "odata/batch/batch.h"
#include "odata/entity_page.h"
#include "odata/entity_reader.h"
#include "odata/json_writer.h"
#include "odata/response_body.h"
#include "replay/expected_entity.h"
#include "replay/recordings.h"
#include "unit/odata/show_cell.h"

namespace aztables::replay {
namespace {

using testing_support::Show;

class RecordedResponsesTest : public RecordingsTest {
 protected:
  // A body without metadata has no ETag. Otherwise its ETag equals the header.
  void CheckEntities(const std::string& body, bool query, std::string_view etag_header) {
    const std::vector<ExpectedEntity> expected = ExpectEntities(body, query);
    std::set<std::string> names;
    for (const ExpectedEntity& entity : expected) {
      for (const auto& [name, shown] : entity.shown) names.insert(name);
    }
    for (const char* built_in : {"PartitionKey", "RowKey", "Timestamp"}) names.erase(built_in);
    const std::vector<std::string> projection(names.begin(), names.end());
    EntityPage page({projection, true});
    const Status status = query ? page.ReadQuery(body) : page.ReadEntity(body);
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(page.size(), expected.size());
    for (size_t row = 0; row < page.size(); ++row) {
      CheckRow(page, row, projection, expected[row]);
      if (!etag_header.empty() && !expected[row].etag.empty()) {
        EXPECT_EQ(page.At(row, EntityPage::kEtag).view(), etag_header);
      }
    }
  }

  void CheckError(const std::string& body, std::string_view code_header) {
    const bool is_xml = body.find("<m:error") != std::string::npos;
    std::string code;
    std::string value;
    if (is_xml) {
      code = Between(body, "<m:code>", "</m:code>");
      value = Between(body, "<m:message xml:lang=\"en-US\">", "</m:message>");
    } else {
      simdjson::dom::parser parser;
      simdjson::dom::element json;
      ASSERT_EQ(parser.parse(body).get(json), simdjson::SUCCESS) << body;
      code = std::string(std::string_view(json["odata.error"]["code"]));
      value = std::string(std::string_view(json["odata.error"]["message"]["value"]));
    }
    std::string line = value.substr(0, value.find('\n'));
    int index = -1;
    if (line.size() > 2 && line[0] >= '0' && line[0] <= '9') {
      index = std::stoi(line);
      line = line.substr(line.find(':') + 1);
    }
    const ErrorBody error = ReadErrorBody(body);
    EXPECT_TRUE(error.recognized);
    EXPECT_EQ(error.code, code);
    EXPECT_EQ(error.message, line);
    EXPECT_EQ(error.operation_index, index);
    EXPECT_FALSE(code.empty());
    EXPECT_FALSE(line.empty());
    if (!code_header.empty()) {
      EXPECT_EQ(code, code_header);
    }
    EXPECT_EQ(error.message.find("RequestId"), std::string::npos);
  }

  void CheckTables(const std::string& body) {
    const auto names = ReadTableNames(body);
    ASSERT_TRUE(names.ok()) << names.status().message();
    std::vector<std::string> expected;
    for (const ExpectedEntity& table : ExpectEntities(body, true)) {
      expected.push_back(table.shown.at("TableName").substr(std::string("Edm.String ").size()));
    }
    EXPECT_EQ(*names, expected);
    EXPECT_FALSE(names->empty());
  }

  // Counts the parts between status lines by a text search.
  void CheckBatch(const std::string& content_type, const std::string& body) {
    constexpr std::string_view kStatusLine = "\r\n\r\nHTTP/1.1 ";
    const auto parts = DecodeBatch(content_type, body);
    ASSERT_TRUE(parts.ok()) << parts.status().message();
    size_t count = 0;
    for (size_t at = body.find(kStatusLine); at != std::string::npos; ++count) {
      const size_t next = body.find(kStatusLine, at + 1);
      const std::string text = body.substr(at + kStatusLine.size(), next - at);
      ASSERT_LT(count, parts->size());
      const BatchPart& part = (*parts)[count];
      EXPECT_EQ(part.status, std::stoi(text));
      EXPECT_EQ(part.etag, Between(text, "\r\nETag: ", "\r\n"));
      EXPECT_EQ(part.body.empty(), text.find('{') == std::string::npos);
      if (!part.body.empty()) {
        EXPECT_NE(text.find("\r\n\r\n" + part.body + "\r\n--"), std::string::npos) << part.body;
        if (part.status >= 400) {
          CheckError(part.body, "");
        } else {
          CheckEntities(part.body, false, part.etag);
        }
      }
      at = next;
    }
    EXPECT_EQ(parts->size(), count);
  }

 private:
  static std::string Between(const std::string& text, const std::string& from,
                             const std::string& to) {
    const size_t begin = text.find(from);
    if (begin == std::string::npos) return "";
    const size_t value = begin + from.size();
    return text.substr(value, text.find(to, value) - value);
  }

  static void CheckRow(const EntityPage& page, size_t row,
                       const std::vector<std::string>& projection, const ExpectedEntity& expected) {
    const auto check = [&](size_t column, const std::string& name) {
      const auto found = expected.shown.find(name);
      EXPECT_EQ(Show(page.At(row, column)), found == expected.shown.end() ? "null" : found->second)
          << name << " of row " << row;
    };
    check(EntityPage::kPartitionKey, "PartitionKey");
    check(EntityPage::kRowKey, "RowKey");
    check(EntityPage::kTimestamp, "Timestamp");
    for (size_t i = 0; i < projection.size(); ++i) {
      check(EntityPage::kFirstProperty + i, projection[i]);
    }
    EXPECT_EQ(Show(page.At(row, EntityPage::kEtag)),
              expected.etag.empty() ? "null" : "Edm.String " + expected.etag);
    const std::string_view text = page.At(row, EntityPage::kEntity).view();
    const auto properties = ReadEntityText(text);
    ASSERT_TRUE(properties.ok()) << text << properties.status().message();
    ASSERT_EQ(properties->size(), expected.stored.size()) << text;
    std::vector<std::string> names = expected.stored;
    std::sort(names.begin(), names.end(),
              [](const std::string& a, const std::string& b) { return CompareKeys(a, b) < 0; });
    for (size_t i = 0; i < properties->size(); ++i) {
      const Property& property = (*properties)[i];
      EXPECT_EQ(property.name, names[i]) << "in the order of the names";
      EXPECT_EQ(Show(property.value), expected.shown.at(property.name)) << property.name;
    }
    CheckFunctions(text, *properties);
    CheckCopy(*properties, expected);
  }

  // Checks aztables_get, aztables_type and aztables_set on an `_entity` text.
  static void CheckFunctions(std::string_view text, const std::vector<Property>& properties) {
    EntityReader reader;
    for (const Property& property : properties) {
      const auto value = reader.Get(text, property.name);
      ASSERT_TRUE(value.ok()) << value.status().message();
      EXPECT_EQ(Show(*value), Show(property.value)) << property.name;
      const auto type = reader.TypeOf(text, property.name);
      ASSERT_TRUE(type.ok()) << type.status().message();
      EXPECT_EQ(*type, property.value.type) << property.name;
    }
    // Setting an absent property to NULL must not change the text.
    const auto same = reader.Set(text, {"NotThere", Value()});
    ASSERT_TRUE(same.ok()) << same.status().message();
    EXPECT_EQ(*same, text);
  }

  // Checks the entity that an INSERT of its `_entity` sends, and the one that an INSERT of single
  // properties sends.
  static void CheckCopy(const std::vector<Property>& properties, const ExpectedEntity& expected) {
    std::string sent;
    AppendPropertiesJson(sent, properties);
    std::string stored = R"({"PartitionKey":"p","RowKey":"r")";
    for (const Property& property : properties) {
      AppendStoredProperty(stored, ",", property.name, property.value);
    }
    for (const std::string& body : {sent, stored + "}"}) {
      EntityPage page({expected.stored, true});
      const Status read = page.ReadEntity(body);
      ASSERT_TRUE(read.ok()) << read.message() << body;
      for (size_t i = 0; i < expected.stored.size(); ++i) {
        EXPECT_EQ(Show(page.At(0, EntityPage::kFirstProperty + i)),
                  expected.shown.at(expected.stored[i]))
            << body;
      }
      const auto again = ReadEntityText(page.At(0, EntityPage::kEntity).view());
      ASSERT_TRUE(again.ok());
      EXPECT_EQ(again->size(), properties.size());
    }
  }
};

TEST_F(RecordedResponsesTest, EveryExchangeThroughOneReader) {
  std::map<Kind, int> read;
  std::map<Kind, int> without_reader;
  for (const Recording& recording : all()) {
    SCOPED_TRACE(recording.id);
    const Kind kind = KindOf(recording);
    switch (kind) {
      case Kind::kQuery:
        CheckEntities(recording.body, true, "");
        ++read[kind];
        break;
      case Kind::kEntity:
        CheckEntities(recording.body, false, recording.headers.Get("ETag"));
        ++read[kind];
        break;
      case Kind::kTable:
        CheckEntities(recording.body, false, "");
        ++read[kind];
        break;
      case Kind::kTables:
        CheckTables(recording.body);
        ++read[kind];
        break;
      case Kind::kError:
        CheckError(recording.body, recording.headers.Get("x-ms-error-code"));
        ++read[kind];
        break;
      case Kind::kBatch:
        CheckBatch(std::string(recording.headers.Get("Content-Type")), recording.body);
        ++read[kind];
        break;
      case Kind::kXml:
        EXPECT_TRUE(recording.body.starts_with("\xEF\xBB\xBF<?xml ")) << recording.body;
        EXPECT_FALSE(ReadErrorBody(recording.body).recognized) << "a response that is not an error";
        ++without_reader[kind];
        break;
      case Kind::kEmpty:
        EXPECT_GE(recording.status, 202);
        EXPECT_LE(recording.status, 204);
        ++without_reader[kind];
        break;
    }
  }
  size_t total = 0;
  for (const auto& counts : {read, without_reader}) {
    for (const auto& [kind, count] : counts) total += static_cast<size_t>(count);
  }
  EXPECT_EQ(total, all().size()) << "each exchange belongs to one reader";
  EXPECT_EQ(read.size(), 6U) << "every reader has an exchange";
  EXPECT_EQ(without_reader[Kind::kXml], 5) << "ACL, service properties, stats";
  EXPECT_EQ(read.count(Kind::kXml) + read.count(Kind::kEmpty), 0U);
}

}  // namespace
}  // namespace aztables::replay
