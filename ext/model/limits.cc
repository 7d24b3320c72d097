// Limits: see limits.h.
#include "model/limits.h"

#include "base/encoding.h"
#include "base/secret.h"
#include "model/convert.h"
#include "model/key.h"

namespace aztables {
namespace {

bool IsAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }

std::string HexCodePoint(char32_t c) {
  std::string bytes;
  if (c > 0xFFFF) bytes += static_cast<char>(c >> 16);
  bytes += static_cast<char>(c >> 8 & 0xFF);
  bytes += static_cast<char>(c & 0xFF);
  std::string text = "U+";
  AppendHex(text, bytes);
  return text;
}

Status CheckKey(std::string_view name, std::string_view key) {
  if (!IsValidUtf8(key)) {
    return {Code::kMismatch, std::string(name) + " " + QuoteArgument(key) + " is not valid UTF-8"};
  }
  if (const auto illegal = FirstIllegalInKey(key)) {
    return {Code::kMismatch, std::string(name) + " " + QuoteArgument(key) + " contains " +
                                 HexCodePoint(*illegal) +
                                 ": a key may not contain / \\ # ? or control characters"};
  }
  if (Utf16Length(key) > kMaxKeyLength) {
    return {Code::kTooBig, std::string(name) + " " + QuoteArgument(key) + " has " +
                               std::to_string(Utf16Length(key)) +
                               " UTF-16 code units; the limit is " + std::to_string(kMaxKeyLength)};
  }
  return {};
}

// `where` returns the words that name the property.
template <typename Where>
Status CheckProperty(const Property& property, const Where& where) {
  if (Utf16Length(property.name) > kMaxPropertyNameLength) {
    return {Code::kTooBig, "the name of " + where() + " is longer than 255 characters"};
  }
  if (!IsPropertyName(property.name)) {
    return {Code::kMismatch,
            where() + " has an invalid name: letters, digits and _ only, no digit first"};
  }
  const Value& value = property.value;
  if (value.type == EdmType::kString) {
    if (!IsValidUtf8(value.text) && !IsValidUtf8(WithoutLoneSurrogates(value.text))) {
      return {Code::kMismatch, where() + " is not valid UTF-8"};
    }
    if (const size_t length = Utf16Length(value.text); length > kMaxStringLength) {
      return {Code::kTooBig, where() + " has " + std::to_string(length) +
                                 " UTF-16 code units; a String may have 32768 (64 KiB)"};
    }
  }
  if (value.type == EdmType::kBinary && value.text.size() > kMaxBinarySize) {
    return {Code::kTooBig, where() + " has " + std::to_string(value.text.size()) +
                               " bytes; a Binary may have 65536 (64 KiB)"};
  }
  return {};
}

Status NotATableName(std::string_view name) {
  return Status::Error(((IsPlainWord(name) ? std::string(name) : ShowWord(name))) +
                       " is not a valid table name: 3 to 63 letters and digits, the first a "
                       "letter");
}

}  // namespace

size_t CountedSize(EdmType type, std::string_view text) {
  switch (type) {
    case EdmType::kNull:
      return 0;
    case EdmType::kString:
      return 4 + 2 * Utf16Length(text);
    case EdmType::kBinary:
      return 4 + text.size();
    case EdmType::kInt32:
      return 4;
    case EdmType::kBoolean:
      return 1;
    case EdmType::kGuid:
      return 16;
    case EdmType::kInt64:
    case EdmType::kDouble:
    case EdmType::kDateTime:
      return 8;
  }
  return 0;
}

size_t CountedKeys(std::string_view partition_key, std::string_view row_key) {
  return 4 + 2 * (Utf16Length(partition_key) + Utf16Length(row_key));
}

size_t CountedProperty(std::string_view name, EdmType type, std::string_view text) {
  return type == EdmType::kNull ? 0 : 8 + 2 * Utf16Length(name) + CountedSize(type, text);
}

