// EntityReader on simdjson's on-demand parser: see entity_reader.h. It reads every object to its
// end, because an annotation may follow its property.
#include "odata/entity_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "base/encoding.h"
#include "model/convert.h"
#include "model/limits.h"
#include "odata/json_document.h"
#include "odata/json_value.h"
#include "odata/json_writer.h"
#include "odata/rewritten_entity.h"

namespace aztables {
namespace {

constexpr size_t kFewMembers = 16;             // are searched one by one
constexpr size_t kMostKept = 8 * 1024 * 1024;  // bytes; a longer text's memory is freed

// One property in a text.
struct Member {
  std::string_view name;
  std::optional<JsonScalar> value;
  std::optional<std::string_view> annotation;
};

Result<EdmType> TypeOfMember(const Member& member) {
  std::optional<EdmType> annotated;
  if (member.annotation) {
    annotated = EdmFromName(*member.annotation);
    if (!annotated) {
      return EntityTextError("property " + ShowProperty(member.name) + " has the unknown type " +
                             QuoteArgument(*member.annotation));
    }
  }
  const JsonScalar& scalar = *member.value;
  const EdmType type = TypeOfScalar(scalar, annotated);
  if (!annotated && type == EdmType::kDouble &&
      scalar.text.find_first_of(".eE") == std::string_view::npos && !IsWholeDouble(scalar.text)) {
    const std::string name = ShowProperty(member.name);
    return EntityTextError("property " + name +
                           " is outside Int32 and not exact as Double; write \"" + name +
                           "@odata.type\":\"Edm.Int64\" and the number as a string");
  }
  return type;
}

Result<Value> Decode(const Member& member) {
  const auto type = TypeOfMember(member);
  if (!type.ok()) return type.status();
  auto value = DecodeScalar(*member.value, *type);
  if (!value) {
    return EntityTextError("property " + ShowProperty(member.name) + ": " +
                           QuoteArgument(member.value->text) + " is not a valid " +
                           std::string(EdmName(*type)));
  }
  return std::move(*value);
}

Status NotJson() { return EntityTextError("it is not JSON"); }

Status NoScalar(std::string_view key) {
  const bool annotation = key.ends_with(kAnnotation);
  if (annotation) key.remove_suffix(kAnnotation.size());
  return EntityTextError(
      "the value of " + ShowProperty(key) + (annotation ? std::string(kAnnotation) : "") +
      " is not a string, a boolean, null, or a number in the range of Edm.Double");
}

Status Twice(std::string_view name) {
  return EntityTextError("property " + ShowProperty(name) + " occurs twice");
}

// Distinguishes the keys of one property, its own and that of its annotation, from all others,
// mostly by one byte.
class KeyMatcher {
 public:
  enum class Role : uint8_t { kOther, kValue, kType };

  // `body` is the whole text: keys point into it.
  KeyMatcher(std::string_view name, std::string_view body)
      : name_(name),
        end_(body.data() + body.size()),
        // A key with an escape, or a name that would need one, cannot be compared as written.
        plain_(body.find('\\') == std::string_view::npos &&
               name.find_first_of("\"\\") == std::string_view::npos) {}

  Role RoleOf(const char* raw) const {
    if (plain_ && !Begins(raw)) return Role::kOther;
    const std::string_view key = RawString(raw);
    if (key.find('\\') == std::string_view::npos) return Compare(key);
    return Compare(UnescapeJson(key));
  }

 private:
  bool Begins(const char* raw) const {
    if (static_cast<size_t>(end_ - raw) <= name_.size()) return false;
    const char after = raw[name_.size()];
    return (after == '"' || after == '@') && std::memcmp(raw, name_.data(), name_.size()) == 0;
  }
  Role Compare(std::string_view key) const {
    if (!key.starts_with(name_)) return Role::kOther;
    key.remove_prefix(name_.size());
    if (key.empty()) return Role::kValue;
    return key == kAnnotation ? Role::kType : Role::kOther;
  }

  const std::string_view name_;
  const char* const end_;
  const bool plain_;
};

std::string Stored(const Property& property) {
  std::string text;
  AppendStoredProperty(text, "", property.name, property.value);
  return text;
}

}  // namespace

class EntityReader::Impl {
 public:
  Result<std::vector<Property>> All(std::string_view text) {
    members_.clear();
    index_.clear();
    AZTABLES_RETURN_IF_ERROR(
        Walk(text, [&](const char*, simdjson::ondemand::field& field) -> Status {
          std::string_view name;
          JsonScalar scalar;
          if (document_->Text(field.key()).get(name)) return NotJson();
          if (!ReadScalar(*document_, field.value(), scalar).ok()) return NoScalar(name);
          if (name.starts_with("odata.")) return {};
          const bool annotation = name.ends_with(kAnnotation);
          if (annotation) name.remove_suffix(kAnnotation.size());
          Member& member = MemberNamed(name);
          if (annotation) {
            member.annotation = scalar.text;
          } else if (member.value) {
            return Twice(name);
          } else {
            member.value = scalar;
          }
          return {};
        }));
    std::vector<Property> properties;
    properties.reserve(members_.size());
    for (const Member& member : members_) {
      if (!member.value) continue;
      auto value = Decode(member);
      if (!value.ok()) return value.status();
      properties.push_back({std::string(member.name), std::move(*value)});
    }
    return properties;
  }

