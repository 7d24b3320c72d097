// The arguments of CREATE VIRTUAL TABLE ... USING aztables(...): options and columns. Pure: opens
// no connection.
//
// Thread rule: values and free functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "http/budget.h"
#include "model/schema.h"
#include "plan/planner.h"
#include "table/service_client.h"
#include "write/egt_plan.h"

namespace aztables {

// What a read without a usable key constraint may do.
enum class ScanRule : uint8_t { kAllow, kWarn, kDeny };

struct TableOptions : RequestOptions {
  std::string table;
  bool table_given = false;  // by the option, not by the virtual table's name
  std::string connection = "default";
  std::string connection_of_table;  // of table=prod.Orders; empty: none
  bool read_only = false;           // access=read
  bool create_missing = false;      // create=missing
  bool mismatch_null = false;       // mismatch=null
  bool ignore_etag = false;         // concurrency=none
  bool upsert_merge = false;        // upsert=merge
  Atomicity atomic = Atomicity::kEgt;
  size_t batch = kMaxEgtOperations;                // most operations of an EGT
  size_t max_pending = size_t{256} * 1024 * 1024;  // bytes of a transaction's writes
  bool bulk = false;               // bulk=on: full EGTs are sent while statements run
  bool continue_on_error = false;  // on_error=continue
  Pushdown pushdown = Pushdown::kAll;
  bool compare_text = false;  // compare=text
  size_t parallel = 8;        // requests under way for one statement
  ScanRule scan = ScanRule::kAllow;
  Limits limits;           // max_requests, max_entities, max_seconds
  int infer = kInferAuto;  // how many columns may be inferred

  static constexpr int kInferAuto = -1;  // kInferredColumns if no column is declared
  static constexpr int kInferredColumns = 300;
  static constexpr int kMostInferred = 1500;
};

struct TableDeclaration {
  TableOptions options;
  Schema schema;  // the declared columns

  // How many columns to infer in addition; 0: none.
  int InferredColumns() const;
};

// Reads the arguments. Every error names the argument and the valid forms. An error
// never repeats a value that may be a secret. If there is an error, `declaration` holds the
// arguments that are valid: the table can still be connected to and dropped.
Status ParseDeclaration(std::string_view virtual_table, const std::vector<std::string>& arguments,
                        TableDeclaration& declaration);

// Sets one option. Every error names the valid values.
Status SetOption(std::string_view name, const std::string& value, TableOptions& options);
// OK if the options do not contradict each other.
Status CheckTogether(const TableOptions& options);
// Splits "name=value", with blanks and quotes as in CREATE VIRTUAL TABLE. The name is empty if the
// text does not have that form.
std::pair<std::string, std::string> SplitOption(std::string_view text);

}  // namespace aztables
