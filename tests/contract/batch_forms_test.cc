// Checks the forms of batch requests and their responses: bare line feeds, relative addresses, a
// missing end, Content-ID, echoed entities.
#include <string>

#include "raw_batch_base.h"

namespace aztables {
namespace {

class BatchFormsTest : public RawBatchTest {
 protected:
  // One insert in a changeset; `head` has additional header lines.
  std::string OneInsert(const std::string& url, const std::string& head, const char* eol,
                        const char* after_body = "\n") const {
    const std::string lines =
        "--batch_a\nContent-Type: multipart/mixed; boundary=changeset_b\n\n"
        "--changeset_b\nContent-Type: application/http\nContent-Transfer-Encoding: binary\n\n"
        "POST " +
        url +
        " HTTP/1.1\nContent-Type: application/json\n"
        "Accept: application/json;odata=minimalmetadata\n" +
        head + "\n" + Body("r") + after_body + "--changeset_b--\n--batch_a--";
    std::string text;
    for (const char c : lines) text += c == '\n' ? eol : std::string(1, c);
    return text;
  }
  BatchOutcome SendOne(const std::string& body) const {
    return SendBody("multipart/mixed; boundary=batch_a", body);
  }
};

TEST_F(BatchFormsTest, NoLineEndAtTheEnd) {
  EXPECT_EQ(SendOne(OneInsert(Url(table_), "Prefer: return-no-content\n", "\r\n")).text(), "204");
  EXPECT_EQ(Rows(""), "r");
}

TEST_F(BatchFormsTest, BareLineFeeds) {
  EXPECT_EQ(SendOne(OneInsert(Url(table_), "Prefer: return-no-content\n", "\n")).text(), "204");
  EXPECT_EQ(Rows(""), "r");
}

// As Azure's client for C++ sends it.
TEST_F(BatchFormsTest, ADelimiterRightAfterTheBody) {
  EXPECT_EQ(SendOne(OneInsert(Url(table_), "Prefer: return-no-content\n", "\r\n", "")).text(),
            "204");
  EXPECT_EQ(Rows(""), "r");
}

TEST_F(BatchFormsTest, RelativeAddress) {
  const bool refused = Differs(Difference::kRelativeAddress);
  EXPECT_EQ(SendOne(OneInsert("/" + table_, "Prefer: return-no-content\n", "\r\n")).text(),
            refused ? "500" : "204");
  EXPECT_EQ(Rows(""), refused ? "" : "r");
}

TEST_F(BatchFormsTest, ContentIdComesBack) {
  const BatchOutcome outcome =
      SendOne(OneInsert(Url(table_), "Content-ID: 27\nPrefer: return-no-content\n", "\r\n"));
  EXPECT_EQ(outcome.text(), "204");
  EXPECT_EQ(outcome.response.body.find("Content-ID: 27\r\n") == std::string::npos,
            Differs(Difference::kContentId))
      << outcome.response.body;
}

TEST_F(BatchFormsTest, WhatIsInsertedComesBackUnlessSilenceIsPreferred) {
  const BatchOutcome outcome = SendOne(OneInsert(Url(table_), "", "\r\n"));
  EXPECT_EQ(outcome.text(), "201");
  ASSERT_EQ(outcome.parts.size(), 1U);
  EXPECT_EQ(JsonAt(outcome.parts[0].body, "/RowKey"),
            Differs(Difference::kEchoInABatch) ? kAbsent : "\"r\"");
}

TEST_F(BatchFormsTest, TheFormOfTheResponse) {
  const BatchOutcome outcome = SendBatch({InsertOf("1"), ChangeOf("DELETE", "none", "*", "")});
  EXPECT_EQ(outcome.text(), "404 ResourceNotFound 1:The specified resource does not exist.");
  const std::string type(outcome.response.headers.Get("Content-Type"));
  EXPECT_TRUE(type.starts_with("multipart/mixed; boundary=batchresponse_")) << type;
  EXPECT_NE(outcome.response.body.find("boundary=changesetresponse_"), std::string::npos);
}

}  // namespace
}  // namespace aztables
