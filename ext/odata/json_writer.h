// JSON as the service wants it written: an entity with every type annotated that its value alone
// does not tell. Source: Microsoft, "Payload format for Table service operations".
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/edm.h"

namespace aztables {

// `text` as a JSON string with its quotes; a lone surrogate (base/encoding.h) becomes an escape.
// REQUIRES: it is valid UTF-8 but for these
void AppendJsonString(std::string& out, std::string_view text);

// The same in the form in which the service answers: ASCII alone, other characters as \uXXXX in
// lower case, those above U+FFFF as two surrogates.
void AppendAsciiJsonString(std::string& out, std::string_view text);

// One member with its annotation where it needs one: "A@odata.type":"Edm.Int64","A":"5".
// Appends nothing for kNull; else puts `separator` in front.
void AppendJsonProperty(std::string& out, std::string_view separator, std::string_view name,
                        const Value& value);

// The same in the form in which the service answers and which `_entity` has: a finite Double has no
// annotation, a DateTime no trailing zeros in its fraction.
void AppendStoredProperty(std::string& out, std::string_view separator, std::string_view name,
                          const Value& value);

// {"PartitionKey":"p","RowKey":"r",...}: an entity of its keys and of an object of properties such
// as AppendPropertiesJson() writes.
void AppendEntityJson(std::string& out, std::string_view partition_key, std::string_view row_key,
                      std::string_view properties);

// {"A":1,...}: the properties that are not null, as AppendJsonProperty() writes them, on one line.
void AppendPropertiesJson(std::string& out, const std::vector<Property>& properties);

}  // namespace aztables
