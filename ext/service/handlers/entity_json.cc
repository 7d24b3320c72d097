// Entities as JSON: see entity_json.h.
#include "service/handlers/entity_json.h"

#include <algorithm>
#include <cmath>

#include "base/encoding.h"
#include "odata/json_writer.h"
#include "service/address.h"

namespace aztables {
namespace {

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

template <typename Write>
void AppendQuoted(JsonText& out, const Write& write) {
  out.Written(kLongestValue + 2, [&write](char* to) {
    *to++ = '"';
    to = write(to);
    *to++ = '"';
    return to;
  });
}

void AppendValue(JsonText& out, InstantWriter& dates, const PropertyView& property) {
  switch (property.type) {
    case EdmType::kString:
      out.String(property.bytes);
      return;
    case EdmType::kInt32:
      out.Written(kLongestValue, [&](char* to) { return WriteInteger(property.integer, to); });
      return;
    case EdmType::kInt64:
      AppendQuoted(out, [&](char* to) { return WriteInteger(property.integer, to); });
      return;
    case EdmType::kBoolean:
      out.Raw(property.integer != 0 ? "true" : "false");
      return;
    case EdmType::kDouble:
      if (std::isfinite(property.real)) {
        out.Written(kLongestValue, [&](char* to) { return WriteDouble(property.real, to); });
      } else {
        AppendQuoted(out, [&](char* to) { return WriteDouble(property.real, to); });
      }
      return;
    case EdmType::kDateTime:
      AppendQuoted(out, [&](char* to) { return dates.Write(property.integer, to); });
      return;
    case EdmType::kGuid:
      AppendQuoted(out, [&](char* to) { return WriteGuid(property.bytes, to); });
      return;
    case EdmType::kBinary:
      out.String(Base64Encode(property.bytes));
      return;
    case EdmType::kNull:
      out.Raw("null");
  }
}

}  // namespace

EntityWriter::EntityWriter(const EntityForm& form, std::string& out) : form_(form), out_(out) {
  if (!form.select) return;
  members_.reserve(form.select->size());
  for (const std::string& name : *form.select) {
    Member& member = members_.emplace_back();
    member.name = name;
    if (name == "PartitionKey") member.source = Source::kPartitionKey;
    if (name == "RowKey") member.source = Source::kRowKey;
    if (name == "Timestamp") member.source = Source::kTimestamp;
  }
}

void EntityWriter::Append(const StoredEntity& entity, bool context) {
  out_.Raw('{');
  first_ = true;
  if (form_.metadata != Metadata::kNone) {
    if (context) Text("odata.metadata", MetadataUrl(form_, true));
    AppendMetadata(entity);
  }
  if (form_.select && !form_.select->empty()) {
    for (Member& member : members_) AppendSelected(member, entity);
  } else {
    Text("PartitionKey", entity.partition_key);
    Text("RowKey", entity.row_key);
    AppendTimestamp(entity.timestamp);
    if (members_.size() < entity.properties.size()) members_.resize(entity.properties.size());
    for (size_t i = 0; i < entity.properties.size(); ++i) {
      AppendProperty(members_[i], entity.properties[i]);
    }
  }
  out_.Raw('}');
}

void EntityWriter::AppendMetadata(const StoredEntity& entity) {
  const bool full = form_.metadata == Metadata::kFull;
  std::string path;
  if (full) {
    path = EntityPath(form_.table, entity.partition_key, entity.row_key);
    Text("odata.type", form_.account + "." + form_.table);
    Text("odata.id", form_.base_url + "/" + path);
  }
  Raw(R"("odata.etag":"W/\")");
  out_.Written(kLongestValue,
               [&](char* to) { return timestamps_.WriteForEtag(entity.timestamp, to); });
  out_.Raw(R"(\"")");
  if (full) Text("odata.editLink", path);
}

void EntityWriter::AppendTimestamp(Ticks timestamp) {
  if (form_.metadata == Metadata::kFull) Raw(R"("Timestamp@odata.type":"Edm.DateTime")");
  Raw(R"("Timestamp":)");
  AppendQuoted(out_, [&](char* to) { return timestamps_.Write(timestamp, to); });
}

void EntityWriter::AppendSelected(Member& member, const StoredEntity& entity) {
  const auto& properties = entity.properties;
  switch (member.source) {
    case Source::kTimestamp:
      AppendTimestamp(entity.timestamp);
      return;
    case Source::kPartitionKey:
      AppendProperty(member, {member.name, EdmType::kString, entity.partition_key});
      return;
    case Source::kRowKey:
      AppendProperty(member, {member.name, EdmType::kString, entity.row_key});
      return;
    case Source::kProperty:
      break;
  }
  // Most entities have a property in the same place as the entity before.
  if (member.place >= properties.size() || properties[member.place].name != member.name) {
    const auto found = std::find_if(properties.begin(), properties.end(),
                                    [&](const PropertyView& p) { return p.name == member.name; });
    if (found == properties.end()) {
      AppendProperty(member, {member.name});
      return;
    }
    member.place = static_cast<size_t>(found - properties.begin());
  }
  AppendProperty(member, properties[member.place]);
}

void EntityWriter::AppendProperty(Member& member, const PropertyView& property) {
  const bool annotated = form_.metadata != Metadata::kNone && Annotated(property);
  const EdmType annotation = annotated ? property.type : EdmType::kNull;
  if (member.lead.empty() || member.annotation != annotation || member.name != property.name) {
    if (member.name != property.name) member.name = property.name;
    member.annotation = annotation;
    member.lead.clear();
    if (annotated) {
      AppendAsciiJsonString(member.lead, member.name + "@odata.type");
      member.lead.append(":\"").append(EdmName(annotation)).append("\",");
    }
    AppendAsciiJsonString(member.lead, member.name);
    member.lead += ':';
  }
  Raw(member.lead);
  AppendValue(out_, dates_, property);
}

void EntityWriter::Text(std::string_view name, std::string_view text) {
  Separate();
  out_.String(name);
  out_.Raw(':');
  out_.String(text);
}

void EntityWriter::Raw(std::string_view members) {
  Separate();
  out_.Raw(members);
}

void EntityWriter::Separate() {
  if (!first_) out_.Raw(',');
  first_ = false;
}

void AppendEntity(std::string& out, const EntityForm& form, const StoredEntity& entity,
                  bool context) {
  EntityWriter(form, out).Append(entity, context);
}

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

std::string MetadataUrl(const EntityForm& form, bool element) {
  constexpr size_t kUsual = 250;
  std::string url;
  url.reserve(kUsual);
  url.append(form.base_url).append("/$metadata#").append(form.table);
  if (element) url += "/@Element";
  if (!form.select) return url;
  url += "&$select=";
  for (const std::string& name : *form.select) {
    if (&name != &form.select->front()) url += ',';
    url += name;
  }
  return url;
}

}  // namespace aztables
