// SasFields: the options of a query that make up a SAS, and what of them is signed.
// Source: Microsoft, "Create an account SAS", "Create a service SAS".
//
// Thread rule: a value; it looks into the query, which outlives it.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace aztables {

class SasFields {
 public:
  using Query = std::multimap<std::string, std::string>;
  explicit SasFields(const Query& query) : query_(query) {}

  // The field, percent-decoded; empty where it was not sent.
  std::string_view Get(std::string_view name) const;

  // Whether the fields can be read in one way only: none stands twice, none has a control
  // character, which could be taken for a line end of what is signed, and sv is a date.
  bool AreWellFormed() const;

  bool IsTableSas() const { return !Get("tn").empty(); }

  // What the signature of a table SAS or of an account SAS is made of; empty for a version that had
  // no such SAS. REQUIRES: AreWellFormed()
  std::string TextOfTableSas(std::string_view account) const;
  std::string TextOfAccountSas(std::string_view account) const;

 private:
  const Query& query_;
};

}  // namespace aztables
