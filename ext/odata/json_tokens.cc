// JsonTokens: see json_tokens.h.
#include "odata/json_tokens.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/encoding.h"
#include "base/exit_gate.h"
#include "model/limits.h"

namespace aztables {
namespace {

constexpr size_t kLeastCapacity = 1024;
constexpr int kMostNesting = 32;  // metadata of any service has two or three levels

// It has four bytes for each byte of its largest document. One for each thread is enough.
using Finder = std::unique_ptr<simdjson::internal::dom_parser_implementation>;
thread_local Finder spare_finder;
constexpr size_t kMostSpare = size_t{8} << 20;  // a page of the service has at most 4 MiB

void GiveBack(Finder finder) {
  if (finder && finder->capacity() <= kMostSpare) spare_finder = std::move(finder);
}

bool IsJsonBlank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool IsDigitAt(std::string_view text, size_t pos) {
  return pos < text.size() && text[pos] >= '0' && text[pos] <= '9';
}

bool IsJsonNumber(std::string_view text) {
  size_t pos = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const size_t begin = pos;
    while (IsDigitAt(text, pos)) ++pos;
    return pos > begin;
  };
  const bool zero = pos < text.size() && text[pos] == '0';
  if (!digits() || (zero && IsDigitAt(text, pos - 1) && pos > (text[0] == '-' ? 2U : 1U))) {
    return false;
  }
  if (pos < text.size() && text[pos] == '.') {
    ++pos;
    if (!digits()) return false;
  }
  if (pos < text.size() && (text[pos] == 'e' || text[pos] == 'E')) {
    ++pos;
    if (pos < text.size() && (text[pos] == '+' || text[pos] == '-')) ++pos;
    if (!digits()) return false;
  }
  return pos == text.size();
}

Status SkipNested(const JsonTokens& tokens, size_t& token, int depth);

// Skips the members of an object or the elements of an array, from its first token on.
Status SkipParts(const JsonTokens& tokens, size_t& token, int depth) {
  const bool object = tokens.At(token) == '{';
  const char close = object ? '}' : ']';
  std::vector<std::string_view> keys;
  if (tokens.At(++token) == close) {
    ++token;
    return {};
  }
  for (;;) {
    if (object) {
      if (tokens.At(token) != '"' || tokens.At(token + 1) != ':') {
        return JsonShapeError("an object has something else than members");
      }
      keys.push_back(tokens.String(token));
      token += 2;
    }
    AZTABLES_RETURN_IF_ERROR(SkipNested(tokens, token, depth + 1));
    const auto comma = TakeComma(tokens, token, close);
    if (!comma.ok()) return comma.status();
    if (!*comma) break;
  }
  std::sort(keys.begin(), keys.end());
  if (std::adjacent_find(keys.begin(), keys.end()) == keys.end()) return {};
  return JsonShapeError("an object has a member twice");
}

// SkipJson() at nesting `depth`. The depth is limited, so that no response exhausts the stack.
Status SkipNested(const JsonTokens& tokens, size_t& token, int depth) {
  if (depth > kMostNesting) return JsonShapeError("its values are nested too deeply");
  if (token >= tokens.size()) return JsonShapeError("it ends early");
  const char first = tokens.At(token);
  if (first == '{' || first == '[') return SkipParts(tokens, token, depth);
  JsonScalar scalar;
  AZTABLES_RETURN_IF_ERROR(ReadScalar(tokens, token++, scalar));
  const bool valid = scalar.kind != JsonScalar::Kind::kString || HasValidEscapes(scalar.text);
  return valid ? Status() : JsonShapeError(simdjson::STRING_ERROR);
}

// The text of a member of an entity, for a message; empty if there is none.
std::string TextOfMember(const JsonTokens& tokens, size_t token, std::string_view name) {
  constexpr size_t kOfMember = 4;  // tokens
  for (; token + kOfMember <= tokens.size(); token += kOfMember) {
    if (tokens.At(token) != '"' || tokens.At(token + 1) != ':') break;
    const bool text = tokens.At(token + 2) == '"';
    if (text && tokens.String(token) == name) return UnescapeJson(tokens.String(token + 2));
    if (tokens.At(token + 3) != ',') break;
  }
  return {};
}

}  // namespace

Status JsonTokens::Read(std::string body) {
  Clear();
  body_ = std::move(body);
  text_ = WithoutByteOrderMark(body_);
  Status status = Find();
  if (!status.ok()) Clear();
  return status;
}

