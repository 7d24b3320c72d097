// The arguments of CREATE VIRTUAL TABLE ... USING aztables(...): options and columns. Pure: opens
// no connection.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "aztables/base/status.h"
#include "aztables/model/schema.h"
#include "aztables/plan/planner.h"

namespace aztables {

struct TableOptions {
  std::string table;
  bool table_given = false;  // by the option, not by the virtual table's name
  std::string connection = "default";
  bool read_only = false;       // access=read
  bool create_missing = false;  // create=missing
  bool mismatch_null = false;   // mismatch=null
  Pushdown pushdown = Pushdown::kAll;
  std::chrono::milliseconds timeout{60'000};
  int retries = 5;
};

struct TableDeclaration {
  TableOptions options;
  Schema schema;
};

// Reads the arguments. Every error names the argument and what is valid in its place, and never
// repeats a value that may be a secret. Whatever was understood before the error is in
// `declaration`, so that a table whose declaration is bad can still be connected to and dropped.
Status ParseDeclaration(std::string_view virtual_table, const std::vector<std::string>& arguments,
                        TableDeclaration& declaration);

}  // namespace aztables
