// CheckShape: see argument_shape.h.
#include "schema/argument_shape.h"

#include <algorithm>

#include "base/encoding.h"
#include "base/secret.h"
#include "model/schema.h"
#include "schema/catalog.h"
#include "schema/columns.h"
#include "schema/options.h"

namespace aztables {
namespace {

using Words = std::vector<ArgumentWord>;

const CatalogEntry* FindOption(std::string_view name) { return FindInCatalog("option", name); }

// Whether the word needs quotes because SQLite cannot read it as tokens: 10s and file:/x.
bool NeedsQuotes(std::string_view word) {
  const bool number = word.find_first_not_of("0123456789") == std::string_view::npos;
  const bool digit = word[0] >= '0' && word[0] <= '9';
  return (digit && !number) || word.find(':') != std::string_view::npos;
}

// "table=Orders", or the option's usage if the value must not be shown.
std::string Example(const CatalogEntry& option, std::string_view value) {
  if (!IsPlainWord(value)) return std::string(option.usage);
  const std::string_view quote = NeedsQuotes(value) ? "'" : "";
  return std::string(option.name) + "=" + std::string(quote) + std::string(value) +
         std::string(quote);
}

bool IsType(const ArgumentWord& word) {
  return !word.quoted && TypeFromName(word.text).has_value();
}

bool IsProperty(const ArgumentWord& word) {
  return !word.quoted && EqualsIgnoreCase(word.text, "PROPERTY");
}

// The option that begins with the word at `at`: "scan=deny", "scan =deny" or "scan = deny".
const CatalogEntry* OptionAt(const Words& words, size_t at) {
  if (words[at].quoted) return nullptr;
  const std::string_view text = words[at].text;
  const size_t equals = text.find('=');
  const bool next = at + 1 < words.size() && !words[at + 1].quoted && words[at + 1].text[0] == '=';
  return equals != std::string_view::npos || next ? FindOption(text.substr(0, equals)) : nullptr;
}

// Whether a column begins with the word at `at`: any word but a type, then a type.
bool IsColumnAt(const Words& words, size_t at) {
  const ArgumentWord& before = words[at - 1];
  if (IsProperty(before) || (!before.quoted && before.text.ends_with('='))) return false;
  const ArgumentWord& word = words[at];
  if (!word.quoted && (word.text[0] == '(' || word.text[0] == '=')) return false;
  return !IsType(word) && !IsProperty(word) && at + 1 < words.size() && IsType(words[at + 1]);
}

Status CheckCommas(const Words& words) {
  for (size_t at = 1; at < words.size(); ++at) {
    if (const CatalogEntry* const option = OptionAt(words, at)) {
      return Status::Error("a comma is missing before the option " + std::string(option->name));
    }
    if (IsColumnAt(words, at)) {
      return Status::Error("a comma is missing before the column " + ShowWord(words[at].text));
    }
  }
  return {};
}

// The error for an option in quotes, or for a text that is the whole argument.
Status NeitherOptionNorColumn(const std::string& text) {
  const auto [name, value] = SplitOption(text);
  if (const CatalogEntry* const option = FindOption(name)) {
    return Status::Error("the option " + name + " is in quotes: write " + Example(*option, value));
  }
  const bool plain = IsPlainWord(text);
  const bool dotted = plain && text.find('.') != std::string::npos;  // CONNECTION.NAME
  return Status::Error(ShowWord(text) + " is neither an option nor a column: write table=" +
                       (plain ? text : "NAME") + " for the remote table" +
                       (dotted ? "" : ", or " + (plain ? text : "NAME") + " ANY for a column"));
}

// The error for an option name without '='. Before a type it is a column name.
Status CheckEquals(const Words& words) {
  const std::string_view text = words[0].text;
  const size_t colon = text.find(':');
  if (const CatalogEntry* const option = FindOption(text.substr(0, colon))) {
    const std::string begin = "the option " + std::string(option->name);
    if (colon != std::string_view::npos) {
      return Status::Error(begin + " needs '=', not ':': write " +
                           Example(*option, text.substr(colon + 1)));
    }
    if (words.size() == 1) {
      return Status::Error(begin + " has no value: write " + std::string(option->example) +
                           ", or " + std::string(option->name) + " ANY for a column of that name");
    }
    if (IsType(words[1]) || IsProperty(words[1])) return {};
    return Status::Error(begin + " needs '=': write " + Example(*option, words[1].text));
  }
  return {};
}

}  // namespace

std::optional<std::vector<ArgumentWord>> ArgumentWords(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::vector<ArgumentWord> words;
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    if (text.empty()) return words;
    const char c = text[0];
    if (c == '\'' || c == '"' || c == '`' || c == '[') {
      auto quoted = TakeQuoted(text);
      if (!quoted) return std::nullopt;
      words.push_back({std::move(*quoted), true});
      continue;
    }
    size_t size = std::min(text.find_first_of(" \t\r\n'\"`[("), text.size());
    if (c == '(') {
      size = text.find(')') + 1;
      if (size == 0) return std::nullopt;
    }
    words.push_back({std::string(text.substr(0, size))});
    text.remove_prefix(size);
  }
}

Status CheckShape(std::string_view argument) {
  const auto words = ArgumentWords(argument);
  if (!words || words->empty()) return {};  // malformed: its parser returns the error
  const std::string& first = words->front().text;
  const bool quoted = words->front().quoted;
  const size_t equals = argument.find('=');
  const bool dotted = first.find('.') != std::string::npos && equals == std::string_view::npos;
  if (words->size() == 1 && (quoted || dotted)) return NeitherOptionNorColumn(first);
  if (quoted && words->size() > 1 && (*words)[1].text.starts_with('=') && FindOption(first)) {
    return NeitherOptionNorColumn(first + std::string(argument.substr(equals)));
  }
  AZTABLES_RETURN_IF_ERROR(CheckCommas(*words));
  if (quoted || !SplitOption(argument).first.empty()) return {};
  return CheckEquals(*words);
}

}  // namespace aztables
