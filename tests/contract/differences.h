// The known differences of Azurite from the service: what the service does, by which source, and
// what Azurite does instead. A test of the contract asks Differs(Difference::kThis) where it has to
// expect something else of Azurite; it expects what Azurite does, so that a difference which has
// gone fails. There are no other differences, and none at all of the embedded service, in process
// or over HTTP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace aztables {

// Which service the suite runs against; the environment says so in AZTABLES_CONTRACT.
enum class Service : uint8_t { kUnknown, kLocal, kServer, kAzurite };
Service TestedService();

enum class Difference : uint8_t {
  kVersionNotEchoed,
  kContentType,
  kCacheHeaders,
  kErrorCodeHeader,
  kWordsOfErrors,
  kErrorsWithoutBody,
  kTimestampStandsLast,
  kMetadataOfAQuery,
  kTextNotEscaped,
  kTrailingZeros,
  kExponent,
  kWholeDoubleWithoutType,
  kSelectedButAbsent,
  kBlankSelect,
  kSelectStar,
  kOptionsIgnored,
  kOrderAfterUpdate,
  kTimestampsOfAnEgt,
  kPreferenceApplied,
  kLocation,
  kMalformedEtag,
  kFormOfTokens,
  kTokensNotChecked,
  kTokensOutliveTheirTable,
  kTopAboveAThousand,
  kTopOfZero,
  kTextForABoolean,
  kTableByName,
  kMissingTableByName,
  kInt32LiteralOnInt64,
  kLongLiteralOnOthers,
  kTypesAreCoerced,
  kGuidIsText,
  kOrderOfBinary,
  kDatesToTheMillisecond,
  kExponentInFilters,
  kLiteralsNotChecked,
  kFilterGrammar,
  kIndexOfOnlyOperation,
  kTwoPartitionsInOneEgt,
  kTooManyOperations,
  kEmptyChangeset,
  kBadBodies,
  kRelativeAddress,
  kContentId,
  kEchoInABatch,
  kEntityInABatch,
  kPropertiesNotChecked,
  kSizeOfAnEntity,
  kLengthOfKeys,
  kCodeOfKeys,
  kNamesOfTables,
  kValuesNotChecked,
  kDatesOfPolicies,
  kRetentionNotChecked,
  kVersionsNotChecked,
  kMethodsBehindPost,
  kAuthenticationFailure,
  kNoChallenge,
  kOldDates,
  kUpsertWithoutAdd,
  kKeyRangeOfASas,
  kFormOfRefusals,
};

// Whether the service that is tested has this difference. Each has to be asked for in a run of all
// tests against Azurite.
bool Differs(Difference difference);

struct KnownDifference {
  Difference difference;
  const char* service;
  const char* source;
  const char* azurite;
};

// Sources, in their order of authority.
inline constexpr const char* kRecorded = "recorded traffic of the live service";
inline constexpr const char* kUsers = "reports of users of the live service";
// Else: the title of the document.