Status CheckEntity(const Entity& entity) {
  AZTABLES_RETURN_IF_ERROR(CheckKey("PartitionKey", entity.partition_key));
  AZTABLES_RETURN_IF_ERROR(CheckKey("RowKey", entity.row_key));
  size_t count = 0;
  size_t size = 0;
  for (const Property& property : entity.properties) {
    if (property.value.type == EdmType::kNull) continue;
    AZTABLES_RETURN_IF_ERROR(CheckProperty(property, [&] {
      return "property " + ShowProperty(property.name) + " of the entity " +
             DescribeEntity(entity.partition_key, entity.row_key);
    }));
    ++count;
    size += CountedSize(property.value.type, property.value.text);
  }
  if (count > kMaxProperties) {
    return {Code::kTooBig, "the entity " + DescribeEntity(entity.partition_key, entity.row_key) +
                               " has " + std::to_string(count) +
                               " properties; the limit is 252 besides its keys and Timestamp"};
  }
  if (size > kMaxEntitySize) {
    return {Code::kTooBig, "the entity " + DescribeEntity(entity.partition_key, entity.row_key) +
                               " has values of " + std::to_string(size) +
                               " bytes; the limit of an entity is 1 MiB"};
  }
  return {};
}

bool IsPropertyName(std::string_view name) {
  if (name.empty() || IsAsciiDigit(name[0])) return false;
  for (const char c : name) {
    const bool letter = IsAsciiLetter(c) || static_cast<unsigned char>(c) >= 0x80;
    if (!letter && !IsAsciiDigit(c) && c != '_') return false;
  }
  return IsValidUtf8(name);
}

Status CheckUserProperty(const Property& property) {
  if (property.name == "PartitionKey" || property.name == "RowKey" ||
      property.name == "Timestamp") {
    return {Code::kMismatch, property.name + " is a column of its own, not a property"};
  }
  return CheckProperty(property, [&] { return "property " + QuoteArgument(property.name); });
}

Status CheckTableName(std::string_view name) {
  if (name.empty() || MayBeSecret(name) || Utf16Length(name) > 255 || !IsValidUtf8(name) ||
      FirstIllegalInKey(name) || name.find('\'') != std::string_view::npos) {
    return NotATableName(name);
  }
  return {};
}

Status CheckStorageTableName(std::string_view name) {
  constexpr size_t kLeast = 3;
  constexpr size_t kMost = 63;
  bool legal = name.size() >= kLeast && name.size() <= kMost && IsAsciiLetter(name[0]);
  for (const char c : name) legal = legal && (IsAsciiLetter(c) || IsAsciiDigit(c));
  if (IsMetricsTable(name) && IsPlainWord(name.substr(1))) {
    return Status::Error(std::string(name) + " belongs to the service, and can only be read");
  }
  if (!legal) return NotATableName(name);
  if (!EqualsIgnoreCase(name, "tables")) return {};
  return Status::Error(std::string(name) +
                       " is not a valid table name: the service keeps it for itself");
}

bool IsMetricsTable(std::string_view name) { return name.starts_with("$Metrics"); }

std::string EntityExistsText(std::string_view entity) {
  return (entity.empty() ? "an entity of the table" : "the entity " + std::string(entity)) +
         " already exists; INSERT OR IGNORE keeps it, OR REPLACE overwrites it";
}

std::string ShowBlob(size_t bytes) {
  return "a BLOB of " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string QuoteArgument(std::string_view text) {
  return MayBeSecret(text) ? std::string(kNotShown) : QuoteForMessage(text);
}

std::string ShowProperty(std::string_view name) {
  const bool legal = IsPropertyName(name) && Utf16Length(name) <= kMaxPropertyNameLength;
  return legal ? std::string(name) : QuoteArgument(name);
}

std::string QuoteForMessage(std::string_view text) {
  constexpr size_t kShown = 80;
  std::string quoted = "'";
  size_t pos = 0;
  while (pos < text.size() && pos < kShown) {
    size_t next = pos;
    const char32_t c = NextCodePoint(text, next);
    if (IsControl(c) || c == 0xFFFD || IsSurrogate(c)) {
      quoted += "\xEF\xBF\xBD";
    } else {
      if (c == '\'') quoted += '\'';
      quoted += text.substr(pos, next - pos);
    }
    pos = next;
  }
  if (pos < text.size()) quoted += "...";
  return quoted + "'";
}

std::string DescribeEntity(std::string_view partition_key, std::string_view row_key) {
  return "PartitionKey=" + QuoteForMessage(partition_key) + ", RowKey=" + QuoteForMessage(row_key);
}

}  // namespace aztables
