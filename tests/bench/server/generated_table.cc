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
constexpr size_t kNDigits = 8;

// In the texts of a property, these stand for one digit each of the partition, the row and N.
constexpr char kPartitionDigit = '\1';
constexpr char kRowDigit = '\2';
constexpr char kNDigit = '\3';

std::string Printed(const char* format, auto... values) {
  std::array<char, 128> text;
  const int size = std::snprintf(text.data(), text.size(), format, values...);
  return {text.data(), static_cast<size_t>(size)};
}

void WriteDigits(size_t number, size_t digits, char* to) {
  for (char* at = to + digits; at != to; number /= 10) {
    *--at = static_cast<char>('0' + number % 10);
  }
}

std::string Key(char prefix, size_t number, size_t digits) {
  std::string key(digits + 1, prefix);
  WriteDigits(number, digits, key.data() + 1);
  return key;
}

// The number of the keys `prefix`0, `prefix`1 ... below `count` that are less than `text`.
size_t KeysBefore(char prefix, size_t digits, size_t count, std::string_view text, bool or_equal) {
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = Key(prefix, middle, digits).compare(text);
    if (order < 0 || (or_equal && order == 0)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
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
  const std::string n(kNDigits, kNDigit);
  return {
      {"PartitionKey", Text("PartitionKey", 'p' + std::string(kPartitionDigits, kPartitionDigit))},
      {"RowKey", Text("RowKey", 'r' + std::string(kRowDigits, kRowDigit))},
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

  void Render(size_t partition, size_t row, size_t n, std::string* to) const {
    const Variant& variant = variants_[(n - kFirstN) % kVariants];
    const size_t begin = to->size();
    to->append(variant.text);
    char* const text = to->data() + begin;
    for (const auto& [at, digit] : variant.spots) {
      switch (digit) {
        case kPartitionDigit:
          WriteDigits(partition, kPartitionDigits, text + at);
          break;
        case kRowDigit:
          WriteDigits(row, kRowDigits, text + at);
          break;
        default:
          WriteDigits(n, kNDigits, text + at);
      }
    }
  }

 private:
  struct Variant {
    std::string text;
    std::vector<std::pair<size_t, char>> spots;  // where digits begin, and which
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
      if (c <= kNDigit && made.text[at - 1] != c) made.spots.emplace_back(at, c);
    }
    return made;
  }

  std::vector<Variant> variants_;
};

GeneratedTable::GeneratedTable(size_t count, size_t each) : count_(count), each_(each) {
  FindShape({});
}
GeneratedTable::~GeneratedTable() = default;

std::string GeneratedTable::PartitionKey(size_t index) const {
  return Key('p', index / each_, kPartitionDigits);
}

std::string GeneratedTable::RowKey(size_t index) const {
  return Key('r', index % each_, kRowDigits);
}

size_t GeneratedTable::PartitionsBefore(std::string_view text, bool or_equal) const {
  return KeysBefore('p', kPartitionDigits, partitions(), text, or_equal);
}

size_t GeneratedTable::RowsBefore(std::string_view text, bool or_equal) const {
  return KeysBefore('r', kRowDigits, each_, text, or_equal);
}

std::optional<size_t> GeneratedTable::Find(std::string_view partition, std::string_view row) const {
  const size_t index = PartitionsBefore(partition, false) * each_ + RowsBefore(row, false);
  if (index >= count_ || PartitionKey(index) != partition || RowKey(index) != row) {
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
  shape.Render(index / each_, index % each_, kFirstN + index, to);
}

}  // namespace aztables::bench
