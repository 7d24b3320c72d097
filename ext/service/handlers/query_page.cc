// Pages of queries: see query_page.h.
#include "service/handlers/query_page.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/encoding.h"
#include "model/limits.h"
#include "service/handlers/filter_match.h"
#include "service/storage_error.h"
#include "service/store/stored_key.h"

namespace aztables {
namespace {

constexpr size_t kLargestPage = 1000;
constexpr size_t kMostSelected = 255;  // names in $select
constexpr size_t kLargestBody = 4 * 1024 * 1024;
constexpr std::chrono::milliseconds kLongestPage{5000};
constexpr size_t kEntitiesBeforeGuess = 16;
constexpr size_t kRowsBetweenLooks = 64;  // between checks of the clock

// The key range that a table SAS permits.
KeyRange AllowedRange(const Access& access) {
  KeyRange range = WholeTable();
  if (access.from) {
    range.from = {StoredKey(access.from->partition_key),
                  StoredKey(access.from->row_key.value_or(""))};
  }
  if (access.to) {
    const std::string pk = StoredKey(access.to->partition_key);
    range.to = access.to->row_key ? KeyPoint{pk, KeySuccessor(StoredKey(*access.to->row_key))}
                                  : KeyPoint{KeySuccessor(pk), ""};
  }
  return range;
}

// Collects the entities of a page until it is full.
class PageReader {
 public:
  // `from` is the position at which the page begins.
  PageReader(PageQuery query, const EntityForm& form, const PageRules& rules, const KeyPoint& from,
             const Cancel& cancel, std::string& body)
      : top_(query.top),
        select_(form.select),
        rules_(rules),
        cancel_(cancel),
        partition_(KeyText(from.partition_key)),
        ends_(std::chrono::steady_clock::now() + rules.scan_time.value_or(kLongestPage)),
        writer_(form, body),
        begin_(body.size()) {
    if (query.filter && KeepUndecided(*query.filter)) match_.emplace(std::move(*query.filter));
  }

  bool needs_properties() const {
    const bool selected =
        select_ && !select_->empty() && std::all_of(select_->begin(), select_->end(), IsBuiltIn);
    return !selected || (match_ && match_->needs_properties());
  }

  Result<bool> Take(const StoredEntity& entity) {
    // Whether it is the first entity of its partition.
    const bool is_new = rules_.NeedPartitions() && entity.partition_key != partition_;
    bool ends = is_new && rules_.BeginsRange(entity.partition_key);
    if (++rows_ % kRowsBetweenLooks == 0 || (rules_.scan_time && rows_ > 1)) {
      const auto now = std::chrono::steady_clock::now();
      ends = ends || now >= ends_;
      if (now >= next_check_) {
        AZTABLES_RETURN_IF_ERROR(cancel_.Check());
        next_check_ = now + Cancel::kSlice;
      }
    }
    ends = ends || (rules_.scan_rows > 0 && rows_ > rules_.scan_rows);
    if (ends || count_ == top_ || Size() >= kLargestBody) {
      next_.emplace(entity.partition_key, entity.row_key);
      if (is_new && rules_.partition_tokens) next_->second.reset();
      return false;
    }
    if (is_new) partition_ = entity.partition_key;
    if (match_ && !match_->Matches(entity)) return true;
    if (count_++ > 0) writer_.text().Raw(',');
    writer_.Append(entity, false);
    if (count_ == 1) GuessSize(std::min(top_, kEntitiesBeforeGuess));
    if (count_ == kEntitiesBeforeGuess) GuessSize(top_);
    return true;
  }

  NextEntity& next() { return next_; }

 private:
  size_t Size() { return writer_.text().size() - begin_; }
  // Expects this number of entities like those before.
  void GuessSize(size_t entities) {
    const size_t most = Size() / count_ * entities;
    writer_.text().Expect(begin_ + std::min(most + most / 16, kLargestBody));
  }