inline constexpr KnownDifference kKnownDifferences[] = {
    {Difference::kVersionNotEchoed, "x-ms-version of the request comes back in the response",
     kRecorded, "its own version comes back"},
    {Difference::kContentType, "the Content-Type of JSON ends with ;streaming=true;charset=utf-8",
     kRecorded, "it does not"},
    {Difference::kCacheHeaders,
     "responses have Cache-Control: no-cache and X-Content-Type-Options: nosniff", kRecorded,
     "they do not"},
    {Difference::kErrorCodeHeader, "x-ms-error-code stands in errors in XML alone", kRecorded,
     "it stands in errors in JSON too"},
    {Difference::kWordsOfErrors,
     "the messages of InvalidDuplicateRow, InvalidResourceName and of what is no filter", kRecorded,
     "words of its own"},
    {Difference::kErrorsWithoutBody, "errors have a code and a message",
     "Table service error codes", "a malformed $top or XML document gets 400 without a body"},
    {Difference::kTimestampStandsLast, "Timestamp stands behind the keys", kRecorded,
     "behind all properties"},
    {Difference::kMetadataOfAQuery, "odata.metadata of a query ends with #TABLE", kRecorded,
     "with #Tables/@Element"},
    {Difference::kTextNotEscaped, "characters beyond ASCII are escaped in JSON", kRecorded,
     "they are written as they are"},
    {Difference::kTrailingZeros, "times come back without trailing zeros", kRecorded,
     "Timestamp has seven digits, a DateTime those that were sent"},
    {Difference::kExponent, "large Doubles are written like 1.5E+24", kRecorded, "like 1.5e+24"},
    {Difference::kWholeDoubleWithoutType, "a number with a point is a Double, also without a type",
     "Payload format", "4.0 becomes 4, which is an Int32"},
    {Difference::kSelectedButAbsent, "a selected property that an entity lacks is null", kRecorded,
     "it is left out"},
    {Difference::kBlankSelect, "a $select of blanks selects everything", kRecorded,
     "it selects nothing"},
    {Difference::kSelectStar, "$select=* selects everything", "OData query options",
     "a property of that name"},
    {Difference::kOptionsIgnored, "$orderby, $skip and $inlinecount are refused",
     "Query operators supported", "they are ignored"},
    {Difference::kOrderAfterUpdate, "an update sorts the properties of an entity by name",
     kRecorded, "they keep the order in which they came"},
    {Difference::kTimestampsOfAnEgt, "each write has a later Timestamp than the one before it",
     "Table service data model", "those of an EGT may be equal, or go backwards"},
    {Difference::kPreferenceApplied, "Preference-Applied answers Prefer alone, in errors too",
     kRecorded, "an insert without Prefer has it, an error has not"},
    {Difference::kLocation,
     "an insert is answered with Location, and with DataServiceId where it has no body", kRecorded,
     "with neither"},
    {Difference::kMalformedEtag, "If-Match that is no weak ETag is 400 InvalidInput for every verb",
     "Table service error codes", "InvalidOperation for a merge"},
    {Difference::kFormOfTokens, "a token is 1!LENGTH!BASE64 with - for =", kRecorded,
     "plain base64"},
    {Difference::kTokensNotChecked, "what is no token is 400 InvalidInput",
     "Query timeout and pagination", "it leads to an empty page"},
    {Difference::kTokensOutliveTheirTable,
     "a scan does not go on in another table of the same name",
     "Delete Table (a name is blocked meanwhile)", "the token goes on in the new table"},
    {Difference::kTopAboveAThousand, "a $top above 1000 is 400 InvalidInput",
     "Query timeout and pagination", "it means 1000"},
    {Difference::kTopOfZero, "a $top of 0 has no continuation token",
     "Query timeout and pagination",
     "it has one, to the same page; with a list of tables it is not heeded"},
    {Difference::kTextForABoolean, "the text of a Boolean may have any case", kUsers,
     "lower case only"},
    {Difference::kTableByName, "a table asked for by name is an object", kRecorded,
     "an empty list"},
    {Difference::kMissingTableByName, "a missing table asked for by name is ResourceNotFound",
     kRecorded, "TableNotFound"},
    {Difference::kInt32LiteralOnInt64, "an Int32 literal is compared with an Int64 by value",
     kUsers, "they are never equal"},
    {Difference::kLongLiteralOnOthers, "an Int64 literal matches no property of another type",
     kUsers, "500 where an entity has a Boolean, Int32 or Double there"},
    {Difference::kTypesAreCoerced, "values of other types than the literal's match ne alone",
     "Querying tables and entities", "they are compared as JavaScript does"},
    {Difference::kGuidIsText, "a Guid literal matches Guids by value", "Query operators supported",
     "it matches texts too, in its own case only"},
    {Difference::kOrderOfBinary, "Binary is ordered by its bytes", "Query operators supported",
     "by its base64 text"},
    {Difference::kDatesToTheMillisecond, "a DateTime, Timestamp too, is compared to 100 ns",
     "Table service data model", "to the millisecond"},
    {Difference::kExponentInFilters, "1.2345e2 is a Double literal", "OData URI conventions",
     "a name"},
    {Difference::kLiteralsNotChecked, "a literal that is no value of its type is 400 InvalidInput",
     kUsers, "it matches nothing"},
    {Difference::kFilterGrammar,
     "null, two properties, EQ, a property alone and an open quote are 400; functions and "
     "arithmetic 501",
     "Querying tables and entities", "all but the last two are taken, those are 400"},
    {Difference::kIndexOfOnlyOperation, "an error on the entity of the only operation has no index",
     kRecorded, "0:"},
    {Difference::kTwoPartitionsInOneEgt, "operations on two partitions are refused", kRecorded,
     "they are carried out"},
    {Difference::kTooManyOperations, "the 101st operation is refused with index 99", kRecorded,
     "index 0, in a response with a boundary inside of a part"},
    {Difference::kEmptyChangeset, "an empty changeset is answered 202", kRecorded, "500"},
    {Difference::kBadBodies, "a body that is no batch is 400 InvalidInput",
     "Entity group transactions", "500"},
    {Difference::kRelativeAddress, "an operation of a batch may have a relative address", kRecorded,
     "500"},
    {Difference::kContentId, "the Content-ID of an operation comes back", kRecorded, "it does not"},
    {Difference::kEchoInABatch,
     "an insert that prefers nothing is answered with the entity in a batch too", kRecorded,
     "without it"},
    {Difference::kEntityInABatch, "the entity of a read in a batch stands behind an empty line",
     kRecorded, "right behind the headers"},
    {Difference::kPropertiesNotChecked,
     "252 properties, names of 255 characters that are identifiers", kRecorded,
     "more of both are taken, and any name"},
    {Difference::kSizeOfAnEntity, "an entity has at most 1 MiB", "Table service data model",
     "as much as the body may have"},
    {Difference::kLengthOfKeys, "a key may have 1,024 characters; more is KeyValueTooLarge",
     "Design for scalable partitioning", "512; InvalidInput"},
    {Difference::kCodeOfKeys, "an illegal character in a key is 400 OutOfRangeInput",
     "Table service error codes", "400 InvalidInput"},
    {Difference::kNamesOfTables,
     "an illegal name of a table is InvalidResourceName, or OutOfRangeInput by its length",
     kRecorded, "400 without a code"},
    {Difference::kValuesNotChecked,
     "what is no value of its type is 400, and a DateTime comes back in UTC",
     "Table service data model", "it is stored as it came; an unknown type is 500"},
    {Difference::kDatesOfPolicies, "times of a policy come back with seven digits", kRecorded,
     "as they came"},
    {Difference::kRetentionNotChecked,
     "a retention of more than 365 days is 400 InvalidXmlDocument", kRecorded, "it is taken"},
    {Difference::kVersionsNotChecked, "x-ms-version has to be a version",
     "Versioning for the Azure Storage services",
     "these tests start it with --skipApiVersionCheck"},
    {Difference::kMethodsBehindPost,
     "X-HTTP-Method takes PUT, no unknown method, and nothing but POST around it",
     "Table service error codes", "PUT and others are taken for the POST; it is ignored elsewhere"},
    {Difference::kAuthenticationFailure,
     "a wrong signature, or a SAS that does not hold, is AuthenticationFailed", kRecorded,
     "AuthorizationFailure"},
    {Difference::kNoChallenge,
     "without credentials versions from 2020-12-06 on get 401 and where tokens come from",
     kRecorded, "403"},
    {Difference::kOldDates, "a request signed more than 15 minutes ago is refused",
     "Authorize with Shared Key", "it is served"},
    {Difference::kUpsertWithoutAdd, "an upsert takes the permissions a and u",
     "Create a service SAS", "u alone is enough"},
    {Difference::kKeyRangeOfASas, "a SAS with a key range shows and changes nothing outside of it",
     kRecorded, "the range is not heeded"},
    {Difference::kFormOfRefusals, "a SAS that holds but lacks the right is refused in JSON",
     kRecorded, "in XML"},
};

constexpr bool InOrder() {
  for (size_t i = 0; i < std::size(kKnownDifferences); ++i) {
    if (kKnownDifferences[i].difference != static_cast<Difference>(i)) return false;
  }
  return true;
}
static_assert(InOrder(), "each difference has its line, at its place");

}  // namespace aztables
