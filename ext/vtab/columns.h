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

// The type that a column declaration or its EDM name gives, in any case: "INT64", "varchar(20)",
// "Edm.Int64"; kNull for ANY. Nothing for other words.
std::optional<EdmType> TypeFromName(std::string_view name);

// OK if the column can stand behind those of `schema`; else what clashes and how to write it.
Status CheckColumn(const Column& column, const Schema& schema);

// Appends the column that `argument` declares. An error names the column and what is valid.
Status ParseColumn(std::string_view argument, Schema& schema);

}  // namespace aztables
