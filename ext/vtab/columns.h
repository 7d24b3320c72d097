// One column of CREATE VIRTUAL TABLE: property TYPE [PROPERTY 'Remote'].
//
// Thread rule: free functions, callable on any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "aztables/base/status.h"
#include "aztables/model/schema.h"

namespace aztables {

// A word of a declaration as an error may repeat it: not if it could be a key, a SAS or a
// connection string that was put in the wrong place.
std::string ShowWord(std::string_view word);

// The type that a word of a declaration names, in any case, synonyms included; kNull for ANY.
std::optional<EdmType> ParseColumnType(std::string_view word);

// OK if the column can stand behind those of `schema`; else what clashes and how to write it.
Status CheckColumn(const Column& column, const Schema& schema);

// Appends the column that `argument` declares. An error names the column and what is valid.
Status ParseColumn(std::string_view argument, Schema& schema);

}  // namespace aztables
