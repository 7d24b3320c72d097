// The errors of the table service: one constant for each status, code and message.
// Source: Microsoft, "Table service error codes". Recorded texts of the live service take
// precedence, with its misspelling "specifed".
//
// ToStatus() stores status, code and message in a Status's detail; response.h makes the body from
// it.
// Thread rule: values.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace aztables {

struct StorageError {
  int http_status;
  std::string_view code;
  std::string_view message;
};

Status ToStatus(const StorageError& error);
// The same with another message.
Status ToStatus(const StorageError& error, std::string message);

namespace errors {

inline constexpr StorageError kAuthenticationFailed{
    403, "AuthenticationFailed",
    "Server failed to authenticate the request. Make sure the value of Authorization header is "
    "formed correctly including the signature."};
inline constexpr StorageError kInvalidAuthenticationInfo{
    401, "InvalidAuthenticationInfo",
    "Server failed to authenticate the request. Please refer to the information in the "
    "www-authenticate header."};
inline constexpr StorageError kPermissionMismatch{
    403, "AuthorizationPermissionMismatch",
    "This request is not authorized to perform this operation using this permission."};
inline constexpr StorageError kResourceTypeMismatch{
    403, "AuthorizationResourceTypeMismatch",
    "This request is not authorized to perform this operation using this resource type."};
inline constexpr StorageError kServiceMismatch{
    403, "AuthorizationServiceMismatch",
    "This request is not authorized to perform this operation using this service."};
inline constexpr StorageError kProtocolMismatch{
    403, "AuthorizationProtocolMismatch",
    "This request is not authorized to perform this operation using this protocol."};
inline constexpr StorageError kSourceIpMismatch{
    403, "AuthorizationSourceIPMismatch",
    "This request is not authorized to perform this operation using this source IP."};
inline constexpr StorageError kAuthorizationFailure{
    403, "AuthorizationFailure", "This request is not authorized to perform this operation."};
inline constexpr StorageError kInsufficientAccountPermissions{
    403, "InsufficientAccountPermissions",
    "The account being accessed does not have sufficient permissions to execute this operation."};
inline constexpr StorageError kReadOnlyStore{403, "InsufficientAccountPermissions",
                                             "The store is read-only."};

inline constexpr StorageError kInvalidInput{400, "InvalidInput",
                                            "One of the request inputs is not valid."};
inline constexpr StorageError kOutOfRangeInput{400, "OutOfRangeInput",
                                               "One of the request inputs is out of range."};
inline constexpr StorageError kInvalidUri{
    400, "InvalidUri", "The requested URI does not represent any resource on the server."};
inline constexpr StorageError kInvalidHeaderValue{
    400, "InvalidHeaderValue",
    "The value for one of the HTTP headers is not in the correct format."};
inline constexpr StorageError kMissingRequiredHeader{400, "MissingRequiredHeader",
                                                     "A required HTTP header was not specified."};
inline constexpr StorageError kInvalidQueryParameterValue{
    400, "InvalidQueryParameterValue",
    "Value for one of the query parameters specified in the request URI is invalid."};
inline constexpr StorageError kInvalidXmlDocument{400, "InvalidXmlDocument",
                                                  "XML specified is not syntactically valid."};
inline constexpr StorageError kInvalidResourceName{
    400, "InvalidResourceName", "The specifed resource name contains invalid characters."};
inline constexpr StorageError kResourceNameLength{
    400, "OutOfRangeInput",
    "The specified resource name length is not within the permissible limits."};
inline constexpr StorageError kPropertiesNeedValue{
    400, "PropertiesNeedValue", "The values are not specified for all properties in the entity."};
inline constexpr StorageError kPropertyNameInvalid{400, "PropertyNameInvalid",
                                                   "The property name is invalid."};
inline constexpr StorageError kPropertyNameTooLong{
    400, "PropertyNameTooLong", "The property name exceeds the maximum allowed length (255)."};
inline constexpr StorageError kPropertyValueTooLarge{
    400, "PropertyValueTooLarge",
    "The property value exceeds the maximum allowed size (64KB). If the property value is a "
    "string, it is UTF-16 encoded and the maximum number of characters should be 32K or less."};
inline constexpr StorageError kKeyValueTooLarge{
    400, "KeyValueTooLarge",
    "The value specified for the key property exceeds the maximum allowed size."};
inline constexpr StorageError kTooManyProperties{
    400, "TooManyProperties",
    "The entity contains more properties than allowed. Each entity can include up to 252 "
    "properties to store data. Each entity also has 3 system properties."};
inline constexpr StorageError kEntityTooLarge{
    400, "EntityTooLarge", "The entity is larger than the maximum allowed size (1MB)."};
inline constexpr StorageError kInvalidDuplicateRow{
    400, "InvalidDuplicateRow",
    "The batch request contains multiple changes with same row key. An entity can appear only "
    "once in a batch request."};
inline constexpr StorageError kDifferentPartitions{
    400, "CommandsInBatchActOnDifferentPartitions",
    "All commands in a batch must operate on same entity group."};
inline constexpr StorageError kTooManyOperations{
    400, "InvalidInput",
    "The batch request operation exceeds the maximum 100 changes per change set."};
inline constexpr StorageError kMethodWithoutPost{
    400, "XMethodNotUsingPost",
    "The request uses X-HTTP-Method with an HTTP verb other than POST."};
inline constexpr StorageError kMethodIncorrect{400, "XMethodIncorrectValue",
                                               "The specified X-HTTP-Method is invalid."};

inline constexpr StorageError kTableNotFound{404, "TableNotFound",
                                             "The table specified does not exist."};
inline constexpr StorageError kResourceNotFound{404, "ResourceNotFound",
                                                "The specified resource does not exist."};
inline constexpr StorageError kMethodNotAllowed{
    405, "MethodNotAllowed", "The requested method is not allowed on the specified resource."};
inline constexpr StorageError kUnsupportedHttpVerb{
    405, "UnsupportedHttpVerb", "The resource doesn't support specified Http Verb."};
inline constexpr StorageError kTableAlreadyExists{409, "TableAlreadyExists",
                                                  "The table specified already exists."};
inline constexpr StorageError kEntityAlreadyExists{409, "EntityAlreadyExists",
                                                   "The specified entity already exists."};
inline constexpr StorageError kConditionNotSatisfied{
    412, "UpdateConditionNotSatisfied",
    "The update condition specified in the request was not satisfied."};
inline constexpr StorageError kBodyTooLarge{
    413, "RequestBodyTooLarge",
    "The request body is too large and exceeds the maximum permissible limit."};
inline constexpr StorageError kUnsupportedMediaType{
    415, "MediaTypeNotSupported", "None of the provided media types are supported"};
inline constexpr StorageError kAtomNotSupported{415, "AtomFormatNotSupported",
                                                "Atom format is not supported."};
inline constexpr StorageError kInternalError{
    500, "InternalError", "The server encountered an internal error. Please retry the request."};
inline constexpr StorageError kReplacedStore{
    500, "InternalError",
    "The store was replaced while it was in use: stop the programs that use it, remove the two "
    "files whose names end in -wal and -shm if they belong to the old store, and start again."};
inline constexpr StorageError kNotImplemented{
    501, "NotImplemented", "The requested operation is not implemented on the specified resource."};
inline constexpr StorageError kServerBusy{503, "ServerBusy", "The server is busy."};
inline constexpr StorageError kCannotReceive{
    503, "ServerBusy",
    "The server is currently unable to receive requests. Please retry your request."};
inline constexpr StorageError kOverAccountLimit{503, "ServerBusy",
                                                "Operations per second is over the account limit."};
inline constexpr StorageError kOperationTimedOut{
    500, "OperationTimedOut", "The operation could not be completed within the permitted time."};
inline constexpr StorageError kOutOfMemory{503, "ServerBusy",
                                           "The server is busy: it is out of memory."};
inline constexpr StorageError kStoreFull{507, "InsufficientStorage", "The disk is full."};

}  // namespace errors
}  // namespace aztables
