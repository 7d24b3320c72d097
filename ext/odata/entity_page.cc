// EntityPage: see entity_page.h. It reads each object once, in order. It finds a key by comparing
// it with the key at the same place in the last entity. A property that no cell needs is skipped.
// Values are kept as received until the object ends, because an annotation may follow its property.
// Timestamp, ETag and `_entity` are made when somebody asks for them.
#include "odata/entity_page.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "model/key.h"
#include "model/limits.h"
#include "odata/arena.h"
#include "odata/cell_decoder.h"
#include "odata/json_tokens.h"
#include "odata/json_writer.h"
#include "odata/short_text.h"

namespace aztables {
namespace {

constexpr size_t kMaxKnownKeys = 4096;

}  // namespace

class EntityPage::Impl {
 public:
  explicit Impl(Projection projection)
      : projection_(std::move(projection)),
        width_(kFirstProperty + projection_.properties.size()) {}

  Status Read(std::string body, bool query) {
    Clear();
    AZTABLES_RETURN_IF_ERROR(tokens_.Read(std::move(body)));
    Status status = query ? ReadAll() : ReadOne();
    if (!status.ok()) Clear();
    return status;
  }

  void Clear() {
    cells_.clear();
    later_.clear();
    arena_.Reset();
    tokens_.Clear();
    if (keys_.size() > kMaxKnownKeys) ForgetKeys();
  }

  void Shrink(size_t begin, size_t end) {
    if (projection_.entity) return tokens_.Shrink();
    std::vector<size_t> strings;
    strings.reserve(2 * (end - begin));
    for (size_t row = 0; row < rows(); ++row) {
      Cell* const cells = &cells_[row * width_];
      Later& later = later_[row];
      if (row < begin || row >= end) {
        std::fill_n(cells, width_, Cell());
        later = {};
        continue;
      }
      for (size_t column = 0; column < width_; ++column) decoder_.Keep(cells[column]);
      for (size_t* const token : {&later.timestamp, &later.etag}) {
        if (*token == 0) continue;
        strings.push_back(*token);
        *token = strings.size();
      }
    }
    tokens_.ShrinkTo(strings);
  }

  const Projection& projection() const { return projection_; }
  std::string_view body() const { return tokens_.text(); }
  size_t rows() const { return later_.size(); }

  const Cell& At(size_t row, size_t column) {
    Cell& cell = cells_[row * width_ + column];
    if (column > kRowKey && column < kFirstProperty) MakeNow(later_[row], column, cell);
    return cell;
  }

 private:
  // A property name's place in the page, and the current entity's value of it.
  struct Slot {
    std::string name;
    std::optional<size_t> cell;  // empty: not wanted
    bool user = true;            // belongs in _entity
    uint64_t value_of = 0;       // number of the entity that has `value`
    uint64_t annotation_of = 0;  // number of the entity that has `annotation`
    size_t value = 0;            // token
    size_t annotation = 0;       // token
  };
  struct Key {
    std::string quoted;  // with its quotes and escapes
    size_t slot = 0;
    bool annotation = false;

    std::string_view raw() const { return std::string_view(quoted).substr(1, quoted.size() - 2); }
  };
  // What the built-in cells of a row are made of when they are asked for: tokens; 0: nothing.
  struct Later {
    size_t object = 0;
    size_t timestamp = 0;
    size_t etag = 0;
  };

  void ForgetKeys() {
    keys_.clear();
    slots_.clear();
    key_index_.clear();
    slot_index_.clear();
    sorted_.clear();
    by_name_.clear();
  }

  Status ReadAll() {
    return ReadValueArray(tokens_, [this](size_t& token) { return ReadObject(token); });
  }

  Status ReadOne() {
    size_t token = 0;
    if (tokens_.At(token) != '{') return JsonShapeError("it is not an object");
    AZTABLES_RETURN_IF_ERROR(ReadObject(token));
    if (token == tokens_.size()) return {};
    return JsonShapeError("something follows the JSON document");
  }

  // Reads the object at `token` as a row, and moves `token` after it.
  Status ReadObject(size_t& token) {
    ++entity_;
    wanted_.clear();
    later_.emplace_back();
    // Token 0 is the object of a point read, which begins with its brace.
    later_.back().object = token + 1;
    size_t expected = 0;
    bool more = tokens_.At(++token) != '}';
    if (!more) ++token;
    while (more) {
      if (tokens_.At(token) != '"' || tokens_.At(token + 1) != ':') {
        return JsonShapeError("an entity has something else than members");
      }
      const Key& key = FindKey(token, expected);
      AZTABLES_RETURN_IF_ERROR(ReadMember(key, token + 2));
      const char next = tokens_.At(token += 3);
      if (next != ',' && next != '}') return JsonShapeError("a comma or a brace is missing");
      more = next == ',';
      ++token;
    }
    return AddRow();
  }

