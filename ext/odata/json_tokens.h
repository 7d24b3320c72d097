// JsonTokens: the places of all tokens of one JSON document, found by simdjson's first phase with
// the best instructions of the processor. A token is a brace, a bracket, a colon, a comma, the
// opening quote of a string, or the start of a number or literal. The first phase also checks that
// the document is UTF-8, that each string ends, and that no string has a control character. All
// other rules of JSON are the reader's task.
//
// Ownership: results point into the body, which lives until the next Read() or Clear().
// Errors: as those of odata/json_document.h.
// Thread rule: one thread at a time.
#pragma once

#include <simdjson.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "odata/json_document.h"
#include "odata/short_text.h"

namespace aztables {

class JsonTokens {
 public:
  // Takes the body and finds its tokens. A byte order mark is dropped.
  Status Read(std::string body);
  // Frees the body.
  void Clear();
  // Keeps only the memory that the document needs. The next document that this thread reads uses
  // the rest.
  void Shrink();
  // The same, but only the bytes of these strings are still needed. String `i` of the list becomes
  // the token i + 1.
  void ShrinkTo(std::span<const size_t> strings);

  size_t size() const { return size_; }
  // Size of the body in bytes.
  size_t bytes() const { return text_.size(); }
  std::string_view text() const { return text_; }
  // Whether it points into the body.
  bool Holds(const char* place) const {
    return place >= text_.data() && place < text_.data() + text_.size();
  }
  // The character at which a token begins. REQUIRES: token <= size(); '\0' at the end
  char At(size_t token) const { return text_.data()[places_[token]]; }
  // A string token, between its quotes, with its escapes. REQUIRES: At(token) == '"'
  std::string_view String(size_t token) const {
    size_t end = places_[token + 1] - 1;
    while (text_[end] != '"') --end;  // only blanks follow the quote
    return text_.substr(places_[token] + 1, end - places_[token] - 1);
  }
  // Whether the token is this string of JSON, with its quotes and escapes.
  bool IsString(size_t token, std::string_view quoted) const {
    return SameText(text_.substr(places_[token], quoted.size()), quoted);
  }
  // A number or literal, which may have any form.
  std::string_view Scalar(size_t token) const;

 private:
  Status Find();
  void Keep(std::vector<uint32_t> places);

  std::string body_;
  std::string_view text_;  // of the body, without a byte order mark
  std::unique_ptr<simdjson::internal::dom_parser_implementation> finder_;
  std::vector<uint32_t> kept_;        // places that the finder had, after Shrink()
  const uint32_t* places_ = nullptr;  // of the finder, or kept_; the last is the end of the text
  size_t size_ = 0;
};

// Whether a string, a number or a literal begins with the character.
inline bool StartsScalar(char first) {
  static constexpr auto kStarts = [] {
    std::array<bool, 256> starts{};
    for (const char c : std::string_view("\"-0123456789tfn")) {
      starts[static_cast<uint8_t>(c)] = true;
    }
    return starts;
  }();
  return kStarts[static_cast<uint8_t>(first)];
}
// Reads the value at `token`: a string with its escapes, a number, boolean or null. An object or
// array is an error.
Status ReadScalar(const JsonTokens& tokens, size_t token, JsonScalar& scalar);
// The error of an entity that has a member twice. It names the entity. `token` is the first in it.
Status MemberTwice(const JsonTokens& tokens, size_t token, std::string_view member);
// Checks the value at `token`, and moves `token` after it.
Status SkipJson(const JsonTokens& tokens, size_t& token);
// Reads a whole document {"value":[{...},...]}, which may have other members. Calls Status
// read(size_t& token) for each object of the array. It moves `token` after the object.
template <typename ReadObject>
Status ReadValueArray(const JsonTokens& tokens, ReadObject&& read);
// Whether the text between two quotes has only escapes of JSON.
bool HasValidEscapes(std::string_view raw);

// Moves `token` after the next comma, or after `close`; the result is whether a comma was there.
Result<bool> TakeComma(const JsonTokens& tokens, size_t& token, char close);

template <typename ReadObject>
Status ReadValueArray(const JsonTokens& tokens, ReadObject&& read) {
  size_t token = 0;
  if (tokens.At(token++) != '{') return JsonShapeError("it is not an object");
  bool found = false;
  bool more = tokens.At(token) != '}';
  if (!more) ++token;
  while (more) {
    if (tokens.At(token) != '"' || tokens.At(token + 1) != ':') {
      return JsonShapeError("it has something else than members");
    }
    const std::string key = UnescapeJson(tokens.String(token));
    token += 2;
    if (key == "odata.error") return JsonShapeError("it contains an error object");
    if (key != "value") {
      AZTABLES_RETURN_IF_ERROR(SkipJson(tokens, token));
    } else {
      if (std::exchange(found, true)) return JsonShapeError("it has the member \"value\" twice");
      if (tokens.At(token++) != '[') return JsonShapeError("its \"value\" is not an array");
      bool another = tokens.At(token) != ']';
      if (!another) ++token;
      while (another) {
        if (tokens.At(token) != '{')
          return JsonShapeError("its array has something else than objects");
        AZTABLES_RETURN_IF_ERROR(read(token));
        const auto comma = TakeComma(tokens, token, ']');
        if (!comma.ok()) return comma.status();
        another = *comma;
      }
    }
    const auto comma = TakeComma(tokens, token, '}');
    if (!comma.ok()) return comma.status();
    more = *comma;
  }
  if (token != tokens.size()) return JsonShapeError("something follows the JSON document");
  return found ? Status() : JsonShapeError("it has no member \"value\"");
}

}  // namespace aztables
