// Limits of the service. Those for writes are checked before anything is sent, so the statement
// that violates a limit fails, not the COMMIT. Source: Microsoft, "Understanding the Table service
// data model"; "Insert Entity".
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/status.h"
#include "model/edm.h"

namespace aztables {

inline constexpr size_t kMaxProperties = 252;          // without the keys and Timestamp
inline constexpr size_t kMaxPropertyNameLength = 255;  // UTF-16 code units
inline constexpr size_t kMaxStringLength = 32 * 1024;  // UTF-16 code units: 64 KiB
inline constexpr size_t kMaxBinarySize = 64 * 1024;    // bytes
inline constexpr size_t kMaxEntitySize = 1024 * 1024;  // bytes
inline constexpr size_t kMaxPageEntities = 1000;
inline constexpr size_t kMaxEgtOperations = 100;
inline constexpr size_t kMaxEgtBytes = 4 * 1024 * 1024;        // the whole body
inline constexpr size_t kMaxEgtBytesCosmos = 2 * 1024 * 1024;  // the same on Cosmos DB

// OK, or the reason why the service would refuse the entity. A key is too long or has an illegal
// character, a property name is illegal, or a value or the entity is too large. The sentence names
// entity, property and limit.
Status CheckEntity(const Entity& entity);

// The same for one property. The keys and Timestamp are not properties.
Status CheckUserProperty(const Property& property);

// Size of a value as the service counts it. `text` is the content of a String or a Binary.
size_t CountedSize(EdmType type, std::string_view text);
// The size of an entity in bytes, as the service counts it, is that of its keys and of each
// property. Source: Microsoft, "Understanding the Table service data model"; the service team's
// formula.
size_t CountedKeys(std::string_view partition_key, std::string_view row_key);
size_t CountedProperty(std::string_view name, EdmType type, std::string_view text);

// Whether `name` can name a property: a letter or "_", then letters, digits and "_". Any character
// from U+0080 on counts as a letter here; the service decides on those.
bool IsPropertyName(std::string_view name);
// OK if a request to any service can contain `name`: 1 to 255 characters, without / \\ # ? ' and
// control characters. Cosmos DB accepts every such name.
Status CheckTableName(std::string_view name);
// OK if Azure Storage, an emulator or a local store can have a table of that name. It has 3 to 63
// letters and digits, begins with a letter, and is not `tables`.
Status CheckStorageTableName(std::string_view name);
// Whether `name` names a table for the metrics of Azure Storage, such as
// $MetricsHourPrimaryTransactionsTable. Such a table can be read but not created.
bool IsMetricsTable(std::string_view name);

// PartitionKey='p', RowKey='r': the form of an entity in messages. Long keys are shortened.
std::string DescribeEntity(std::string_view partition_key, std::string_view row_key);
// "the entity PartitionKey='p', RowKey='r' already exists", and what to write instead.
std::string EntityExistsText(std::string_view entity);
// 'text' for a message: shortened if it is long, with doubled quotes.
std::string QuoteForMessage(std::string_view text);
// The same for an argument. A text that may be a secret in the wrong place (base/secret.h) is not
// shown.
std::string QuoteArgument(std::string_view text);
// The same for a BLOB: "a BLOB of 3 bytes".
std::string ShowBlob(size_t bytes);
// The form of a property's name in messages: a legal name unchanged, any other as QuoteArgument()
// shows it.
std::string ShowProperty(std::string_view name);

}  // namespace aztables
