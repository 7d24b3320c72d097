// Bodies of writes: see entity_input.h.
#include "service/handlers/entity_input.h"

#include "base/encoding.h"
#include "model/datetime.h"
#include "model/key.h"
#include "model/limits.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

// Whether `text` has more UTF-16 code units. It never has more of them than bytes.
bool IsLonger(std::string_view text, size_t units) {
  return text.size() > units && Utf16Length(text) > units;
}

// At least EntitySize(): it counts two bytes for each byte of a text.
size_t LargestSize(std::string_view partition_key, std::string_view row_key,
                   const std::vector<PropertyView>& properties) {
  constexpr size_t kMostAround = 32;  // what an entity and a property need besides their texts
  size_t size = kMostAround + 2 * (partition_key.size() + row_key.size());
  for (const PropertyView& property : properties) {
    size += kMostAround + 2 * (property.name.size() + property.bytes.size());
  }
  return size;
}

Status CheckValue(const Value& value) {
  if ((value.type == EdmType::kString && IsLonger(value.text, kMaxStringLength)) ||
      (value.type == EdmType::kBinary && value.text.size() > kMaxBinarySize)) {
    return ToStatus(errors::kPropertyValueTooLarge);
  }
  if (value.type == EdmType::kDateTime &&
      ParseDateTime(value.text).value_or(0) < kMinServiceTicks) {
    return ToStatus(errors::kOutOfRangeInput);
  }
  return {};
}

Status CheckProperty(const Property& property) {
  if (IsLonger(property.name, kMaxPropertyNameLength)) {
    return ToStatus(errors::kPropertyNameTooLong);
  }
  if (!IsPropertyName(property.name)) return ToStatus(errors::kPropertyNameInvalid);
  return CheckValue(property.value);
}

Status TakeKey(const Property& property, std::optional<std::string>& key) {
  if (property.value.type == EdmType::kNull) return {};
  if (property.value.type != EdmType::kString) {
    return ToStatus(errors::kInvalidInput, "One of the request inputs is not valid. " +
                                               property.name + " is not a string.");
  }
  key = property.value.text;
  return CheckStoredKey(*key);
}

}  // namespace

Result<EntityInput> ReadEntityInput(std::string_view body, EntityReader& reader) {
  auto properties = reader.All(body);
  if (!properties.ok()) return RefuseBody(properties.status());
  EntityInput input;
  input.record.reserve(body.size());
  for (Property& property : *properties) {
    if (property.name == "PartitionKey") {
      AZTABLES_RETURN_IF_ERROR(TakeKey(property, input.partition_key));
    } else if (property.name == "RowKey") {
      AZTABLES_RETURN_IF_ERROR(TakeKey(property, input.row_key));
    } else if (property.name != "Timestamp" && property.value.type != EdmType::kNull) {
      AZTABLES_RETURN_IF_ERROR(CheckProperty(property));
      // The service stores negative zero as zero.
      if (property.value.type == EdmType::kDouble && property.value.real == 0) {
        property.value.real = 0;
      }
      AppendRecord(input.record, property.name, property.value);
    }
  }
  return input;
}

Status RefuseBody(const Status& error) {
  if (error.code() == Code::kNoMemory) return ToStatus(errors::kOutOfMemory);
  // The reader's errors name this column.
  constexpr std::string_view kColumn = "_entity ";
  std::string_view why = error.message();
  if (why.starts_with(kColumn)) why.remove_prefix(kColumn.size());
  return ToStatus(errors::kInvalidInput,
                  "An error occurred while processing this request. The body " + std::string(why));
}

Status CheckStoredKey(std::string_view key) {
  if (FirstIllegalInKey(key)) return ToStatus(errors::kOutOfRangeInput);
  if (IsLonger(key, kMaxKeyLength)) return ToStatus(errors::kKeyValueTooLarge);
  return {};
}

Status CheckNewTableName(std::string_view name) {
  constexpr size_t kShortest = 3;
  constexpr size_t kLongest = 63;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = ToLowerAscii(name[i]);
    const bool letter = c >= 'a' && c <= 'z';
    const bool digit = c >= '0' && c <= '9';
    if (!letter && (!digit || i == 0)) return ToStatus(errors::kInvalidResourceName);
  }
  if (EqualsIgnoreCase(name, "tables")) return ToStatus(errors::kInvalidResourceName);
  if (name.size() < kShortest || name.size() > kLongest) {
    return ToStatus(errors::kResourceNameLength);
  }
  return {};
}

Status CheckWhole(std::string_view partition_key, std::string_view row_key,
                  const std::vector<PropertyView>& properties) {
  if (properties.size() > kMaxProperties) return ToStatus(errors::kTooManyProperties);
  if (LargestSize(partition_key, row_key, properties) > kMaxEntitySize &&
      EntitySize(partition_key, row_key, properties) > kMaxEntitySize) {
    return ToStatus(errors::kEntityTooLarge);
  }
  return {};
}

}  // namespace aztables
