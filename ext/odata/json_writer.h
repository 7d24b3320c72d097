// JSON in the form that the service accepts. A property has a type annotation if its value alone
// does not determine the type. Source: Microsoft, "Payload format for Table service operations".
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/edm.h"

namespace aztables {

// `text` as a JSON string with its quotes; a lone surrogate (base/encoding.h) becomes an escape.
// REQUIRES: `text` is valid UTF-8 except for lone surrogates
void AppendJsonString(std::string& out, std::string_view text);

// The same in the form of the service's responses: ASCII alone, other characters as \uXXXX in lower
// case, those above U+FFFF as two surrogates.
void AppendAsciiJsonString(std::string& out, std::string_view text);
// Whether that is only `text` and its quotes.
bool IsPlainAscii(std::string_view text);

// One member, with its annotation if it needs one: "A@odata.type":"Edm.Int64","A":"5". Appends
// nothing for kNull; else writes `separator` first.
void AppendJsonProperty(std::string& out, std::string_view separator, std::string_view name,
                        const Value& value);

// The same in the form of the service's responses and of `_entity`: a finite Double has no
// annotation, and a DateTime's fraction has no trailing zeros.
void AppendStoredProperty(std::string& out, std::string_view separator, std::string_view name,
                          const Value& value);

// {"PartitionKey":"p","RowKey":"r",...}: an entity made of its keys and of an object of properties,
// as AppendPropertiesJson() writes it.
void AppendEntityJson(std::string& out, std::string_view partition_key, std::string_view row_key,
                      std::string_view properties);
// Appends its beginning, and returns the rest, which is a part of `properties`.
std::string_view BeginEntityJson(std::string& out, std::string_view partition_key,
                                 std::string_view row_key, std::string_view properties);

// {"A":1,...}: the properties that are not null, as AppendJsonProperty() writes them, on one line.
void AppendPropertiesJson(std::string& out, const std::vector<Property>& properties);

}  // namespace aztables
