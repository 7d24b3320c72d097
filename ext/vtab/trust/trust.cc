// Trust: see trust.h.
#include "vtab/trust/trust.h"

#include <algorithm>

#include "base/encoding.h"
#include "vtab/sqlite/sql.h"

namespace aztables {

void Trust::Connected(const std::string& name, std::string_view how) {
  connected_[name] = InlineFormOf(how);
}

void Trust::Created(std::string_view connection) {
  if (auto form = InlineFormOf(connection)) created_.insert(std::move(form->text));
}

std::set<std::string> Trust::Listed() const {
  std::set<std::string> lines;
  const std::string list = environment_("AZTABLES_TRUST").value_or("");
  for (std::string_view left = list; !left.empty();) {
    const size_t end = left.find('\n');
    const std::string_view line = TrimBlanks(left.substr(0, end));
    if (!line.empty()) lines.emplace(line);
    left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
  }
  return lines;
}

Result<Trust::Use> Trust::UseOf(const InlineForm& form, std::string_view text) const {
  std::optional<Use> use;
  if (created_.count(form.text) > 0) use = Use::kAll;
  const auto allow = [&](const std::optional<InlineForm>& named) {
    if (!named || named->text != form.text) return;
    use = named->read_only || use == Use::kReadOnly ? Use::kReadOnly : Use::kAll;
  };
  for (const auto& [name, named] : connected_) allow(named);
  for (const std::string& line : Listed()) allow(InlineFormOf(line));
  if (use) return *use;
  return Status(Code::kAuth,
                "you have not named this connection on this database connection, and the database "
                "file may have chosen it; if you trust it, " +
                    HowToName(form, text));
}

std::string HowToName(const InlineForm& form, std::string_view text) {
  constexpr uint64_t kNames = 100'000'000;
  constexpr size_t kMostShown = 1000;
  const std::string literal = SqlLiteral(text);
  if (literal.size() > kMostShown) {
    return "name it by aztables_connect; its text of " + std::to_string(text.size()) +
           " bytes is too long to show here: read it in sqlite_schema";
  }
  const std::string name = "stored" + std::to_string(std::hash<std::string>()(form.text) % kNames);
  return "run: SELECT aztables_connect('" + name + "', " + literal + ")";
}

bool Trust::AllowsIndirectWrites(const std::string& name,
                                 const std::optional<InlineForm>& form) const {
  const std::set<std::string> listed = Listed();
  if (!form) return connected_.count(name) > 0 || listed.count(name) > 0;
  const auto is_form = [&](const std::optional<InlineForm>& named) {
    return named && named->text == form->text;
  };
  return std::any_of(connected_.begin(), connected_.end(),
                     [&](const auto& entry) { return is_form(entry.second); }) ||
         std::any_of(listed.begin(), listed.end(),
                     [&](const std::string& line) { return is_form(InlineFormOf(line)); });
}

}  // namespace aztables