  const size_t top_;
  const std::optional<std::vector<std::string>>& select_;
  const PageRules& rules_;
  const Cancel& cancel_;
  std::optional<FilterMatch> match_;
  std::string partition_;  // of the last entity that was looked at
  std::chrono::steady_clock::time_point next_check_ =
      std::chrono::steady_clock::now() + Cancel::kSlice;
  const std::chrono::steady_clock::time_point ends_;
  EntityWriter writer_;
  const size_t begin_;  // of the entities in the body
  NextEntity next_;
  size_t count_ = 0;
  size_t rows_ = 0;
};

constexpr char kStampMark = '\x01';

// The position in a token; the text after its keys becomes `stamp`.
Result<std::optional<KeyPoint>> ReadBegin(const QueryOptions& options, std::string& stamp) {
  const std::string* const partition = options.Find("NextPartitionKey");
  const std::string* const row = options.Find("NextRowKey");
  if (partition == nullptr && row == nullptr) return std::optional<KeyPoint>();
  if (partition == nullptr) return ToStatus(errors::kInvalidInput);
  auto pk = DecodeToken(*partition);
  auto rk = row == nullptr ? std::optional<std::string>("") : DecodeToken(*row);
  if (!pk || !rk) return ToStatus(errors::kInvalidInput);
  std::string& last = row == nullptr ? *pk : *rk;
  const size_t mark = std::min(last.find(kStampMark), last.size());
  stamp = last.substr(mark);
  last.resize(mark);
  return std::optional(KeyPoint{StoredKey(*pk), StoredKey(*rk)});
}

}  // namespace

Result<size_t> ReadTop(const QueryOptions& options) {
  const std::string* const text = options.Find("$top");
  if (text == nullptr) return kLargestPage;
  const auto top = ParseInteger(*text);
  if (!top || *top < 0 || *top > static_cast<int64_t>(kLargestPage)) {
    return ToStatus(errors::kInvalidInput);
  }
  return static_cast<size_t>(*top);
}

Result<std::optional<FilterNode>> ReadFilter(const QueryOptions& options) {
  const std::string_view text = options.Get("$filter");
  if (TrimBlanks(text).empty()) return std::optional<FilterNode>();
  auto filter = ParseFilter(text);
  if (!filter.ok()) return filter.status();
  return std::optional(std::move(*filter));
}

Result<std::optional<std::vector<std::string>>> ReadSelect(const QueryOptions& options) {
  using Names = std::vector<std::string>;
  const std::string* const text = options.Find("$select");
  if (text == nullptr) return std::optional<Names>();
  if (!IsValidUtf8(*text)) return ToStatus(errors::kInvalidInput);
  Names names;
  names.reserve(static_cast<size_t>(std::count(text->begin(), text->end(), ',')) + 1);
  std::string_view rest = *text;
  while (!TrimBlanks(rest).empty()) {
    const std::string name(TrimBlanks(TakeUntil(rest, ',')));
    if (name.empty()) return ToStatus(errors::kInvalidInput);
    if (names.size() == kMostSelected) return ToStatus(errors::kInvalidInput);
    if (name == "*") return std::optional<Names>();
    // Annotations (N@odata.type, odata.etag) are not properties; they accompany their property.
    if (!IsPropertyName(name)) return ToStatus(errors::kInvalidInput);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return std::optional(std::move(names));
}

std::string StampOf(const TableRow& table) {
  if (table.generation == 0) return "";
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(table.generation));
  return kStampMark + std::string(digits);
}

std::string EncodeToken(std::string_view text) {
  std::string base64 = Base64Encode(text);
  std::replace(base64.begin(), base64.end(), '=', '-');
  return "1!" + std::to_string(base64.size()) + "!" + base64;
}

std::optional<std::string> DecodeToken(std::string_view token) {
  if (!token.starts_with("1!")) return std::nullopt;
  token.remove_prefix(2);
  const size_t mark = token.find('!');
  if (mark == std::string_view::npos) return std::nullopt;
  const auto length = ParseInteger(token.substr(0, mark));
  token.remove_prefix(mark + 1);
  if (!length || *length != static_cast<int64_t>(token.size())) return std::nullopt;
  std::string base64(token);
  std::replace(base64.begin(), base64.end(), '-', '=');
  // A client that does not percent-encode the token turns "+" into a blank.
  std::replace(base64.begin(), base64.end(), ' ', '+');
  std::string text;
  if (!Base64Decode(base64, text) || !IsValidUtf8(WithoutLoneSurrogates(text))) return std::nullopt;
  return text;
}

Result<PageQuery> ReadPageQuery(const QueryOptions& options) {
  PageQuery query;
  const auto top = ReadTop(options);
  if (!top.ok()) return top.status();
  query.top = *top;
  auto filter = ReadFilter(options);
  if (!filter.ok()) return filter.status();
  query.filter = std::move(*filter);
  auto select = ReadSelect(options);
  if (!select.ok()) return select.status();
  query.select = std::move(*select);
  auto begin = ReadBegin(options, query.stamp);
  if (!begin.ok()) return begin.status();
  query.begin = std::move(*begin);
  return query;
}

Result<NextEntity> ReadPage(EntityRows& rows, PageQuery query, const Access& access,
                            const EntityForm& form, const PageRules& rules, const Cancel& cancel,
                            std::string& body) {
  // No continuation token for $top=0: clients would request empty pages forever.
  if (query.top == 0) return NextEntity();
  std::vector<KeyRange> ranges =
      Intersect(RangesOf(query.filter ? &*query.filter : nullptr), AllowedRange(access));
  if (query.begin) ranges = Intersect(ranges, {*query.begin, WholeTable().to});
  if (ranges.empty()) return NextEntity();
  PageReader reader(std::move(query), form, rules, ranges.front().from, cancel, body);
  for (const KeyRange& range : ranges) {
    const auto ended =
        rows.Scan(range, reader.needs_properties(),
                  [&reader](const StoredEntity& entity) { return reader.Take(entity); });
    if (!ended.ok()) return ended.status();
    if (!*ended) break;
  }
  return std::move(reader.next());
}

}  // namespace aztables
