// SampleTable: see table_sample.h. It reads toward the last entity first, then the unread ranges.
#include "table/table_sample.h"

#include <algorithm>

#include "base/encoding.h"
#include "odata/entity_page.h"
#include "odata/entity_reader.h"
#include "table/last_row_search.h"
#include "table/service_error.h"

namespace aztables {
namespace {

constexpr char kRowRange[] = "row range";

// A range of entities that was not read.
struct Gap {
  std::optional<KeyPlace> low;   // all are after it; nothing: from the first entity on
  std::optional<KeyPlace> high;  // all are before it; nothing: to the last one
  // How to read on after `low`. Without a token: FilterFrom(*low).
  Conjunction filter;
  ContinuationToken token;
  Unread after;  // the page that ended at `low`
};

class Sampler {
 public:
  Sampler(const ServiceClient& client, const std::string& table, const CallOptions& options,
          const Cancel& cancel)
      : client_(client), table_(table), options_(options), cancel_(cancel) {}

  Result<TableSample> Take(std::span<const SampledKey> also) {
    while (sample_.requests < kMaxSampleRequests && !gaps_.empty()) {
      AZTABLES_RETURN_IF_ERROR(Read(Choose()));
    }
    sample_.complete = gaps_.empty();
    if (!sample_.complete) {
      for (const SampledKey& key : also) AZTABLES_RETURN_IF_ERROR(ReadOne(key));
    }
    sample_.entities = tally_.entities();
    sample_.properties = tally_.Properties();
    return std::move(sample_);
  }

 private:
  // What to read next.
  struct Choice {
    size_t gap = 0;
    std::optional<KeyPlace> from;  // nothing: from the gap's beginning
    bool of_search = false;
  };

  // Toward the last entity first. Then gaps between partitions and rests of partitions take turns.
  // Cosmos DB keeps no order of keys, so that only tokens lead on.
  Choice Choose() {
    if (client_.endpoint().cosmos) return {};
    if (!search_.done() && !search_.IsNear()) {
      auto from = search_.Next();
      return {gaps_.size() - 1, from.empty() ? std::nullopt : std::optional(std::move(from[0])),
              true};
    }
    in_partition_ = !in_partition_;
    auto choice = in_partition_ ? InPartition() : BetweenPartitions();
    if (!choice) choice = in_partition_ ? BetweenPartitions() : InPartition();
    if (!choice) choice.emplace();
    if (choice->from && !FilterFrom(*choice->from)) choice->from.reset();
    return *choice;
  }

  // A place in the largest gap between partitions.
  std::optional<Choice> BetweenPartitions() const {
    const KeyNumbers::Frame frame = partitions_.FrameOf(first_.partition, std::nullopt);
    std::optional<Choice> best;
    uint64_t most = 1;
    for (size_t i = 0; i < gaps_.size(); ++i) {
      const Gap& gap = gaps_[i];
      UnreadKeys unread = gap.after.partitions;
      unread.origin = first_.partition;
      if (gap.high) unread.high = gap.high->partition;
      if (!IsLarger(frame, unread, most)) continue;
      best = Choice{i, {}, false};
      if (auto key = GuessKey(partitions_, unread, PagesLeft())) {
        best->from = KeyPlace{std::move(*key), ""};
      }
    }
    return best;
  }

  // A place in the largest rest of the last large partition.
  std::optional<Choice> InPartition() const {
    const KeyNumbers::Frame frame = rows_.FrameOf(*first_.row, std::nullopt);
    std::optional<Choice> best;
    uint64_t most = 0;
    for (size_t i = gaps_.size(); i-- > 0;) {
      const Gap& gap = gaps_[i];
      const std::string& partition = gap.low->partition;
      if (best && best->from->partition != partition) break;
      UnreadKeys unread = gap.after.rows;
      if (!gap.after.large) continue;
      if (gap.high && gap.high->partition == partition) unread.high = gap.high->row;
      auto key = GuessKey(rows_, unread, PagesLeft());
      if (!key || !IsLarger(frame, unread, most)) continue;
      best = Choice{i, KeyPlace{partition, std::move(*key)}, false};
    }
    return best;
  }

  // Whether there are more keys than `most`, which is raised then.
  static bool IsLarger(const KeyNumbers::Frame& frame, const UnreadKeys& unread, uint64_t& most) {
    const uint64_t high = unread.high ? frame.Number(*unread.high) : frame.size();
    const uint64_t low = frame.Number(unread.low);
    if (high <= low || high - low <= most) return false;
    most = high - low;
    return true;
  }

  // A gap that the requests may read whole is read from its beginning.
  double PagesLeft() const { return std::max(1.5, 1.0 * (kMaxSampleRequests - sample_.requests)); }

