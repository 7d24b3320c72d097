// SampleFrontier: which regions of a table a sample has not seen, and which of them to look into
// next. Pure: it is told what each page showed and names the filter of the next one.
//
// First the first page, then up to three hops behind the last partition seen; by the continuation
// token where little seems left of that partition, else by PartitionKey. What is left are gaps:
// between and behind partitions, and the rests of partitions in which a page ended. The open end of
// the table, or of a partition, is galloped: 8 pages on, then 64, 512 and so on, until the form of
// the keys (model/key_space.h) or an empty page ends it; then the largest gap is halved, but one at
// an end that nobody has seen where twice as much would lie before it as is known. Where a gap has
// about a page it is read from its beginning. Partitions and rests take turns (an empty look into
// partitions does not end theirs at once); each rest is looked into before one is again.
//
// Thread rule: a value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/key_space.h"
#include "table/service_client.h"

namespace aztables {

// Keys that nobody has looked at: PartitionKeys, or the RowKeys of one partition.
struct KeyGap {
  std::optional<std::string> partition;  // of RowKeys
  std::optional<std::string> low;        // all are above; nothing: from the first one on
  std::optional<std::string> high;       // all are below
  bool at_end = true;                    // no entity is known behind it
  // Of a rest: whether it seems to have something; how far a page reached in the partition.
  bool likely = false;
  bool found = false;    // something was found in it
  size_t rows_seen = 0;  // of the partition, on the page that left the rest
  std::string first_row;
  KeySpace::Span span;
  // Of PartitionKeys: how to read on where the page ended, inside the partition `low`.
  Conjunction resume_filter;
  ContinuationToken resume;
  std::string resume_row;
  bool large_partitions = false;  // the page showed little but the partition `low`
};

// A look into a gap.
struct Probe {
  KeyGap gap;
  std::optional<std::string> from;  // nothing: from its beginning
  bool gallop = false;
  Conjunction filter;
  ContinuationToken token;
};

// What a probe's page showed.
struct PageView {
  size_t entities = 0;
  std::string first_partition;
  std::string last_partition;
  std::string last_row;
  std::string last_partition_row;   // the first row of the last partition
  size_t rows_of_last = 0;          // entities of the last partition
  size_t rows_of_largest_else = 0;  // of the largest other one
  ContinuationToken next;
};

class SampleFrontier {
 public:
  SampleFrontier() : gaps_(1) {}

  // The next look, its gap taken off the list; nothing if there is none that can be asked.
  std::optional<Probe> Next();
  // Learns that the table has an entity of these keys.
  void Learn(std::string_view partition_key, std::string_view row_key);
  // What came of Next(), before anything else is asked.
  void Report(Probe probe, const PageView& view);
  // Nothing is known of the gap but that the requests are used up.
  void GiveBack(Probe probe) { gaps_.push_back(std::move(probe.gap)); }

  // No gap is left: every entity was seen.
  bool complete() const { return gaps_.empty(); }

 private:
  std::optional<size_t> PickPartitions() const;
  std::optional<size_t> PickRest(bool likely) const;
  bool IsBefore(const KeyGap& a, const KeyGap& b, const KeySpace& space) const;
  std::optional<size_t> PickGap();
  Probe Look(size_t index);
  void Place(Probe& probe) const;
  void ReadOn(Probe& probe);
  std::optional<size_t> RestAt(const KeyGap& gap) const;
  void AddCut(const Probe& probe, const PageView& view);

  std::vector<KeyGap> gaps_;
  KeySpace partitions_;
  KeySpace rows_;  // of all partitions: they look alike
  std::string last_learnt_;
  KeySpace::Span hopped_;  // over the first page and the hops
  uint32_t pages_ = 0;     // of them
  int hops_left_ = 4;      // the first page among them
  int partition_step_ = 1;
  int row_step_ = 1;
  int partitions_turns_ = 0;          // looks into partitions before the next one into a rest
  int empty_looks_ = 0;               // into partitions, since the last one into a rest
  size_t whole_rows_ = 0;             // so many rows of a page were once all that a partition had
  std::map<std::string, int> looks_;  // into the rest of each partition
};

}  // namespace aztables
