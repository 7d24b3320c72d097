// RandomReader: a PageReader of a scripted table for tests of scans by several chains of pages.
//
// Thread rule: one thread.
#pragma once

#include <random>
#include <span>
#include <utility>
#include <vector>

#include "binary_order_reader.h"
#include "support/simulated_table.h"

namespace aztables {

// Of the readers whose pages came, any may be the first.
class RandomReader final : public StreamPages {
 public:
  RandomReader(support::ScriptedClient& s, EntityQuery query, std::mt19937& random)
      : StreamPages(s, std::move(query), false), random_(random) {}

  void SkipPartitions(const bool* all) { stream_.SkipPartitions(all); }
  void ReadSinglePages() override { stream_.ReadSinglePages(); }
  void ReadOn() override { stream_.ReadOn(s_.cancel); }
  void DropRequest() override { stream_.DropRequest(); }
  Result<size_t> WaitForOne(std::span<PageReader* const> readers) override {
    std::vector<Exchange*> waiting;
    for (PageReader* const one : readers) waiting.push_back(ExchangeOf(one));
    const Status status = s_.pipeline->WaitAny(waiting, s_.cancel);
    if (!status.ok()) return status;
    for (;;) {
      const size_t i = random_() % readers.size();
      if (waiting[i]->done()) return i;
    }
  }
  // Counts the pages that are taken. The caller owns the number.
  void CountTaken(size_t* taken) { taken_ = taken; }
  std::unique_ptr<EntityPage> TakePage() override {
    if (taken_ != nullptr) ++*taken_;
    return StreamPages::TakePage();
  }
  bool waits() const override {
    const Exchange* const exchange = stream_.under_way();
    return exchange != nullptr && !exchange->done();
  }
  bool throttled() const override {
    const Exchange* const exchange = stream_.under_way();
    return exchange != nullptr && exchange->doubt() == Doubt::kThrottled;
  }

 private:
  static Exchange* ExchangeOf(PageReader* reader) {
    return static_cast<RandomReader*>(reader)->stream_.under_way();
  }

  std::mt19937& random_;
  size_t* taken_ = nullptr;
};

// All keys of a table.
inline Keys KeysOf(const support::SimulatedTable& table) {
  Keys keys;
  for (size_t n = 0; n < table.entities; ++n) {
    const size_t partition = table.PartitionOf(n);
    keys.emplace_back(table.partition_key(partition), table.row_key(n - table.Begin(partition)));
  }
  return keys;
}

}  // namespace aztables
