// EntityPage on simdjson's on-demand parser. It reads each object once, in order. It finds a key by
// comparing it with the key at the same place in the last entity. Values are kept as received until
// the object ends, because an annotation may follow its property.
#include "odata/entity_page.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "model/key.h"
#include "model/limits.h"
#include "odata/arena.h"
#include "odata/json_document.h"
#include "odata/json_value.h"
#include "odata/json_writer.h"

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
    document_.SetBody(std::move(body));
    Status status = query ? ReadAll() : ReadOne();
    if (!status.ok()) Clear();
    return status;
  }

  void Clear() {
    cells_.clear();
    rows_ = 0;
    arena_.Reset();
    document_.Release();
    if (keys_.size() > kMaxKnownKeys) ForgetKeys();
  }

  size_t rows() const { return rows_; }
  const Cell& At(size_t row, size_t column) const { return cells_[row * width_ + column]; }

 private:
  // A property name's place in the page, and the current entity's value of it.
  struct Slot {
    std::string name;
    std::optional<size_t> cell;  // empty: not wanted
    bool user = true;            // belongs in _entity
    size_t entity = 0;           // number of the entity that has `scalar` and `type`
    JsonScalar scalar;
    bool has_scalar = false;
    std::string_view annotation;  // "Edm.Int64"; empty: none
  };
  struct Key {
    std::string raw;  // between the quotes, with its escapes
    size_t slot = 0;
    bool annotation = false;
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
    return ReadValueArray(
        document_, [this](simdjson::ondemand::object& object) { return ReadObject(object); });
  }

  Status ReadOne() {
    simdjson::ondemand::document document;
    AZTABLES_RETURN_IF_ERROR(document_.Parse(document));
    simdjson::ondemand::object object;
    if (auto error = document.get_object().get(object)) return JsonShapeError(error);
    AZTABLES_RETURN_IF_ERROR(ReadObject(object));
    return JsonDocument::CheckEnd(document);
  }

  Status ReadObject(simdjson::ondemand::object& object) {
    ++entity_;
    seen_.clear();
    size_t expected = 0;
    for (auto member : object) {
      simdjson::ondemand::raw_json_string raw;
      simdjson::ondemand::value value;
      if (auto error = member.key().get(raw)) return JsonShapeError(error);
      const Key& key = FindKey(raw.raw(), expected);
      if (auto error = member.value().get(value)) return JsonShapeError(error);
      Slot& slot = slots_[key.slot];
      if (slot.entity != entity_) {
        slot.entity = entity_;
        slot.has_scalar = false;
        slot.annotation = {};
        seen_.push_back(key.slot);
      }
      if (key.annotation ? !slot.annotation.empty() : slot.has_scalar) {
        return JsonShapeError("an entity has the member " + QuoteForMessage(RawString(raw.raw())) +
                              " twice");
      }
      if (key.annotation) {
        if (auto error = document_.Text(value).get(slot.annotation)) return JsonShapeError(error);
      } else {
        AZTABLES_RETURN_IF_ERROR(ReadScalar(document_, value, slot.scalar));
        slot.has_scalar = true;
      }
    }
    return AddRow();
  }

  // The key at `raw`, which ends at its closing quote. `expected` is its place in keys_ if this
  // entity has the same members as the last one.
  const Key& FindKey(const char* raw, size_t& expected) {
    if (expected < keys_.size()) {
      const std::string& key = keys_[expected].raw;
      // Not memcmp: a known key may be longer than the rest of this body and its padding. A key
      // never contains the closing quote, which therefore ends the comparison before that.
      if (std::strncmp(key.c_str(), raw, key.size()) == 0 && raw[key.size()] == '"') {
        return keys_[expected++];
      }
    }
    const std::string_view text = RawString(raw);
    auto known = key_index_.find(std::string(text));
    if (known == key_index_.end()) known = AddKey(text);
    expected = known->second + 1;
    return keys_[known->second];
  }

  std::unordered_map<std::string, size_t>::iterator AddKey(std::string_view raw) {
    std::string name = UnescapeJson(raw);
    const bool annotation = name.size() > kAnnotation.size() && name.ends_with(kAnnotation);
    if (annotation) name.resize(name.size() - kAnnotation.size());
    keys_.push_back({std::string(raw), FindSlot(name), annotation});
    return key_index_.emplace(std::string(raw), keys_.size() - 1).first;
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

  Status AddRow() {
    cells_.resize(cells_.size() + width_);
    Cell* const row = &cells_[rows_ * width_];
    for (const size_t index : seen_) {
      Slot& slot = slots_[index];
      if (!slot.has_scalar || !slot.cell) continue;
      if (*slot.cell == kTimestamp && slot.annotation.empty()) slot.annotation = "Edm.DateTime";
      FillCell(slot, row[*slot.cell]);
    }
    if (projection_.entity) {
      BuildEntityText();
      SetText(row[kEntity], EdmType::kString, arena_.Keep(entity_text_));
    }
    ++rows_;
    return {};
  }

  static void SetText(Cell& cell, EdmType type, std::string_view text) {
    cell.type = type;
    cell.text = text.data() ? text.data() : "";
    cell.size = static_cast<uint32_t>(text.size());
  }

  void FillCell(const Slot& slot, Cell& cell) {
    const std::optional<EdmType> annotated = EdmFromName(slot.annotation);
    const bool known = annotated || slot.annotation.empty();
    const EdmType type = known ? TypeOfScalar(slot.scalar, annotated) : EdmType::kNull;
    if (type == EdmType::kString && slot.scalar.kind == JsonScalar::Kind::kString) {
      SetText(cell, type, slot.scalar.text);
      return;
    }
    const bool null = slot.scalar.kind == JsonScalar::Kind::kNull;
    const auto value = known || null ? DecodeScalar(slot.scalar, type) : std::nullopt;
    if (!value) {
      SetText(cell, type, slot.scalar.text);
      cell.malformed = true;
      return;
    }
    cell.type = type;
    switch (type) {
      case EdmType::kNull:
        break;
      case EdmType::kInt32:
      case EdmType::kInt64:
      case EdmType::kBoolean:
        cell.integer = value->integer;
        break;
      case EdmType::kDouble:
        cell.real = value->real;
        break;
      default:
        SetText(cell, type, arena_.Keep(value->text));
    }
  }

  // A Double without annotation and point (an emulator sends such values): a reader of the text
  // could take it for an Int64 without its annotation.
  static bool LooksLikeInteger(const Slot& slot) {
    constexpr size_t kInt32Digits = 10;
    const std::string_view text = slot.scalar.text;
    return slot.annotation.empty() && slot.scalar.kind == JsonScalar::Kind::kNumber &&
           text.size() >= kInt32Digits && text.find_first_of(".eE") == std::string_view::npos &&
           TypeOfScalar(slot.scalar, std::nullopt) == EdmType::kDouble;
  }

  // seen_ in the order of the names. Entities of one program have the same properties, so they are
  // sorted only if they differ from those of the last entity.
  const std::vector<size_t>& ByName() {
    if (seen_ == sorted_) return by_name_;
    const auto before = [this](size_t a, size_t b) {
      return CompareKeys(slots_[a].name, slots_[b].name) < 0;
    };
    by_name_ = seen_;
    if (!std::is_sorted(by_name_.begin(), by_name_.end(), before)) {
      std::sort(by_name_.begin(), by_name_.end(), before);
    }
    sorted_ = seen_;
    return by_name_;
  }

  // The user properties in the service's own minimal-metadata form.
  void BuildEntityText() {
    entity_text_ = "{";
    for (const size_t index : projection_.as_received ? seen_ : ByName()) {
      const Slot& slot = slots_[index];
      if (!slot.user || !slot.has_scalar || slot.scalar.kind == JsonScalar::Kind::kNull) continue;
      if (entity_text_.size() > 1) entity_text_ += ',';
      const std::string_view annotation =
          LooksLikeInteger(slot) ? std::string_view("Edm.Double") : slot.annotation;
      if (!annotation.empty()) {
        AppendJsonString(entity_text_, slot.name + std::string(kAnnotation));
        entity_text_ += ':';
        AppendJsonString(entity_text_, annotation);
        entity_text_ += ',';
      }
      AppendJsonString(entity_text_, slot.name);
      entity_text_ += ':';
      if (slot.scalar.kind == JsonScalar::Kind::kString) {
        AppendJsonString(entity_text_, slot.scalar.text);
      } else {
        entity_text_ += slot.scalar.text;
      }
    }
    entity_text_ += '}';
  }

  const Projection projection_;
  const size_t width_;  // cells of a row
  JsonDocument document_;
  Arena arena_;
  std::vector<Cell> cells_;
  size_t rows_ = 0;

  std::vector<Key> keys_;  // in the order of first occurrence
  std::vector<Slot> slots_;
  std::unordered_map<std::string, size_t> key_index_;   // raw key -> place in keys_
  std::unordered_map<std::string, size_t> slot_index_;  // property name -> place in slots_
  size_t entity_ = 0;                                   // number of the entity being read
  std::vector<size_t> seen_;                            // slots of that entity, in order
  std::vector<size_t> sorted_;                          // seen_ of the entity that by_name_ is of
  std::vector<size_t> by_name_;                         // the same slots by name
  std::string entity_text_;
};

EntityPage::EntityPage(Projection projection)
    : impl_(std::make_unique<Impl>(std::move(projection))) {}
EntityPage::~EntityPage() = default;
Status EntityPage::ReadQuery(std::string body) { return impl_->Read(std::move(body), true); }
Status EntityPage::ReadEntity(std::string body) { return impl_->Read(std::move(body), false); }
void EntityPage::Clear() { impl_->Clear(); }
size_t EntityPage::size() const { return impl_->rows(); }
const Cell& EntityPage::At(size_t row, size_t column) const { return impl_->At(row, column); }

}  // namespace aztables