  // Reads a page that has entities, or the end of the gap.
  Status Read(const Choice& choice) {
    const auto at = gaps_.begin() + static_cast<std::ptrdiff_t>(choice.gap);
    Gap gap = std::move(*at);
    gaps_.erase(at);
    EntityQuery query;
    query.table = table_;
    query.filter = gap.filter;
    ContinuationToken next = choice.from ? ContinuationToken() : gap.token;
    // A filter can name the place: a page from there ended without a token, or Choose() checked it.
    if (choice.from) query.filter = *FilterFrom(*choice.from);
    if (!choice.from && !next && gap.low) query.filter = *FilterFrom(*gap.low);
    query.kind = query.filter.empty()      ? "table scan"
                 : query.filter.size() > 1 ? kRowRange
                                           : "partition range";
    PageSequence sequence = client_.NewSequence();
    // A token continues after the last entity of its page.
    if (next) {
      sequence.StartAfter(gap.low->partition, *gap.low->row);
      AZTABLES_RETURN_IF_ERROR(sequence.CheckToken(next));
    }
    do {
      AZTABLES_RETURN_IF_ERROR(cancel_.Check());
      ++sample_.requests;
      auto token = client_.QueryPage(query, 0, next, options_, page_, cancel_, &sequence);
      if (!token.ok()) return token.status();
      next = std::move(*token);
    } while (page_.size() == 0 && next && sample_.requests < kMaxSampleRequests);
    if (page_.size() == 0 && next) {
      gaps_.push_back(std::move(gap));
      return {};
    }
    LearnKeys(page_, EntityPage::kPartitionKey, page_.size(), partitions_);
    LearnKeys(page_, EntityPage::kRowKey, page_.size(), rows_);
    if (choice.of_search) search_.Report(page_, static_cast<bool>(next));
    AZTABLES_RETURN_IF_ERROR(Count(gap.high));
    Split(std::move(gap), choice, query, next);
    return {};
  }

  // Reads an entity, if a filter can name it. It may be counted for the second time.
  Status ReadOne(const SampledKey& key) {
    constexpr size_t kMostOfKeys = 6'000;  // percent-encoded
    const size_t encoded = PercentEncodedSize(key.first) + PercentEncodedSize(key.second);
    if (encoded > kMostOfKeys || HasLoneSurrogate(key.first + key.second)) return {};
    EntityQuery query;
    query.table = table_;
    query.kind = kRowRange;
    query.filter = {{"PartitionKey", CompareOp::kEq, Value::String(key.first)},
                    {"RowKey", CompareOp::kEq, Value::String(key.second)}};
    ++sample_.requests;
    const auto read = client_.QueryPage(query, 1, {}, options_, page_, cancel_);
    return read.ok() ? Count(std::nullopt) : read.status();
  }

  // Puts what remains of the gap in its place.
  void Split(Gap gap, const Choice& choice, const EntityQuery& query,
             const ContinuationToken& next) {
    Gap rest;
    rest.high = gap.high;
    if (next) {
      rest.after = UnreadAfter(page_);
      rest.low = rest.after.place();
      rest.filter = query.filter;
      rest.token = next;
    } else if (query.kind == kRowRange) {
      rest.low = KeyPlace{query.filter[0].literal.text, std::nullopt};
      rest.after.partitions.low = rest.low->partition;
      rest.after.partitions.page_first = rest.low->partition;
    }
    const auto at = [&] { return gaps_.begin() + static_cast<std::ptrdiff_t>(choice.gap); };
    if (rest.low && (!rest.high || *rest.low < *rest.high)) gaps_.insert(at(), std::move(rest));
    if (!choice.from) return;
    gap.high = choice.from;
    gaps_.insert(at(), std::move(gap));
  }

  // Counts the properties of the page's entities before `high`. A page that was read by token may
  // extend beyond it.
  Status Count(const std::optional<KeyPlace>& high) {
    for (size_t row = 0; row < page_.size(); ++row) {
      const KeyPlace place{std::string(page_.At(row, EntityPage::kPartitionKey).view()),
                           std::string(page_.At(row, EntityPage::kRowKey).view())};
      if (high && !(place < *high)) break;
      if (tally_.entities() == 0) first_ = place;
      AZTABLES_RETURN_IF_ERROR(Count(page_.At(row, EntityPage::kEntity).view()));
    }
    return {};
  }

  // Counts the properties of an entity. A value that does not fit its annotation has no type.
  Status Count(std::string_view entity) {
    tally_.BeginEntity();
    const auto properties = reader_.All(entity);
    if (properties.ok()) {
      for (const Property& property : *properties) {
        if (property.value.type != EdmType::kNull) tally_.Add(property.name, property.value);
      }
      return {};
    }
    const auto names = reader_.Names(entity);
    if (!names.ok()) return names.status();
    for (const std::string& name : *names) {
      const auto value = reader_.Get(entity, name);
      tally_.Add(name, value.ok() ? *value : Value());
    }
    return {};
  }

  const ServiceClient& client_;
  const std::string& table_;
  const CallOptions& options_;
  const Cancel& cancel_;
  EntityPage page_{{.properties = {}, .entity = true, .as_received = true}};
  EntityReader reader_;
  PropertyTally tally_;
  TableSample sample_;
  LastRowSearch search_;
  KeyNumbers partitions_;
  KeyNumbers rows_;           // of all partitions: they are similar
  std::vector<Gap> gaps_{1};  // in the order of keys
  KeyPlace first_;            // the first entity that was counted
  bool in_partition_ = false;
};

}  // namespace

Result<TableSample> SampleTable(const ServiceClient& client, const std::string& table,
                                const CallOptions& options, const Cancel& cancel,
                                std::span<const SampledKey> also) {
  return Sampler(client, table, options, cancel).Take(also);
}

}  // namespace aztables