  // Inlined, so that a Status without an error costs nothing.
  [[gnu::always_inline]] Status ReadMember(const Key& key, size_t value) {
    Slot& slot = slots_[key.slot];
    uint64_t& seen_in = key.annotation ? slot.annotation_of : slot.value_of;
    if (seen_in == entity_) return MemberTwice(tokens_, later_.back().object, key.raw());
    seen_in = entity_;
    const char first = tokens_.At(value);
    if (key.annotation) {
      slot.annotation = value;
      if (first != '"') return JsonShapeError("the type of a property is no text");
      return {};
    }
    slot.value = value;
    if (slot.cell) {
      wanted_.push_back(key.slot);
      return {};
    }
    // An entity's text has each value, so each is checked.
    if (projection_.entity) return CheckScalar(value);
    if (!StartsScalar(first)) return NoScalar(first);
    return {};
  }

  [[gnu::noinline]] static Status NoScalar(char first) {
    return JsonShapeError(first == '{' || first == '[' ? "a property holds an object or an array"
                                                       : "a value is none of JSON's");
  }

  Status CheckScalar(size_t token) const {
    JsonScalar scalar;
    AZTABLES_RETURN_IF_ERROR(ReadScalar(tokens_, token, scalar));
    const bool valid = scalar.kind != JsonScalar::Kind::kString || HasValidEscapes(scalar.text);
    return valid ? Status() : JsonShapeError(simdjson::STRING_ERROR);
  }

  // The known key at this token. `expected` is its place in keys_ if this entity has the same
  // members as the last one.
  [[gnu::always_inline]] const Key& FindKey(size_t token, size_t& expected) {
    if (expected < keys_.size() && tokens_.IsString(token, keys_[expected].quoted)) {
      return keys_[expected++];
    }
    return FindOtherKey(tokens_.String(token), expected);
  }

  [[gnu::noinline]] const Key& FindOtherKey(std::string_view raw, size_t& expected) {
    auto known = key_index_.find(std::string(raw));
    if (known == key_index_.end()) {
      AddKey(raw);  // first: the index has no place of a key that is not there
      known = key_index_.emplace(raw, keys_.size() - 1).first;
    }
    expected = known->second + 1;
    return keys_[known->second];
  }

  void AddKey(std::string_view raw) {
    std::string name = UnescapeJson(raw);
    const bool annotation = name.size() > kAnnotation.size() && name.ends_with(kAnnotation);
    if (annotation) name.resize(name.size() - kAnnotation.size());
    keys_.push_back({'"' + std::string(raw) + '"', FindSlot(name), annotation});
  }

  size_t FindSlot(const std::string& name) {
    const auto known = slot_index_.find(name);
    if (known != slot_index_.end()) return known->second;
    Slot slot;
    slot.name = name;
    slot.user = false;
    if (name == "PartitionKey") {
      slot.cell = kPartitionKey;
    } else if (name == "RowKey") {
      slot.cell = kRowKey;
    } else if (name == "Timestamp") {
      slot.cell = kTimestamp;
    } else if (name == "odata.etag") {
      slot.cell = kEtag;
    } else {
      slot.user = !name.starts_with("odata.");
      for (size_t i = 0; i < projection_.properties.size(); ++i) {
        if (projection_.properties[i] == name) slot.cell = kFirstProperty + i;
      }
    }
    slots_.push_back(std::move(slot));  // first: the name in the index must exist
    return slot_index_.emplace(name, slots_.size() - 1).first->second;
  }

  std::string_view AnnotationOf(const Slot& slot) const {
    return slot.annotation_of == entity_ ? tokens_.String(slot.annotation) : std::string_view();
  }

  Status AddRow() {
    cells_.resize(cells_.size() + width_);
    Cell* const row = &cells_[cells_.size() - width_];
    for (const size_t index : wanted_) {
      const Slot& slot = slots_[index];
      const std::string_view annotation = AnnotationOf(slot);
      if (*slot.cell == kEtag && tokens_.At(slot.value) == '"') {
        later_.back().etag = slot.value;
      } else if (*slot.cell == kTimestamp && tokens_.At(slot.value) == '"' &&
                 (annotation.empty() || annotation == EdmName(EdmType::kDateTime))) {
        later_.back().timestamp = slot.value;
      } else {
        const bool time = *slot.cell == kTimestamp && annotation.empty();
        AZTABLES_RETURN_IF_ERROR(decoder_.Decode(
            slot.value, time ? EdmName(EdmType::kDateTime) : annotation, row[*slot.cell]));
      }
    }
    return {};
  }

  void MakeNow(Later& later, size_t column, Cell& cell) {
    if (column == kTimestamp && later.timestamp != 0) {
      MakeText(std::exchange(later.timestamp, 0), EdmName(EdmType::kDateTime), cell);
    } else if (column == kEtag && later.etag != 0) {
      MakeText(std::exchange(later.etag, 0), {}, cell);
    } else if (column == kEntity && projection_.entity && later.object != 0) {
      const std::string_view text = arena_.Keep(EntityText(std::exchange(later.object, 0) - 1));
      SetCellText(cell, EdmType::kString, text);
    }
  }

  // A text with escapes that are not valid is malformed.
  void MakeText(size_t token, std::string_view annotation, Cell& cell) {
    if (decoder_.Decode(token, annotation, cell).ok()) return;
    SetCellText(cell, EdmType::kString, tokens_.String(token));
    cell.malformed = true;
  }

