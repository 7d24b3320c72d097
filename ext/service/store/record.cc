// Records: see record.h.
#include "service/store/record.h"

#include <cstring>

#include "base/encoding.h"
#include "model/datetime.h"
#include "model/limits.h"

namespace aztables {
namespace {

void AppendSize(std::string& out, size_t size) {
  while (size >= 0x80) {
    out += static_cast<char>(size | 0x80);
    size >>= 7;
  }
  out += static_cast<char>(size);
}

template <typename T>
void AppendFixed(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof bytes);
}

// Reads values from the front of a record. `ok` becomes false if the record is too short.
class RecordReader {
 public:
  explicit RecordReader(std::string_view record)
      : at_(record.data()), end_(record.data() + record.size()) {}

  bool AtEnd() const { return at_ == end_; }
  std::string_view Take(size_t size) {
    if (size > static_cast<size_t>(end_ - at_)) {
      ok = false;
      at_ = end_;
      return {};
    }
    const std::string_view taken(at_, size);
    at_ += size;
    return taken;
  }
  size_t TakeSize() {
    size_t size = 0;
    for (int shift = 0; shift <= 28 && at_ != end_; shift += 7) {
      const auto bits = static_cast<unsigned char>(*at_++);
      size |= static_cast<size_t>(bits & 0x7F) << shift;
      if (bits < 0x80) return size;
    }
    ok = false;
    return 0;
  }
  template <typename T>
  T TakeFixed() {
    T value{};
    const std::string_view bytes = Take(sizeof value);
    if (ok) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  bool ok = true;

 private:
  const char* at_;
  const char* end_;
};

int HexDigit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

}  // namespace

void AppendRecord(std::string& record, std::string_view name, const Value& value) {
  PropertyView view{name, value.type, value.text, value.integer, value.real};
  std::string guid;
  if (value.type == EdmType::kGuid) {
    guid = GuidBytes(value.text);
    view.bytes = guid;
  } else if (value.type == EdmType::kDateTime) {
    view.integer = ParseDateTime(value.text).value_or(0);
  }
  AppendRecord(record, view);
}

void AppendRecord(std::string& record, const PropertyView& property) {
  if (property.type == EdmType::kNull) return;
  record += static_cast<char>(property.type);
  AppendSize(record, property.name.size());
  record += property.name;
  switch (property.type) {
    case EdmType::kString:
    case EdmType::kBinary:
      AppendSize(record, property.bytes.size());
      record += property.bytes;
      return;
    case EdmType::kGuid:
      record += property.bytes;
      return;
    case EdmType::kInt32:
      AppendFixed(record, static_cast<int32_t>(property.integer));
      return;
    case EdmType::kBoolean:
      record += static_cast<char>(property.integer);
      return;
    case EdmType::kDouble:
      AppendFixed(record, property.real);
      return;
    default:
      AppendFixed(record, property.integer);
  }
}

Status ReadRecord(std::string_view record, std::vector<PropertyView>& properties) {
  size_t count = 0;
  RecordReader reader(record);
  while (reader.ok && !reader.AtEnd()) {
    if (count == properties.size()) properties.emplace_back();
    PropertyView& property = properties[count++];
    property = PropertyView();
    property.type = static_cast<EdmType>(reader.Take(1)[0]);
    property.name = reader.Take(reader.TakeSize());
    switch (property.type) {
      case EdmType::kString:
      case EdmType::kBinary:
        property.bytes = reader.Take(reader.TakeSize());
        break;
      case EdmType::kGuid:
        property.bytes = reader.Take(16);
        break;
      case EdmType::kInt32:
        property.integer = reader.TakeFixed<int32_t>();
        break;
      case EdmType::kBoolean:
        property.integer = reader.TakeFixed<char>();
        break;
      case EdmType::kDouble:
        property.real = reader.TakeFixed<double>();
        break;
      case EdmType::kInt64:
      case EdmType::kDateTime:
        property.integer = reader.TakeFixed<int64_t>();
        break;
      default:
        reader.ok = false;
    }
  }
  properties.resize(count);
  return reader.ok ? Status() : Status::Error("the store is damaged: an entity cannot be read");
}

char* WriteGuid(std::string_view bytes, char* out) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) *out++ = '-';
    const auto byte = static_cast<unsigned char>(bytes[i]);
    *out++ = kHex[byte >> 4];
    *out++ = kHex[byte & 15];
  }
  return out;
}

std::string GuidBytes(std::string_view text) {
  std::string bytes;
  bytes.reserve(16);
  for (size_t i = 0; i + 1 < text.size();) {
    if (text[i] == '-') {
      ++i;
      continue;
    }
    bytes += static_cast<char>(HexDigit(text[i]) << 4 | HexDigit(text[i + 1]));
    i += 2;
  }
  return bytes;
}

size_t EntitySize(std::string_view partition_key, std::string_view row_key,
                  const std::vector<PropertyView>& properties) {
  size_t size = CountedKeys(partition_key, row_key);
  for (const PropertyView& property : properties) {
    size += CountedProperty(property.name, property.type, property.bytes);
  }
  return size;
}

}  // namespace aztables
