// PropertyNames: names of properties that entities of a remote table have, as far as the database
// connection has seen them; and what is wrong with a column whose name differs from a property in
// case only. A page with $select never shows the other name, so one look at a whole entity does.
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

  // Whether whole entities were looked at; nothing is asked for again then.
  bool looked() const { return looked_; }
  void Looked() { looked_ = true; }
  // Whether the look was asked for where the service showed no entity.
  bool asked_in_vain() const { return asked_in_vain_; }
  void AskedInVain() { asked_in_vain_ = true; }
  // Names of which one request for an entity that has them found none.
  bool IsSought(std::string_view name) const { return sought_.contains(name); }
  void Seek(std::string_view name) { sought_.emplace(name); }
  // Whether a declared property was absent where another case of its name is known.
  bool suspect() const { return suspect_; }
  void Suspect() { suspect_ = true; }

 private:
  std::set<std::string, std::less<>> names_;
  std::set<std::string, std::less<>> sought_;
  bool looked_ = false;
  bool asked_in_vain_ = false;
  bool suspect_ = false;
};

// kError if of the names only another case of the column's property is known, and no other column
// shows that one. The message says how to declare the column, without the table's name.
Status CheckName(const PropertyNames& names, const Schema& schema, const Column& column);

}  // namespace aztables
