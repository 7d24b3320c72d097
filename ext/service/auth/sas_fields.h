// SasFields: the fields of a SAS in a query, and the text that is signed.
// Source: Microsoft, "Create an account SAS", "Create a service SAS".
//
// Thread rule: a value; it points into the query, which outlives it.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace aztables {

class SasFields {
 public:
  using Query = std::multimap<std::string, std::string>;
  explicit SasFields(const Query& query) : query_(query) {}

  // The percent-decoded field; empty if it is absent.
  std::string_view Get(std::string_view name) const;

  // Whether the fields are unambiguous: no duplicates, no control characters (a line end would
  // change what is signed), and sv is a date.
  bool AreWellFormed() const;

  bool IsTableSas() const { return !Get("tn").empty(); }

  // The text that is signed for a table SAS or an account SAS. Empty if the version has no such
  // SAS. REQUIRES: AreWellFormed()
  std::string TextOfTableSas(std::string_view account) const;
  std::string TextOfAccountSas(std::string_view account) const;

 private:
  const Query& query_;
};

}  // namespace aztables
