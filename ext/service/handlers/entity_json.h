// EntityJson: entities in response bodies, at the three levels of metadata.
// Source: Microsoft, "Payload format for Table service operations". Recorded traffic: numbers,
// dates, and the order of members (odata.*, keys, Timestamp, properties as stored).
//
// Thread rule: one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/datetime.h"
#include "service/handlers/json_text.h"
#include "service/handlers/value_text.h"
#include "service/store/record.h"

namespace aztables {

enum class Metadata : uint8_t { kNone, kMinimal, kFull };

// An entity from the store; keys in UTF-8.
struct StoredEntity {
  std::string partition_key;
  std::string row_key;
  Ticks timestamp = 0;
  std::vector<PropertyView> properties;

  // The property of that name, also a key or Timestamp; kNull if it is absent.
  PropertyView Find(std::string_view name) const;
};
// Whether every entity has the property: a key or Timestamp.
bool IsBuiltIn(std::string_view name);

// The parts that all entities of a response share.
struct EntityForm {
  Metadata metadata = Metadata::kMinimal;
  std::string base_url;  // "https://account.table.core.windows.net": absolute, without last "/"
  std::string account;
  std::string table;  // as in the request
  // $select; nothing: all properties. Selected properties that an entity lacks are null.
  std::optional<std::vector<std::string>> select;
};

// The value of odata.metadata of a query, or of one entity if `element` is set.
std::string MetadataUrl(const EntityForm& form, bool element);

// Appends entities of one form to a text. What all of them share is written once.
class EntityWriter {
 public:
  // `form` and `out` outlive the writer. Others may append to `out` only through text().
  EntityWriter(const EntityForm& form, std::string& out);

  // Appends {...}. With `context` odata.metadata is first, as in point reads and echoes of inserts.
  void Append(const StoredEntity& entity, bool context);
  JsonText& text() { return out_; }

 private:
  enum class Source : uint8_t { kProperty, kPartitionKey, kRowKey, kTimestamp };
  // A property in $select; without $select, the property at that place of the last entity.
  struct Member {
    Source source = Source::kProperty;
    std::string name;
    size_t place = 0;                     // of the property in the last entity that had it
    EdmType annotation = EdmType::kNull;  // the type in `lead`
    std::string lead;                     // "N@odata.type":"Edm.Int64","N":
  };

  void AppendMetadata(const StoredEntity& entity);
  void AppendTimestamp(Ticks timestamp);
  void AppendSelected(Member& member, const StoredEntity& entity);
  void AppendProperty(Member& member, const PropertyView& property);
  // "name":"text"
  void Text(std::string_view name, std::string_view text);
  // The beginning of a member, as JSON.
  void Raw(std::string_view members);
  void Separate();

  const EntityForm& form_;
  JsonText out_;
  InstantWriter timestamps_;  // apart, since they are often of one second
  InstantWriter dates_;
  std::vector<Member> members_;
  bool first_ = true;  // no member was written
};
// Append() of one entity.
void AppendEntity(std::string& out, const EntityForm& form, const StoredEntity& entity,
                  bool context);

}  // namespace aztables
