// What all JSON readers here share: a padded body, the check that nothing follows the document,
// scalars, and the errors for a body of the wrong shape. Includes simdjson: only for .cc files of
// odata.
//
// Thread rule: one thread at a time.
#pragma once

#include <simdjson.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "odata/json_value.h"

namespace aztables {

// The end of a key that is the annotation of a property.
inline constexpr std::string_view kAnnotation = "@odata.type";

// Prepares simdjson, so that exit() closes the ExitGate before it destroys simdjson's objects.
// REQUIRES: this thread holds an ExitGate::Use
void InitJson();

class JsonDocument {
 public:
  // Takes the body; a byte order mark is dropped.
  void SetBody(std::string body);
  // Copies the body and keeps its memory for the next one.
  void CopyBody(std::string_view body);
  // The body, without a byte order mark.
  std::string_view body() const { return std::string_view(body_).substr(begin_); }
  // Frees the body's memory. The memory of the strings is kept for the next body.
  void Release() { body_ = {}; }
  // Begins to read the body. Strings live until the next Parse() of this object.
  Status Parse(simdjson::ondemand::document& document);
  // The text of a string, or of a key as Text(member.key()). Use it in place of simdjson's
  // get_string() and unescaped_key(). If memory is short, those write to address 0. They also
  // reject lone surrogates, which here have the form of base/encoding.h. REQUIRES: `raw` is of the
  // document parsed last, and was not passed before: there is no room for more
  simdjson::simdjson_result<std::string_view> Text(
      simdjson::simdjson_result<simdjson::ondemand::raw_json_string> raw) {
    if (raw.error()) return raw.error();
    auto text = parser_.unescape(raw.value_unsafe(), next_string_);
    if (text.error() == simdjson::STRING_ERROR) return Unescape(raw.value_unsafe().raw());
    return text;
  }
  simdjson::simdjson_result<std::string_view> Text(simdjson::ondemand::value& value) {
    return Text(value.get_raw_json_string());
  }
  // OK if nothing but blanks follows what was read. REQUIRES: every value was read
  static Status CheckEnd(simdjson::ondemand::document& document);

 private:
  simdjson::error_code MakeRoomForStrings(size_t document_size);
  // The string at `raw`, by our own unescaping.
  simdjson::simdjson_result<std::string_view> Unescape(const char* raw);

  simdjson::ondemand::parser parser_;
  std::string body_;
  size_t begin_ = 0;
  std::unique_ptr<uint8_t[]> strings_;  // of the document, one after another
  size_t strings_size_ = 0;
  uint8_t* next_string_ = nullptr;  // in strings_
};

// kNoMemory if memory is short: such an error does not concern the shape.
Status JsonShapeError(simdjson::error_code error);
Status JsonShapeError(std::string_view what);

// Reads a string, number, boolean or null; an object or array is an error.
Status ReadScalar(JsonDocument& json, simdjson::ondemand::value& value, JsonScalar& scalar);
// The text between the quotes at `raw`, with its escapes. REQUIRES: the quotes are closed
std::string_view RawString(const char* raw);
// Unescapes that text, lone surrogates included. REQUIRES: valid JSON
std::string UnescapeJson(std::string_view raw);
// Appends the unescaped text of `raw`; false if an escape is not valid.
bool AppendUnescapedJson(std::string& out, std::string_view raw);
// The body without its byte order mark, if it has one.
std::string_view WithoutByteOrderMark(std::string_view body);

}  // namespace aztables
