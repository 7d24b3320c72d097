// PropertyNames: names of properties of a remote table's entities, as far as the database
// connection has seen them. It also finds the error of a column whose name differs from a property
// in case only. A page with $select never shows the other name, so one whole entity must be read.
//
// Ownership: belongs to its RemoteTable.
// Thread rule: the thread of the database connection.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/status.h"
#include "model/schema.h"

namespace aztables {

class PropertyNames {
 public:
  bool Has(std::string_view name) const { return names_.contains(name); }
  void Add(std::string_view name) { names_.emplace(name); }
  // A name that differs from `name` in case only; empty if `name` itself is known, or none is.
  std::string_view OtherCase(std::string_view name) const;

  // Whether whole entities were read; no further request is made then.
  bool looked() const { return looked_; }
  void Looked() { looked_ = true; }
  // Whether that read was requested but the service returned no entity.
  bool asked_in_vain() const { return asked_in_vain_; }
  void AskedInVain() { asked_in_vain_ = true; }
  // Names for which one request for an entity that has them found none.
  bool IsSought(std::string_view name) const { return sought_.contains(name); }
  void Seek(std::string_view name) { sought_.emplace(name); }
  // Whether a declared property was absent although another case of its name is known.
  bool suspect() const { return suspect_; }
  void Suspect() { suspect_ = true; }

 private:
  std::set<std::string, std::less<>> names_;
  std::set<std::string, std::less<>> sought_;
  bool looked_ = false;
  bool asked_in_vain_ = false;
  bool suspect_ = false;
};

// kError if only another case of the column's property is known, and no other column shows that
// one. The message shows how to declare the column, without the table's name.
Status CheckName(const PropertyNames& names, const Schema& schema, const Column& column);

}  // namespace aztables
