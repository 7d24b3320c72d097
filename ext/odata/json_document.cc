// Shared JSON reading: see json_document.h. simdjson's on-demand parser checks only the parts that
// are read. So every value is read or skipped, and the end is checked.
#include "odata/json_document.h"

#include <algorithm>
#include <new>
#include <optional>

#include "base/encoding.h"
#include "base/exit_gate.h"

namespace aztables {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The value of the four hex digits at raw[pos]; nothing if they are not hex digits.
std::optional<char32_t> HexEscape(std::string_view raw, size_t pos) {
  if (raw.size() < pos + 4) return std::nullopt;
  char32_t value = 0;
  for (size_t i = pos; i < pos + 4; ++i) {
    const int digit = HexValue(raw[i]);
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<char32_t>(digit);
  }
  return value;
}

// The code point of the escape \uXXXX whose digits are at raw[pos]. If a second half follows, it is
// the code point of the pair. `pos` moves to the end.
std::optional<char32_t> UnicodeEscape(std::string_view raw, size_t& pos) {
  const auto code = HexEscape(raw, pos);
  pos += 4;
  if (!code || *code < 0xD800 || *code > 0xDBFF || raw.substr(pos, 2) != "\\u") return code;
  const auto low = HexEscape(raw, pos + 2);
  if (!low || *low < 0xDC00 || *low > 0xDFFF) return code;
  pos += 6;
  return 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
}

}  // namespace

void InitJson() {
  // simdjson creates objects of its own at their first use, and exit() destroys them. It ends the
  // process if it has no memory for them, so there must be enough.
  static const bool ready = [] {
    static_cast<void>(std::make_unique<char[]>(4096));
    return !simdjson::get_active_implementation()->name().empty();
  }();
  static const ExitGate::CloseAtExit closes_before_simdjson;
  static_cast<void>(ready);
}

bool AppendUnescapedJson(std::string& out, std::string_view raw) {
  constexpr std::string_view kEscapes = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  for (size_t pos = 0; pos < raw.size();) {
    const size_t end = std::min(raw.find('\\', pos), raw.size());
    out += raw.substr(pos, end - pos);
    if (end == raw.size()) return true;
    pos = end + 2;
    const char c = end + 1 < raw.size() ? raw[end + 1] : '\0';
    if (c == 'u') {
      const auto code = UnicodeEscape(raw, pos);
      if (!code) return false;
      AppendUtf8(out, *code);
      continue;
    }
    const size_t escape = kEscapes.find(c);
    if (escape == std::string_view::npos) return false;
    out += kMeanings[escape];
  }
  return true;
}

std::string_view WithoutByteOrderMark(std::string_view body) {
  if (body.starts_with(kByteOrderMark)) body.remove_prefix(kByteOrderMark.size());
  return body;
}

void JsonDocument::SetBody(std::string body) {
  body_ = std::move(body);
  begin_ = body_.size() - WithoutByteOrderMark(body_).size();
  body_.reserve(body_.size() + simdjson::SIMDJSON_PADDING);
}

void JsonDocument::CopyBody(std::string_view body) {
  body = WithoutByteOrderMark(body);
  begin_ = 0;
  body_.reserve(body.size() + simdjson::SIMDJSON_PADDING);
  body_.assign(body);
}

Status JsonDocument::Parse(simdjson::ondemand::document& document) {
  const size_t size = body_.size() - begin_;
  // If simdjson could not make a parser for the body before, it would continue without one.
  if (size == 0) return JsonShapeError(simdjson::EMPTY);
  // simdjson 4 skips a mark itself, older versions do not: one was skipped already.
  if (body_.compare(begin_, kByteOrderMark.size(), kByteOrderMark) == 0) {
    return JsonShapeError("it begins with two byte order marks");
  }
  const ExitGate::Use use;
  if (!use.allowed()) return Status::Error("the process is exiting");
  InitJson();
  if (auto error =
          parser_.iterate(body_.data() + begin_, size, body_.capacity() - begin_).get(document)) {
    return JsonShapeError(error);
  }
  if (auto error = MakeRoomForStrings(size)) return JsonShapeError(error);
  return {};
}

// No string is longer than its escaped form; simdjson writes whole blocks.
simdjson::error_code JsonDocument::MakeRoomForStrings(size_t document_size) {
  const size_t wanted = document_size + simdjson::SIMDJSON_PADDING;
  if (strings_size_ < wanted) {
    strings_size_ = 0;
    strings_.reset();
    strings_.reset(new (std::nothrow) uint8_t[wanted]);
    if (!strings_) return simdjson::MEMALLOC;
    strings_size_ = wanted;
  }
  next_string_ = strings_.get();
  return simdjson::SUCCESS;
}

Status JsonDocument::CheckEnd(simdjson::ondemand::document& document) {
  const char* rest = nullptr;
  // At the end of the document simdjson has no location.
  if (document.current_location().get(rest) != simdjson::SUCCESS) return {};
  return JsonShapeError("something follows the JSON document");
}

Status JsonShapeError(simdjson::error_code error) {
  if (error == simdjson::MEMALLOC) return {Code::kNoMemory, "there is no memory to read it"};
  return JsonShapeError(simdjson::error_message(error));
}

Status JsonShapeError(std::string_view what) {
  return Status::Error("the response is not the JSON that a table service sends (" +
                       std::string(what) + ")");
}

Status ReadScalar(JsonDocument& json, simdjson::ondemand::value& value, JsonScalar& scalar) {
  simdjson::ondemand::json_type type{};
  if (auto error = value.type().get(type)) return JsonShapeError(error);
  switch (type) {
    case simdjson::ondemand::json_type::string:
      scalar.kind = JsonScalar::Kind::kString;
      if (auto error = json.Text(value).get(scalar.text)) return JsonShapeError(error);
      return {};
    case simdjson::ondemand::json_type::number: {
      scalar.kind = JsonScalar::Kind::kNumber;
      scalar.text = TrimBlanks(value.raw_json_token());
      double checked = 0;
      if (auto error = value.get_double().get(checked)) return JsonShapeError(error);
      return {};
    }
    case simdjson::ondemand::json_type::boolean: {
      scalar.kind = JsonScalar::Kind::kBoolean;
      scalar.text = TrimBlanks(value.raw_json_token());
      bool checked = false;
      if (auto error = value.get_bool().get(checked)) return JsonShapeError(error);
      return {};
    }
    case simdjson::ondemand::json_type::null: {
      scalar.kind = JsonScalar::Kind::kNull;
      scalar.text = "null";
      bool is_null = false;
      if (auto error = value.is_null().get(is_null)) return JsonShapeError(error);
      return is_null ? Status() : JsonShapeError("a value is neither null nor anything else");
    }
    default:
      return JsonShapeError("a property holds an object or an array");
  }
}

std::string_view RawString(const char* raw) {
  size_t size = 0;
  while (raw[size] != '"') size += raw[size] == '\\' ? 2 : 1;
  return {raw, size};
}

std::string UnescapeJson(std::string_view raw) {
  std::string out;
  return AppendUnescapedJson(out, raw) ? out : std::string(raw);
}

simdjson::simdjson_result<std::string_view> JsonDocument::Unescape(const char* raw) {
  std::string text;
  if (!AppendUnescapedJson(text, RawString(raw))) return simdjson::STRING_ERROR;
  char* const place = reinterpret_cast<char*>(next_string_);
  std::copy(text.begin(), text.end(), place);  // not longer than its escaped form
  next_string_ += text.size();
  return std::string_view(place, text.size());
}

}  // namespace aztables