  // A member of an object that becomes a text.
  struct Member {
    size_t slot = 0;
    size_t value = 0;             // token
    std::string_view annotation;  // with its escapes
  };

  // The members of an object that was read as a row, in the order received.
  void ListMembers(size_t object) {
    members_.clear();
    ++entity_;
    for (size_t token = object + 1, expected = 0; tokens_.At(token) == '"'; token += 4) {
      const Key& key = FindKey(token, expected);
      Slot& slot = slots_[key.slot];
      if (key.annotation) {
        slot.annotation_of = entity_;
        slot.annotation = token + 2;
      } else {
        members_.push_back({key.slot, token + 2, {}});
      }
      if (tokens_.At(token + 3) != ',') break;
    }
    for (Member& member : members_) member.annotation = AnnotationOf(slots_[member.slot]);
    if (!projection_.as_received) SortMembers();
  }

  // Entities of one program have the same properties, so they are sorted only if they differ from
  // those of the last entity.
  void SortMembers() {
    const auto same = [](const Member& member, size_t slot) { return member.slot == slot; };
    if (!std::equal(members_.begin(), members_.end(), sorted_.begin(), sorted_.end(), same)) {
      sorted_.clear();
      for (const Member& member : members_) sorted_.push_back(member.slot);
      by_name_.resize(members_.size());
      for (size_t i = 0; i < by_name_.size(); ++i) by_name_[i] = i;
      std::sort(by_name_.begin(), by_name_.end(), [this](size_t a, size_t b) {
        return CompareKeys(slots_[members_[a].slot].name, slots_[members_[b].slot].name) < 0;
      });
    }
    ordered_.clear();
    for (const size_t place : by_name_) ordered_.push_back(members_[place]);
    members_.swap(ordered_);
  }

  // The user properties of an object in the service's own minimal-metadata form.
  std::string_view EntityText(size_t object) {
    ListMembers(object);
    entity_text_ = "{";
    for (const Member& member : members_) {
      const Slot& slot = slots_[member.slot];
      JsonScalar scalar;
      if (!slot.user || !ReadScalar(tokens_, member.value, scalar).ok()) continue;
      if (scalar.kind == JsonScalar::Kind::kNull) continue;
      if (entity_text_.size() > 1) entity_text_ += ',';
      const bool marked = member.annotation.empty() && LooksLikeInteger(scalar);
      if (marked || !member.annotation.empty()) {
        AppendJsonString(entity_text_, slot.name + std::string(kAnnotation));
        entity_text_ += ':';
        AppendJsonString(entity_text_,
                         marked ? EdmName(EdmType::kDouble) : Unescaped(member.annotation));
        entity_text_ += ',';
      }
      AppendJsonString(entity_text_, slot.name);
      entity_text_ += ':';
      if (scalar.kind == JsonScalar::Kind::kString) {
        AppendJsonString(entity_text_, Unescaped(scalar.text));
      } else {
        entity_text_ += scalar.text;
      }
    }
    return entity_text_ += '}';
  }

  // REQUIRES: the escapes are valid
  std::string_view Unescaped(std::string_view raw) {
    if (!HasEscape(raw)) return raw;
    unescaped_.clear();
    AppendUnescapedJson(unescaped_, raw);
    return unescaped_;
  }

  const Projection projection_;
  const size_t width_;  // cells of a row
  JsonTokens tokens_;
  Arena arena_;
  CellDecoder decoder_{tokens_, arena_};
  std::vector<Cell> cells_;
  std::vector<Later> later_;  // one for each row

  std::vector<Key> keys_;  // in the order of first occurrence
  std::vector<Slot> slots_;
  std::unordered_map<std::string, size_t> key_index_;   // raw key -> place in keys_
  std::unordered_map<std::string, size_t> slot_index_;  // property name -> place in slots_
  uint64_t entity_ = 0;                                 // number of the entity being read
  std::vector<size_t> wanted_;                          // its slots that have a cell
  std::vector<Member> members_;                         // of the entity that becomes a text
  std::vector<Member> ordered_;
  std::vector<size_t> sorted_;   // slots of the entity that by_name_ is of
  std::vector<size_t> by_name_;  // their places in the order of the names
  std::string entity_text_;
  std::string unescaped_;
};

EntityPage::EntityPage(Projection projection)
    : impl_(std::make_unique<Impl>(std::move(projection))) {}
EntityPage::~EntityPage() = default;
Status EntityPage::ReadQuery(std::string body) { return impl_->Read(std::move(body), true); }
Status EntityPage::ReadEntity(std::string body) { return impl_->Read(std::move(body), false); }
void EntityPage::Clear() { impl_->Clear(); }
void EntityPage::Shrink(size_t begin, size_t end) { impl_->Shrink(begin, end); }
const Projection& EntityPage::projection() const { return impl_->projection(); }
std::string_view EntityPage::body() const { return impl_->body(); }
size_t EntityPage::size() const { return impl_->rows(); }
const Cell& EntityPage::At(size_t row, size_t column) const { return impl_->At(row, column); }

}  // namespace aztables
