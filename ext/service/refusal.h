// What the table service refuses and how it says so: one line per status, code and message.
// Source: Microsoft, "Table service error codes"; texts as recorded from the live service where
// a recording has them (its own misspelling "specifed" included).
//
// A refusal travels as a Status whose detail holds status, code and message; answer.h makes the
// body of it.
// Thread rule: values.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace aztables {

struct Refusal {
  int http_status;
  std::string_view code;
  std::string_view message;
};

Status Refuse(const Refusal& refusal);
// The same with words of its own.
Status Refuse(const Refusal& refusal, std::string message);

// Whether it is a failure of the store, not of the request.
bool IsStoreFailure(const Status& status);
// The same failure for a person who knows the store by its path.
Status FailureOfStore(const std::string& path, const Status& failure);

namespace refusals {

inline constexpr Refusal kAuthenticationFailed{
    403, "AuthenticationFailed",
    "Server failed to authenticate the request. Make sure the value of Authorization header is "
    "formed correctly including the signature."};
inline constexpr Refusal kInvalidAuthenticationInfo{
    401, "InvalidAuthenticationInfo",
    "Server failed to authenticate the request. Please refer to the information in the "
    "www-authenticate header."};
inline constexpr Refusal kPermissionMismatch{
    403, "AuthorizationPermissionMismatch",
    "This request is not authorized to perform this operation using this permission."};
inline constexpr Refusal kResourceTypeMismatch{
    403, "AuthorizationResourceTypeMismatch",
    "This request is not authorized to perform this operation using this resource type."};
inline constexpr Refusal kServiceMismatch{
    403, "AuthorizationServiceMismatch",
    "This request is not authorized to perform this operation using this service."};
inline constexpr Refusal kProtocolMismatch{
    403, "AuthorizationProtocolMismatch",
    "This request is not authorized to perform this operation using this protocol."};
inline constexpr Refusal kSourceIpMismatch{
    403, "AuthorizationSourceIPMismatch",
    "This request is not authorized to perform this operation using this source IP."};
inline constexpr Refusal kAuthorizationFailure{
    403, "AuthorizationFailure", "This request is not authorized to perform this operation."};
inline constexpr Refusal kInsufficientAccountPermissions{
    403, "InsufficientAccountPermissions",
    "The account being accessed does not have sufficient permissions to execute this operation."};
inline constexpr Refusal kReadOnlyStore{403, "InsufficientAccountPermissions",
                                        "The store is read-only."};

inline constexpr Refusal kInvalidInput{400, "InvalidInput",
                                       "One of the request inputs is not valid."};
inline constexpr Refusal kOutOfRangeInput{400, "OutOfRangeInput",
                                          "One of the request inputs is out of range."};
inline constexpr Refusal kInvalidUri{400, "InvalidUri",
                                     "The requested URI does not represent any resource on the "
                                     "server."};
inline constexpr Refusal kInvalidHeaderValue{
    400, "InvalidHeaderValue",
    "The value for one of the HTTP headers is not in the correct format."};
inline constexpr Refusal kMissingRequiredHeader{400, "MissingRequiredHeader",
                                                "A required HTTP header was not specified."};
inline constexpr Refusal kInvalidQueryParameterValue{
    400, "InvalidQueryParameterValue",
    "Value for one of the query parameters specified in the request URI is invalid."};
inline constexpr Refusal kInvalidXmlDocument{400, "InvalidXmlDocument",
                                             "XML specified is not syntactically valid."};
inline constexpr Refusal kInvalidResourceName{
    400, "InvalidResourceName", "The specifed resource name contains invalid characters."};
inline constexpr Refusal kResourceNameLength{
    400, "OutOfRangeInput",
    "The specified resource name length is not within the permissible limits."};
inline constexpr Refusal kPropertiesNeedValue{
    400, "PropertiesNeedValue", "The values are not specified for all properties in the entity."};
inline constexpr Refusal kPropertyNameInvalid{400, "PropertyNameInvalid",
                                              "The property name is invalid."};
inline constexpr Refusal kPropertyNameTooLong{
    400, "PropertyNameTooLong", "The property name exceeds the maximum allowed length (255)."};
inline constexpr Refusal kPropertyValueTooLarge{
    400, "PropertyValueTooLarge",
    "The property value exceeds the maximum allowed size (64KB). If the property value is a "
    "string, it is UTF-16 encoded and the maximum number of characters should be 32K or less."};
inline constexpr Refusal kKeyValueTooLarge{
    400, "KeyValueTooLarge",
    "The value specified for the key property exceeds the maximum allowed size."};
inline constexpr Refusal kTooManyProperties{
    400, "TooManyProperties",
    "The entity contains more properties than allowed. Each entity can include up to 252 "
    "properties to store data. Each entity also has 3 system properties."};
inline constexpr Refusal kEntityTooLarge{
    400, "EntityTooLarge", "The entity is larger than the maximum allowed size (1MB)."};
inline constexpr Refusal kInvalidDuplicateRow{
    400, "InvalidDuplicateRow",
    "The batch request contains multiple changes with same row key. An entity can appear only "
    "once in a batch request."};
inline constexpr Refusal kDifferentPartitions{
    400, "CommandsInBatchActOnDifferentPartitions",
    "All commands in a batch must operate on same entity group."};
inline constexpr Refusal kTooManyOperations{
    400, "InvalidInput",
    "The batch request operation exceeds the maximum 100 changes per change set."};
inline constexpr Refusal kMethodWithoutPost{
    400, "XMethodNotUsingPost",
    "The request uses X-HTTP-Method with an HTTP verb other than POST."};
inline constexpr Refusal kMethodIncorrect{400, "XMethodIncorrectValue",
                                          "The specified X-HTTP-Method is invalid."};

inline constexpr Refusal kTableNotFound{404, "TableNotFound",
                                        "The table specified does not exist."};
inline constexpr Refusal kResourceNotFound{404, "ResourceNotFound",
                                           "The specified resource does not exist."};
inline constexpr Refusal kMethodNotAllowed{
    405, "MethodNotAllowed", "The requested method is not allowed on the specified resource."};
inline constexpr Refusal kUnsupportedHttpVerb{405, "UnsupportedHttpVerb",
                                              "The resource doesn't support specified Http Verb."};
inline constexpr Refusal kTableAlreadyExists{409, "TableAlreadyExists",
                                             "The table specified already exists."};
inline constexpr Refusal kEntityAlreadyExists{409, "EntityAlreadyExists",
                                              "The specified entity already exists."};
inline constexpr Refusal kConditionNotSatisfied{
    412, "UpdateConditionNotSatisfied",
    "The update condition specified in the request was not satisfied."};
inline constexpr Refusal kBodyTooLarge{
    413, "RequestBodyTooLarge",
    "The request body is too large and exceeds the maximum permissible limit."};
inline constexpr Refusal kUnsupportedMediaType{415, "MediaTypeNotSupported",
                                               "None of the provided media types are supported"};
inline constexpr Refusal kAtomNotSupported{415, "AtomFormatNotSupported",
                                           "Atom format is not supported."};
inline constexpr Refusal kInternalError{
    500, "InternalError", "The server encountered an internal error. Please retry the request."};
inline constexpr Refusal kReplacedStore{
    500, "InternalError",
    "The store was replaced while it was in use: stop the programs that use it, remove the two "
    "files "
    "whose names end in -wal and -shm if they belong to the old store, and start again."};
inline constexpr Refusal kNotImplemented{
    501, "NotImplemented", "The requested operation is not implemented on the specified resource."};
inline constexpr Refusal kServerBusy{503, "ServerBusy", "The server is busy."};
inline constexpr Refusal kOutOfMemory{503, "ServerBusy",
                                      "The server is busy: it is out of memory."};
inline constexpr Refusal kStoreFull{507, "InsufficientStorage", "The disk is full."};

}  // namespace refusals
}  // namespace aztables