  Result<std::vector<std::string>> Names(std::string_view text) {
    std::vector<std::string> names;
    AZTABLES_RETURN_IF_ERROR(
        Walk(text, [&](const char* raw, simdjson::ondemand::field& field) -> Status {
          std::string name = UnescapeJson(RawString(raw));
          simdjson::ondemand::json_type type{};
          if (field.value().type().get(type)) return NotJson();
          const bool metadata = name.starts_with("odata.") || name.ends_with(kAnnotation);
          if (!metadata && type != simdjson::ondemand::json_type::null) {
            names.push_back(std::move(name));
          }
          return {};
        }));
    return names;
  }

  // The member `name`; it has no value if it is absent or null.
  Result<Member> Find(std::string_view text, std::string_view name) {
    Member found{name, std::nullopt, std::nullopt};
    std::optional<KeyMatcher> matcher;
    AZTABLES_RETURN_IF_ERROR(
        Walk(text, [&](const char* raw, simdjson::ondemand::field& field) -> Status {
          if (!matcher) matcher.emplace(name, document_->body());
          const KeyMatcher::Role role = matcher->RoleOf(raw);
          simdjson::ondemand::value& json = field.value();
          if (role == KeyMatcher::Role::kOther) {
            simdjson::ondemand::json_type type{};
            if (json.type().get(type)) return NotJson();
            const bool nested = type == simdjson::ondemand::json_type::object ||
                                type == simdjson::ondemand::json_type::array;
            return nested ? NoScalar(UnescapeJson(RawString(raw))) : Status();
          }
          JsonScalar scalar;
          if (!ReadScalar(*document_, json, scalar).ok()) return NoScalar(name);
          if (role == KeyMatcher::Role::kType) {
            found.annotation = scalar.text;
          } else if (found.value) {
            return Twice(name);
          } else {
            found.value = scalar;
          }
          return {};
        }));
    if (found.value && found.value->kind == JsonScalar::Kind::kNull) found.value.reset();
    if (name.starts_with("odata.") || name.ends_with(kAnnotation)) found.value.reset();  // metadata
    return found;
  }

  Result<std::string> Set(std::string_view text, const Property& property) {
    RewrittenEntity out(property.name, text.size() + property.value.text.size() + 100);
    const bool stored = property.value.type != EdmType::kNull;
    bool found = false;
    size_t others = 0;  // stored properties other than this one
    AZTABLES_RETURN_IF_ERROR(WalkMembers(text, [&](const EntityMember& member) -> Status {
      if (member.property != property.name) {
        if (member.IsStored()) ++others;
        out.Keep(member);
      } else if (member.role == EntityMember::Role::kValue) {
        if (found) return Twice(member.property);
        found = true;
        out.Append(Stored(property));
      }
      return {};
    }));
    if (!found) out.Insert(Stored(property));
    if (stored && !found && others >= kMaxProperties) {
      return Status(Code::kTooBig, "property " + property.name +
                                       " would be one too many; an entity may have 252 besides "
                                       "its keys and Timestamp");
    }
    return std::move(out).Text();
  }

  Result<std::string> Rename(std::string_view text, std::string_view name,
                             std::string_view new_name) {
    RewrittenEntity out(new_name, text.size() + 2 * new_name.size());
    std::optional<EntityMember> value;
    std::optional<std::string_view> annotation;
    bool taken = name == new_name;
    AZTABLES_RETURN_IF_ERROR(WalkMembers(text, [&](const EntityMember& member) -> Status {
      const bool metadata = member.role == EntityMember::Role::kMetadata;
      if (metadata || (member.property != name && member.property != new_name)) {
        out.Keep(member);
      } else if (member.property != name) {
        taken = taken || member.IsStored();
      } else if (member.role == EntityMember::Role::kType) {
        annotation = member.value;
      } else if (value) {
        return Twice(name);
      } else {
        value = member;
      }
      return {};
    }));
    if (!value || value->null) return std::string(text);
    if (taken) {
      return Status(Code::kMismatch, "property " + ShowProperty(name) + " cannot become " +
                                         std::string(new_name) + ", which the entity has already");
    }
    std::string renamed;
    if (annotation) {
      AppendJsonString(renamed, std::string(new_name) + std::string(kAnnotation));
      (renamed += ':').append(*annotation) += ',';
    }
    AppendJsonString(renamed, new_name);
    (renamed += ':').append(value->value);
    out.Insert(renamed);
    return std::move(out).Text();
  }