void JsonTokens::Clear() {
  body_ = {};
  text_ = {};
  kept_ = {};
  size_ = 0;
  GiveBack(std::move(finder_));
}

void JsonTokens::Shrink() {
  if (finder_ && size_ > 0) Keep({places_, places_ + size_ + 1});
}

void JsonTokens::ShrinkTo(std::span<const size_t> strings) {
  if (size_ == 0) return;
  std::string body;
  std::vector<uint32_t> places = {0};
  places.reserve(strings.size() + 2);
  for (const size_t token : strings) {
    places.push_back(static_cast<uint32_t>(body.size()));
    body += '"';
    body += String(token);
    body += '"';
  }
  places.push_back(static_cast<uint32_t>(body.size()));
  body.shrink_to_fit();
  body_ = std::move(body);
  text_ = body_;
  Keep(std::move(places));
}

void JsonTokens::Keep(std::vector<uint32_t> places) {
  kept_ = std::move(places);
  places_ = kept_.data();
  size_ = kept_.size() - 1;
  GiveBack(std::move(finder_));
}

Status JsonTokens::Find() {
  if (text_.empty()) return JsonShapeError(simdjson::EMPTY);
  const ExitGate::Use use;
  if (!use.allowed()) return Status::Error("the process is exiting");
  InitJson();
  auto error = simdjson::SUCCESS;
  const size_t capacity = std::max(text_.size(), kLeastCapacity);
  if (!finder_) finder_ = std::move(spare_finder);
  if (!finder_) {
    const simdjson::implementation* const best = simdjson::get_active_implementation();
    error = best->create_dom_parser_implementation(capacity, 1, finder_);
  } else if (finder_->capacity() < text_.size()) {
    error = finder_->set_capacity(capacity);
  }
  if (!error) {
    error = finder_->stage1(reinterpret_cast<const uint8_t*>(text_.data()), text_.size(),
                            simdjson::stage1_mode::regular);
  }
  if (error == simdjson::MEMALLOC) finder_.reset();
  if (error) return JsonShapeError(error);
  places_ = finder_->structural_indexes.get();
  size_ = finder_->n_structural_indexes;
  return {};
}

std::string_view JsonTokens::Scalar(size_t token) const {
  size_t end = places_[token + 1];
  while (IsJsonBlank(text_[end - 1])) --end;
  return text_.substr(places_[token], end - places_[token]);
}

Status ReadScalar(const JsonTokens& tokens, size_t token, JsonScalar& scalar) {
  const char first = tokens.At(token);
  if (first == '"') {
    scalar.kind = JsonScalar::Kind::kString;
    scalar.text = tokens.String(token);
    return {};
  }
  if (first == '{' || first == '[') return JsonShapeError("a property holds an object or an array");
  scalar.text = tokens.Scalar(token);
  if (first == '-' || (first >= '0' && first <= '9')) {
    scalar.kind = JsonScalar::Kind::kNumber;
    return IsJsonNumber(scalar.text) ? Status() : JsonShapeError(simdjson::NUMBER_ERROR);
  }
  scalar.kind = first == 'n' ? JsonScalar::Kind::kNull : JsonScalar::Kind::kBoolean;
  const bool known = scalar.text == "null" || scalar.text == "true" || scalar.text == "false";
  return known ? Status() : JsonShapeError("a value is none of JSON's");
}

Status MemberTwice(const JsonTokens& tokens, size_t token, std::string_view member) {
  return JsonShapeError("the entity " +
                        DescribeEntity(TextOfMember(tokens, token, "PartitionKey"),
                                       TextOfMember(tokens, token, "RowKey")) +
                        " has the member " + QuoteForMessage(member) + " twice");
}

Status SkipJson(const JsonTokens& tokens, size_t& token) { return SkipNested(tokens, token, 0); }

Result<bool> TakeComma(const JsonTokens& tokens, size_t& token, char close) {
  const char next = tokens.At(token);
  if (next != ',' && next != close) return JsonShapeError("a comma or a bracket is missing");
  ++token;
  return next == ',';
}

bool HasValidEscapes(std::string_view raw) {
  if (raw.find('\\') == std::string_view::npos) return true;
  std::string unescaped;
  return AppendUnescapedJson(unescaped, raw);
}

}  // namespace aztables
