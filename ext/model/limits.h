// Limits that the service sets on what is written, checked before anything is sent, so that the
// statement that breaks one fails and not the COMMIT.
// Source: Microsoft, "Understanding the Table service data model"; "Insert Entity".
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/status.h"
#include "model/edm.h"

namespace aztables {

inline constexpr size_t kMaxProperties = 252;          // besides the keys and Timestamp
inline constexpr size_t kMaxPropertyNameLength = 255;  // UTF-16 code units
inline constexpr size_t kMaxStringLength = 32 * 1024;  // UTF-16 code units: 64 KiB
inline constexpr size_t kMaxBinarySize = 64 * 1024;    // bytes
inline constexpr size_t kMaxEntitySize = 1024 * 1024;  // bytes
inline constexpr size_t kMaxEgtOperations = 100;
inline constexpr size_t kMaxEgtBytes = 4 * 1024 * 1024;        // the whole body
inline constexpr size_t kMaxEgtBytesCosmos = 2 * 1024 * 1024;  // the same on Cosmos DB

// OK, or why the service would refuse the entity: a key with an illegal character or too long, an
// illegal property name, a value or an entity that is too large. The sentence names entity,
// property and limit.
Status CheckEntity(const Entity& entity);

// The same for one property by itself; the keys and Timestamp are none.
Status CheckUserProperty(const Property& property);

// Size of a value as the service counts it; `text` is what a String or a Binary holds.
size_t CountedSize(EdmType type, std::string_view text);

// Whether `name` can name a property: a letter or "_", then letters, digits and "_"; any character
// from U+0080 on counts as a letter, the service being the judge of those.
bool IsPropertyName(std::string_view name);
// OK if `name` can be put into a request to any service: 1 to 255 characters, none of / \\ # ? ' or
// control characters. Cosmos DB takes every such name.
Status CheckTableName(std::string_view name);
// OK if Azure Storage, an emulator or a local store can have a table of that name: 3 to 63 letters
// and digits, the first a letter, and not `tables`.
Status CheckStorageTableName(std::string_view name);
// Whether `name` is that of a table in which Azure Storage itself writes metrics, such as
// $MetricsHourPrimaryTransactionsTable. It can be read, not created.
bool IsMetricsTable(std::string_view name);

// PartitionKey='p', RowKey='r': how messages name an entity. Long keys are shown shortened.
std::string DescribeEntity(std::string_view partition_key, std::string_view row_key);
// 'text', shortened to a length that a message can bear, with quotes doubled.
std::string QuoteForMessage(std::string_view text);
// The same of an argument. One that may be a secret in the wrong place (base/secret.h) is not
// shown.
std::string QuoteArgument(std::string_view text);
// How messages name a property: a legal name as it is, any other as QuoteArgument() shows it.
std::string ShowProperty(std::string_view name);

}  // namespace aztables
