// GeneratedTable. See generated_table.h.
#include "server/generated_table.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace aztables::bench {
namespace {

constexpr size_t kVariants = 1000;  // texts that repeat; keys, N, Big and Id do not
constexpr size_t kPartitionDigits = 6;
constexpr size_t kRowDigits = 7;

// In the texts of a property, these stand for its keys and N.
constexpr char kPartitionKey = '\1';
constexpr char kRowKey = '\2';
constexpr char kN = '\3';

std::string Printed(const char* format, auto... values) {
  std::array<char, 128> text;
  const int size = std::snprintf(text.data(), text.size(), format, values...);
  return {text.data(), static_cast<size_t>(size)};
}

// A key is often its prefix and digits.
support::KeyForm Digits(char prefix, size_t digits) {
  return [=](size_t number) {
    std::string key(digits + 1, prefix);
    for (size_t at = digits; at > 0; number /= 10) key[at--] = static_cast<char>('0' + number % 10);
    return key;
  };
}

struct NamedText {
  std::string_view name;
  std::string json;  // name and value, with an annotation if the type needs one
};

std::string Text(std::string_view name, std::string_view value) {
  return '"' + std::string(name) + "\":\"" + std::string(value) + '"';
}

std::string Annotated(std::string_view name, std::string_view type, std::string_view value) {
  return Text(std::string(name) + "@odata.type", type) + ',' + Text(name, value);
}

// All properties of a variant, in the order of the wire.
std::vector<NamedText> PropertiesOf(size_t variant) {
  const int v = static_cast<int>(variant);
  const std::string n(1, kN);
  return {
      {"PartitionKey", Text("PartitionKey", std::string(1, kPartitionKey))},
      {"RowKey", Text("RowKey", std::string(1, kRowKey))},
      {"Timestamp", Text("Timestamp", Printed("2026-01-01T00:00:%02d.%07dZ", v % 60, v))},
      {"Name", Text("Name", Printed("name %d", v))},
      {"Note", Text("Note", std::string(150, static_cast<char>('a' + v % 26)))},
      {"Body", Text("Body", std::string(420 + variant % 40, static_cast<char>('b' + v % 20)))},
      {"N", "\"N\":" + n},
      {"Big", Annotated("Big", "Edm.Int64", "90" + n)},
      {"Score", "\"Score\":" + Printed("%d.125", v)},
      {"Flag", std::string("\"Flag\":") + (v % 2 == 1 ? "true" : "false")},
      {"Made", Annotated("Made", "Edm.DateTime",
                         Printed("2026-%02d-%02dT10:00:00Z", 1 + v % 12, 1 + v % 28))},
      {"Id", Annotated("Id", "Edm.Guid", n + Printed("-0000-4000-8000-%012x", v * 7))},
  };
}

// Of all variants. Made once, so that the first request with another $select is quick, too.
const std::vector<std::vector<NamedText>>& Variants() {
  static const auto* const variants = [] {
    auto* const made = new std::vector<std::vector<NamedText>>;
    for (size_t variant = 0; variant < kVariants; ++variant) made->push_back(PropertiesOf(variant));
    return made;
  }();
  return *variants;
}

std::optional<std::vector<std::string_view>> NamesOf(std::string_view select) {
  std::vector<std::string_view> names;
  const std::vector<NamedText>& known = Variants().front();
  while (!select.empty()) {
    const size_t end = std::min(select.find(','), select.size());
    const std::string_view name = select.substr(0, end);
    if (std::ranges::none_of(known, [&](const NamedText& one) { return one.name == name; })) {
      return std::nullopt;
    }
    names.push_back(name);
    select.remove_prefix(std::min(end + 1, select.size()));
  }
  return names;
}

}  // namespace

class GeneratedTable::Shape {
 public:
  explicit Shape(const std::vector<std::string_view>& names) {
    for (size_t variant = 0; variant < kVariants; ++variant) {
      variants_.push_back(MakeVariant(variant, names));
    }
  }

  void Render(std::string_view partition, std::string_view row, size_t n, std::string* to) const {
    const Variant& variant = variants_[(n - kFirstN) % kVariants];
    const std::string number = std::to_string(n);
    size_t from = 0;
    for (const auto& [at, what] : variant.spots) {
      to->append(variant.text, from, at - from);
      to->append(what == kPartitionKey ? partition : what == kRowKey ? row : number);
      from = at + 1;
    }
    to->append(variant.text, from);
  }

 private:
  struct Variant {
    std::string text;
    std::vector<std::pair<size_t, char>> spots;  // where a key or N belongs, and which
  };

  static Variant MakeVariant(size_t number, const std::vector<std::string_view>& names) {
    Variant made{.text =
                     "{\"odata.etag\":\"W/\\\"datetime'2026-01-01T00%3A00%3A" +
                     Printed("%02d.%07d", static_cast<int>(number % 60), static_cast<int>(number)) +
                     "Z'\\\"\""};
    for (const NamedText& property : Variants()[number]) {
      if (names.empty() || std::ranges::find(names, property.name) != names.end()) {
        made.text += ',' + property.json;
      }
    }
    made.text += '}';
    for (size_t at = 0; at < made.text.size(); ++at) {
      const char c = made.text[at];
      if (c <= kN) made.spots.emplace_back(at, c);
    }
    return made;
  }

  std::vector<Variant> variants_;
};

support::TableKeys PaddedKeys(size_t count, size_t each) {
  return {.entities = count,
          .per_partition = each,
          .starts = {},
          .partition_key = Digits('p', kPartitionDigits),
          .row_key = Digits('r', kRowDigits)};
}

GeneratedTable::GeneratedTable(support::TableKeys keys) : keys_(std::move(keys)) { FindShape({}); }
GeneratedTable::~GeneratedTable() = default;

std::string GeneratedTable::PartitionKey(size_t index) const {
  return keys_.partition_key(keys_.PartitionOf(index));
}

std::string GeneratedTable::RowKey(size_t index) const {
  return keys_.row_key(index - keys_.Begin(keys_.PartitionOf(index)));
}

size_t GeneratedTable::PartitionsBefore(const std::string& text, bool or_equal) const {
  return support::TableKeys::Search(keys_.partition_key, keys_.Partitions(), text, or_equal);
}

size_t GeneratedTable::RowsBefore(size_t partition, const std::string& text, bool or_equal) const {
  const size_t rows = keys_.Begin(partition + 1) - keys_.Begin(partition);
  return support::TableKeys::Search(keys_.row_key, rows, text, or_equal);
}

std::optional<size_t> GeneratedTable::Find(const std::string& partition,
                                           const std::string& row) const {
  const size_t at = PartitionsBefore(partition, false);
  if (at == keys_.Partitions()) return std::nullopt;
  const size_t index = keys_.Begin(at) + RowsBefore(at, row, false);
  if (index >= keys_.entities || PartitionKey(index) != partition || RowKey(index) != row) {
    return std::nullopt;
  }
  return index;
}

const GeneratedTable::Shape* GeneratedTable::FindShape(std::string_view select) {
  const std::lock_guard lock(mutex_);
  const auto found = shapes_.find(select);
  if (found != shapes_.end()) return found->second.get();
  const auto names = NamesOf(select);
  if (!names) return nullptr;
  return shapes_.emplace(select, std::make_unique<Shape>(*names)).first->second.get();
}

void GeneratedTable::Render(const Shape& shape, size_t index, std::string* to) const {
  const size_t partition = keys_.PartitionOf(index);
  shape.Render(keys_.partition_key(partition), keys_.row_key(index - keys_.Begin(partition)),
               kFirstN + index, to);
}

}  // namespace aztables::bench
