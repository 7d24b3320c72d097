// Entities as JSON: see entity_json.h.
#include "service/handlers/entity_json.h"

#include <charconv>
#include <cmath>

#include "base/encoding.h"
#include "odata/json_writer.h"
#include "service/address.h"

namespace aztables {
namespace {

// .NET, whose format this is, writes a Double outside of these bounds with an exponent.
constexpr int kLeastPlainExponent = -4;
constexpr int kLeastLargeExponent = 15;

// Writes the members of an object with commas.
class Members {
 public:
  explicit Members(std::string& out) : out_(out) { out_ += '{'; }
  void End() { out_ += '}'; }

  void Text(std::string_view name, std::string_view text) {
    AppendAsciiJsonString(Property(name), text);
  }
  // Appends a name; the caller appends the value.
  std::string& Property(std::string_view name) {
    Separate();
    AppendAsciiJsonString(out_, name);
    out_ += ':';
    return out_;
  }
  void Annotation(std::string_view name, EdmType type) {
    Separate();
    AppendAsciiJsonString(out_, name);
    out_.insert(out_.size() - 1, "@odata.type");
    out_ += ":\"";
    out_ += EdmName(type);
    out_ += '"';
  }

 private:
  void Separate() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  std::string& out_;
  bool first_ = true;
};

bool Annotated(const PropertyView& property) {
  switch (property.type) {
    case EdmType::kInt64:
    case EdmType::kDateTime:
    case EdmType::kGuid:
    case EdmType::kBinary:
      return true;
    case EdmType::kDouble:
      return !std::isfinite(property.real);
    default:
      return false;
  }
}

void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  out += text;
  out += '"';
}

void AppendValue(std::string& out, const PropertyView& property) {
  switch (property.type) {
    case EdmType::kString:
      AppendAsciiJsonString(out, property.bytes);
      return;
    case EdmType::kInt32:
      out += std::to_string(property.integer);
      return;
    case EdmType::kInt64:
      AppendQuoted(out, std::to_string(property.integer));
      return;
    case EdmType::kBoolean:
      out += property.integer != 0 ? "true" : "false";
      return;
    case EdmType::kDouble:
      if (std::isfinite(property.real)) {
        out += DoubleText(property.real);
      } else {
        AppendQuoted(out, DoubleText(property.real));
      }
      return;
    case EdmType::kDateTime:
      AppendQuoted(out, InstantText(property.integer));
      return;
    case EdmType::kGuid:
      AppendQuoted(out, GuidText(property.bytes));
      return;
    case EdmType::kBinary:
      AppendQuoted(out, Base64Encode(property.bytes));
      return;
    case EdmType::kNull:
      out += "null";
  }
}

void AppendProperty(Members& members, const EntityForm& form, const PropertyView& property) {
  if (form.metadata != Metadata::kNone && Annotated(property)) {
    members.Annotation(property.name, property.type);
  }
  AppendValue(members.Property(property.name), property);
}

void AppendTimestamp(Members& members, const EntityForm& form, Ticks timestamp) {
  if (form.metadata == Metadata::kFull) members.Annotation("Timestamp", EdmType::kDateTime);
  AppendQuoted(members.Property("Timestamp"), InstantText(timestamp));
}

void AppendMetadata(Members& members, const EntityForm& form, const StoredEntity& entity) {
  const bool full = form.metadata == Metadata::kFull;
  std::string path;
  if (full) {
    path = EntityPath(form.table, entity.partition_key, entity.row_key);
    members.Text("odata.type", form.account + "." + form.table);
    members.Text("odata.id", form.base_url + "/" + path);
  }
  members.Text("odata.etag", EtagOf(entity.timestamp));
  if (full) members.Text("odata.editLink", path);
}

void AppendSelected(Members& members, const EntityForm& form, const StoredEntity& entity) {
  for (const std::string& name : *form.select) {
    if (name == "Timestamp") {
      AppendTimestamp(members, form, entity.timestamp);
    } else {
      AppendProperty(members, form, entity.Find(name));
    }
  }
}

}  // namespace

bool IsBuiltIn(std::string_view name) {
  return name == "PartitionKey" || name == "RowKey" || name == "Timestamp";
}

PropertyView StoredEntity::Find(std::string_view name) const {
  if (name == "PartitionKey") return {name, EdmType::kString, partition_key};
  if (name == "RowKey") return {name, EdmType::kString, row_key};
  if (name == "Timestamp") return {name, EdmType::kDateTime, {}, timestamp};
  for (const PropertyView& property : properties) {
    if (property.name == name) return property;
  }
  return {name};
}

std::string InstantText(Ticks ticks) {
  std::string text = FormatDateTime(ticks);
  text.pop_back();  // removes the Z
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + "Z";
}

std::string EtagOf(Ticks timestamp) {
  std::string etag = "W/\"datetime'";
  AppendPercentEncoded(etag, InstantText(timestamp));
  return etag + "'\"";
}

std::string DoubleText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  char buffer[64];
  const auto scientific =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  std::string text(buffer, scientific.ptr);
  const size_t e = text.find('e');
  const int64_t exponent =
      ParseInteger(text.substr(text[e + 1] == '+' ? e + 2 : e + 1)).value_or(0);
  if (exponent >= kLeastLargeExponent || exponent < kLeastPlainExponent) {
    text[e] = 'E';
    return text;
  }
  const auto plain = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  text.assign(buffer, plain.ptr);
  if (text.find('.') == std::string::npos) text += ".0";
  return text;
}

std::string MetadataUrl(const EntityForm& form, bool element) {
  std::string url = form.base_url + "/$metadata#" + form.table;
  if (element) url += "/@Element";
  if (!form.select) return url;
  url += "&$select=";
  for (const std::string& name : *form.select) {
    if (&name != &form.select->front()) url += ',';
    url += name;
  }
  return url;
}

void AppendEntity(std::string& out, const EntityForm& form, const StoredEntity& entity,
                  bool context) {
  Members members(out);
  if (form.metadata != Metadata::kNone) {
    if (context) members.Text("odata.metadata", MetadataUrl(form, true));
    AppendMetadata(members, form, entity);
  }
  if (form.select && !form.select->empty()) {
    AppendSelected(members, form, entity);
  } else {
    members.Text("PartitionKey", entity.partition_key);
    members.Text("RowKey", entity.row_key);
    AppendTimestamp(members, form, entity.timestamp);
    for (const PropertyView& property : entity.properties) {
      AppendProperty(members, form, property);
    }
  }
  members.End();
}

}  // namespace aztables
