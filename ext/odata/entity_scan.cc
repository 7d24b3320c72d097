// EntityScan on simdjson's on-demand parser: see entity_scan.h. Each object
// is walked once, in order; an annotation may stand before or behind its property.
#include "odata/entity_scan.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>

#include "odata/json_document.h"
#include "odata/json_value.h"

namespace aztables {
namespace {

constexpr std::string_view kAnnotation = "@odata.type";

Value Decode(const JsonScalar& scalar, std::string_view annotation) {
  const std::optional<EdmType> annotated = EdmFromName(annotation);
  if (annotated || annotation.empty()) {
    if (auto value = DecodeScalar(scalar, TypeOfScalar(scalar, annotated))) return *value;
  }
  Value any;
  any.text = scalar.text;
  return any;
}

}  // namespace

class EntityScan::Impl {
 public:
  Result<size_t> Read(std::string body, const Visitor& visitor) {
    document_.SetBody(std::move(body));
    count_ = 0;
    const Status status = ReadAll(visitor);
    document_.Release();
    if (!status.ok()) return status;
    return count_;
  }

 private:
  struct Member {
    std::string_view name;
    JsonScalar scalar;
    std::string_view annotation;
  };
  struct Annotation {
    std::string_view name;  // of the property
    std::string_view type;
  };

  Status ReadAll(const Visitor& visitor) {
    return ReadValueArray(document_, [&](simdjson::ondemand::object& object) -> Status {
      AZTABLES_RETURN_IF_ERROR(ReadObject(object));
      return Show(visitor);
    });
  }

  Status ReadObject(simdjson::ondemand::object& object) {
    members_.clear();
    annotations_.clear();
    for (auto field : object) {
      std::string_view key;
      simdjson::ondemand::value value;
      if (auto error = document_.Text(field.key()).get(key)) return JsonShapeError(error);
      if (auto error = field.value().get(value)) return JsonShapeError(error);
      if (key.size() > kAnnotation.size() && key.ends_with(kAnnotation)) {
        std::string_view type;
        if (auto error = document_.Text(value).get(type)) return JsonShapeError(error);
        annotations_.push_back({key.substr(0, key.size() - kAnnotation.size()), type});
        continue;
      }
      Member member{key, {}, {}};
      AZTABLES_RETURN_IF_ERROR(ReadScalar(document_, value, member.scalar));
      // Usually the annotation stood just before.
      for (size_t i = annotations_.size(); i-- > 0;) {
        if (annotations_[i].name != key) continue;
        member.annotation = annotations_[i].type;
        annotations_.erase(annotations_.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
      members_.push_back(member);
    }
    for (const Annotation& annotation : annotations_) {
      for (Member& member : members_) {
        if (member.name == annotation.name) member.annotation = annotation.type;
      }
    }
    return {};
  }

  Status Show(const Visitor& visitor) {
    ScannedEntity& entity = entity_;
    entity.properties.clear();
    bool has_partition_key = false;
    bool has_row_key = false;
    for (const Member& member : members_) {
      const bool text = member.scalar.kind == JsonScalar::Kind::kString;
      if (member.name == "PartitionKey") {
        entity.partition_key = member.scalar.text;
        has_partition_key = text;
      } else if (member.name == "RowKey") {
        entity.row_key = member.scalar.text;
        has_row_key = text;
      } else if (member.scalar.kind != JsonScalar::Kind::kNull && member.name != "Timestamp" &&
                 !member.name.starts_with("odata.")) {
        entity.properties.push_back({member.name, Decode(member.scalar, member.annotation)});
      }
    }
    if (!has_partition_key || !has_row_key) {
      return Status::Error("the answer has an entity without PartitionKey and RowKey");
    }
    ++count_;
    visitor(entity);
    return {};
  }

  JsonDocument document_;
  std::vector<Member> members_;          // of the entity being read
  std::vector<Annotation> annotations_;  // whose property has not come yet
  ScannedEntity entity_;
  size_t count_ = 0;
};

EntityScan::EntityScan() : impl_(std::make_unique<Impl>()) {}
EntityScan::~EntityScan() = default;
Result<size_t> EntityScan::ReadQuery(std::string body, const Visitor& visitor) {
  return impl_->Read(std::move(body), visitor);
}

}  // namespace aztables