 private:
  // The member of this name, which is added if it is new.
  Member& MemberNamed(std::string_view name) {
    // An annotation and its property are mostly neighbors.
    if (!members_.empty() && members_.back().name == name) return members_.back();
    if (members_.size() < kFewMembers) {
      const auto found = std::find_if(members_.begin(), members_.end(),
                                      [&](const Member& member) { return member.name == name; });
      if (found != members_.end()) return *found;
    } else {
      for (size_t i = index_.size(); i < members_.size(); ++i) index_.emplace(members_[i].name, i);
      const auto [place, added] = index_.emplace(name, members_.size());
      if (!added) return members_[place->second];
    }
    return members_.emplace_back(Member{name, std::nullopt, std::nullopt});
  }

  // Calls `visit(raw key, field)` for each member of the object in `text`.
  template <typename Visit>
  Status Walk(std::string_view text, const Visit& visit) {
    if (large_) document_ = std::make_unique<JsonDocument>();
    large_ = text.size() > kMostKept;
    document_->CopyBody(text);
    simdjson::ondemand::document document;
    if (const Status parsed = document_->Parse(document); !parsed.ok()) {
      return parsed.code() == Code::kNoMemory ? parsed : NotJson();
    }
    simdjson::ondemand::object root;
    if (document.get_object().get(root)) {
      return TrimBlanks(text).starts_with('{') ? NotJson() : EntityTextError("it is not an object");
    }
    for (auto member : root) {
      simdjson::ondemand::field field;
      if (std::move(member).get(field)) return NotJson();
      AZTABLES_RETURN_IF_ERROR(visit(field.key().raw(), field));
    }
    if (!JsonDocument::CheckEnd(document).ok()) return EntityTextError("something follows it");
    return {};
  }

  // Calls `visit(member)` for each member of the object in `text`.
  template <typename Visit>
  Status WalkMembers(std::string_view text, const Visit& visit) {
    return Walk(text, [&](const char* raw, simdjson::ondemand::field& field) -> Status {
      EntityMember member;
      std::string_view& name = member.property;
      simdjson::ondemand::value& json = field.value();
      JsonScalar scalar;
      if (document_->Text(field.key()).get(name)) return NotJson();
      member.value = TrimBlanks(json.raw_json_token());
      member.written = {raw - 1, member.value.data() + member.value.size()};
      if (!ReadScalar(*document_, json, scalar).ok()) return NoScalar(name);
      member.null = scalar.kind == JsonScalar::Kind::kNull;
      if (name.starts_with("odata.")) {
        member.role = EntityMember::Role::kMetadata;
      } else if (name.ends_with(kAnnotation)) {
        member.role = EntityMember::Role::kType;
        name.remove_suffix(kAnnotation.size());
      }
      return visit(member);
    });
  }

  std::unique_ptr<JsonDocument> document_ = std::make_unique<JsonDocument>();
  bool large_ = false;  // the last text was longer than kMostKept
  std::vector<Member> members_;
  // name -> place in members_; empty if these are few
  std::unordered_map<std::string_view, size_t> index_;
};

EntityReader::EntityReader() : impl_(std::make_unique<Impl>()) {}
EntityReader::~EntityReader() = default;

Result<std::vector<Property>> EntityReader::All(std::string_view text) { return impl_->All(text); }

Result<std::vector<std::string>> EntityReader::Names(std::string_view text) {
  return impl_->Names(text);
}

Result<Value> EntityReader::Get(std::string_view text, std::string_view name) {
  const auto member = impl_->Find(text, name);
  if (!member.ok()) return member.status();
  if (!member->value) return Value();
  return Decode(*member);
}

Result<EdmType> EntityReader::TypeOf(std::string_view text, std::string_view name) {
  const auto member = impl_->Find(text, name);
  if (!member.ok()) return member.status();
  if (!member->value) return EdmType::kNull;
  return TypeOfMember(*member);
}

Result<std::string> EntityReader::Set(std::string_view text, const Property& property) {
  return impl_->Set(text, property);
}

Result<std::string> EntityReader::Rename(std::string_view text, std::string_view name,
                                         std::string_view new_name) {
  return impl_->Rename(text, name, new_name);
}

Status EntityTextError(std::string_view what) {
  return {Code::kMismatch, "_entity is not a JSON object of properties: " + std::string(what)};
}

}  // namespace aztables
