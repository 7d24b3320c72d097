// Compares recorded errors and batches with handwritten facts: status, code, message and the number
// of the operation.
#include <string>

#include "odata/batch/batch.h"
#include "odata/response_body.h"
#include "replay/recordings.h"

namespace aztables::replay {
namespace {

constexpr const char* kNoEntity = "The specified resource does not exist.";
constexpr const char* kChanged = "The update condition specified in the request was not satisfied.";
constexpr const char* kExists = "The specified entity already exists.";
constexpr const char* kBadName = "The specifed resource name contains invalid characters.";
constexpr const char* kBadXml = "XML specified is not syntactically valid.";
constexpr const char* kBadSignature =
    "Server failed to authenticate the request. Make sure the value of Authorization header is "
    "formed correctly including the signature.";

struct ErrorFact {
  const char* id;
  int status;
  const char* code;
  const char* message;
};

constexpr ErrorFact kErrors[] = {
    // Entities.
    {"entity-insert-409", 409, "EntityAlreadyExists", kExists},
    {"entity-get-404", 404, "ResourceNotFound", kNoEntity},
    {"entity-delete-404", 404, "ResourceNotFound", kNoEntity},
    {"entity-merge-404", 404, "ResourceNotFound", kNoEntity},
    {"entity-update-412", 412, "UpdateConditionNotSatisfied", kChanged},
    {"entity-merge-412", 412, "UpdateConditionNotSatisfied", kChanged},
    {"entity-delete-412", 412, "UpdateConditionNotSatisfied", kChanged},
    {"entity-insert-400-no-keys", 400, "PropertiesNeedValue",
     "The values are not specified for all properties in the entity."},
    {"entity-insert-400-too-many-properties", 400, "TooManyProperties",
     "The entity contains more properties than allowed. Each entity can include up to 252 "
     "properties "
     "to store data. Each entity also has 3 system properties."},
    {"entity-insert-400-property-name-too-long", 400, "PropertyNameTooLong",
     "The property name exceeds the maximum allowed length (255)."},
    {"filter-invalid-400", 400, "InvalidInput", "Syntax error at position 7 in 'aaa bbb ccc'."},
    {"sas-range-get-404", 404, "ResourceNotFound", kNoEntity},
    // Tables.
    {"table-create-409-exists", 409, "TableAlreadyExists", "The table specified already exists."},
    {"table-create-409-being-deleted", 409, "TableBeingDeleted",
     "The specified table is being deleted. Try operation later."},
    {"table-delete-404", 404, "ResourceNotFound", kNoEntity},
    {"table-get-404-after-delete", 404, "ResourceNotFound", kNoEntity},
    {"table-create-400-underscore", 400, "InvalidResourceName", kBadName},
    {"table-create-400-unicode", 400, "InvalidResourceName", kBadName},
    // XML.
    {"acl-put-400-six", 400, "InvalidXmlDocument", kBadXml},
    {"acl-get-404-xml", 404, "ResourceNotFound", kNoEntity},
    {"properties-put-400-retention", 400, "InvalidXmlDocument", kBadXml},
    {"auth-403-wrong-key", 403, "AuthenticationFailed", kBadSignature},
    {"auth-403-no-authorization-old-version", 403, "AuthenticationFailed", kBadSignature},
    {"auth-401-challenge", 401, "InvalidAuthenticationInfo",
     "Server failed to authenticate the request. Please refer to the information in the "
     "www-authenticate header."},
    // Rights.
    {"auth-403-sas-permission", 403, "AuthorizationPermissionMismatch",
     "This request is not authorized to perform this operation using this permission."},
    {"auth-403-sas-resource-type", 403, "AuthorizationResourceTypeMismatch",
     "This request is not authorized to perform this operation using this resource type."},
};

struct BatchFact {
  const char* id;
  size_t parts;
  int status;        // of the first part
  int index;         // of the operation in the error
  const char* etag;  // of the first part
  const char* code;  // null: no error
  const char* message;
};

constexpr BatchFact kBatches[] = {
    {"batch-empty-changeset", 0, 0, -1, "", nullptr, ""},
    {"batch-insert-1", 1, 204, -1, "W/\"datetime'2017-11-10T02%3A43%3A41.7400229Z'\"", nullptr, ""},
    {"batch-all-ops", 6, 204, -1, "W/\"datetime'2017-11-10T02%3A43%3A36.2754988Z'\"", nullptr, ""},
    {"batch-empty-keys-patch", 1, 204, -1, "W/\"datetime'2022-02-01T20%3A52%3A47.8732855Z'\"",
     nullptr, ""},
    {"batch-201-echo", 3, 201, -1, "W/\"datetime'2017-01-05T03%3A24%3A42.7201549Z'\"", nullptr, ""},
    {"batch-get-200", 1, 200, -1, "W/\"datetime'2017-01-05T03%3A24%3A59.5315504Z'\"", nullptr, ""},
    {"batch-get-404", 1, 404, 0, "", "ResourceNotFound", kNoEntity},
    {"batch-409-index-3", 1, 409, 3, "", "EntityAlreadyExists", kExists},
    {"batch-409-first", 1, 409, -1, "", "EntityAlreadyExists", kExists},
    {"batch-412-single", 1, 412, -1, "", "UpdateConditionNotSatisfied", kChanged},
    {"batch-404-single-delete", 1, 404, -1, "", "ResourceNotFound", kNoEntity},
    {"batch-404-index-1", 1, 404, 1, "", "ResourceNotFound", kNoEntity},
    {"batch-404-table", 1, 404, 0, "", "TableNotFound", "The table specified does not exist."},
    {"batch-404-table-three-ops", 1, 404, 0, "", "TableNotFound",
     "The table specified does not exist."},
    {"batch-400-mixed-partitions", 1, 400, 1, "", "CommandsInBatchActOnDifferentPartitions",
     "All commands in a batch must operate on same entity group."},
    {"batch-duplicate-row", 1, 400, 1, "", "InvalidDuplicateRow",
     "The batch request contains multiple changes with same row key. An entity can appear only "
     "once in a batch request."},
    {"batch-400-too-many", 1, 400, 99, "", "InvalidInput",
     "The batch request operation exceeds the maximum 100 changes per change set."},
};

class RecordedErrorsTest : public RecordingsTest {};

TEST_F(RecordedErrorsTest, EveryErrorHasItsFact) {
  size_t errors = 0;
  for (const Recording& recording : all()) errors += KindOf(recording) == Kind::kError ? 1 : 0;
  EXPECT_EQ(errors, std::size(kErrors));
  for (const ErrorFact& fact : kErrors) {
    SCOPED_TRACE(fact.id);
    const Recording& recording = Get(fact.id);
    const ErrorBody error = ReadErrorBody(recording.body);
    EXPECT_EQ(recording.status, fact.status);
    EXPECT_TRUE(error.recognized);
    EXPECT_EQ(error.code, fact.code);
    EXPECT_EQ(error.message, fact.message);
    EXPECT_EQ(error.operation_index, -1);
    const std::string* const header = recording.headers.Find("x-ms-error-code");
    const bool is_xml = recording.headers.Get("Content-Type") == "application/xml";
    ASSERT_EQ(header != nullptr, is_xml) << "only errors in XML have this header";
    if (header != nullptr) {
      EXPECT_EQ(*header, fact.code);
    }
  }
}

TEST_F(RecordedErrorsTest, EveryBatchHasItsFact) {
  size_t batches = 0;
  for (const Recording& recording : all()) batches += KindOf(recording) == Kind::kBatch ? 1 : 0;
  EXPECT_EQ(batches, std::size(kBatches));
  for (const BatchFact& fact : kBatches) {
    SCOPED_TRACE(fact.id);
    const Recording& recording = Get(fact.id);
    EXPECT_EQ(recording.status, 202);
    const auto parts = DecodeBatch(recording.headers.Get("content-type"), recording.body);
    ASSERT_TRUE(parts.ok()) << parts.status().message();
    ASSERT_EQ(parts->size(), fact.parts);
    if (parts->empty()) continue;
    EXPECT_EQ(parts->front().status, fact.status);
    EXPECT_EQ(parts->front().etag, fact.etag);
    if (fact.code == nullptr) continue;
    const ErrorBody error = ReadErrorBody(parts->front().body);
    EXPECT_TRUE(error.recognized);
    EXPECT_EQ(error.code, fact.code);
    EXPECT_EQ(error.message, fact.message);
    EXPECT_EQ(error.operation_index, fact.index);
  }
}

TEST_F(RecordedErrorsTest, ABatchOfAllOperations) {
  const Recording& recording = Get("batch-all-ops");
  const auto parts = DecodeBatch(recording.headers.Get("content-type"), recording.body);
  ASSERT_TRUE(parts.ok());
  ASSERT_EQ(parts->size(), 6U);
  for (size_t i = 0; i < parts->size(); ++i) {
    EXPECT_EQ((*parts)[i].status, 204);
    EXPECT_EQ((*parts)[i].etag.empty(), i == 1) << "only the delete has no ETag";
    EXPECT_EQ((*parts)[i].body, "");
  }
}

TEST_F(RecordedErrorsTest, CutBatchesNeverGainParts) {
  for (const BatchFact& fact : kBatches) {
    const Recording& recording = Get(fact.id);
    const std::string_view type = recording.headers.Get("content-type");
    for (size_t size = 0; size < recording.body.size(); ++size) {
      const auto parts = DecodeBatch(type, recording.body.substr(0, size));
      ASSERT_LE(parts.ok() ? parts->size() : 0, fact.parts) << fact.id << " cut at " << size;
    }
  }
}

}  // namespace
}  // namespace aztables::replay
