// SampleFrontier: which regions of a table a sample has not seen, and which of them is read next.
// It does no I/O: the caller reports each page and reads the next probe.
//
// It begins with the first page. Then follow up to three hops after the last partition seen. A hop
// uses the continuation token if little of that partition seems to be left, else PartitionKey. The
// unseen regions are gaps: between and after partitions, and the rests of partitions in which a
// page ended. In the open end of the table or of a partition, the steps grow: 8 pages, then 64, 512
// and so on. They end at the limit of the form of the keys (model/key_space.h) or at an empty page.
// Then the largest gap is halved. At an unseen end, a probe is placed earlier: at most as far
// beyond the known part as that part is long. A gap of about one page is read from its beginning.
// Partitions and rests alternate, but an empty probe of partitions does not end their turn at once.
// Each rest is probed once before any is probed again.
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

// Unseen keys: PartitionKeys, or the RowKeys of one partition.
struct KeyGap {
  std::optional<std::string> partition;  // of RowKeys
  std::optional<std::string> low;        // all are above; nothing: from the first key on
  std::optional<std::string> high;       // all are below
  bool at_end = true;                    // no entity is known after it
  // For a rest: whether it probably has entities; how far a page reached in the partition.
  bool likely = false;
  bool found = false;    // an entity was found in it
  size_t rows_seen = 0;  // of the partition, on the page that left the rest
  std::string first_row;
  KeySpace::Span span;
  // For PartitionKeys: how to continue inside the partition `low`, at the end of the page.
  Conjunction resume_filter;
  ContinuationToken resume;
  std::string resume_row;
  bool large_partitions = false;  // the page had mostly the partition `low`
};

// A probe of a gap.
struct Probe {
  KeyGap gap;
  std::optional<std::string> from;  // nothing: from its beginning
  bool gallop = false;
  Conjunction filter;
  ContinuationToken token;
};

// The content of a probe's page.
struct PageView {
  size_t entities = 0;
  std::string first_partition;
  std::string last_partition;
  std::string last_row;
  std::string last_partition_row;   // the first row of the last partition
  size_t rows_of_last = 0;          // entities of the last partition
  size_t rows_of_largest_else = 0;  // entities of the largest other partition
  ContinuationToken next;
};

class SampleFrontier {
 public:
  SampleFrontier() : gaps_(1) {}

  // The next probe; its gap is removed from the list. Nothing if no gap can be read.
  std::optional<Probe> Next();
  // Learns that the table has an entity of these keys.
  void Learn(std::string_view partition_key, std::string_view row_key);
  // The result of the probe from Next(). Must be called before Next() is called again.
  void Report(Probe probe, const PageView& view);
  // Puts the gap back: it was not read, because the requests are used up.
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
  KeySpace rows_;  // of all partitions: they are similar
  std::string last_learnt_;
  KeySpace::Span hopped_;  // over the first page and the hops
  uint32_t pages_ = 0;     // of them
  int hops_left_ = 4;      // the first page among them
  int partition_step_ = 1;
  int row_step_ = 1;
  int partitions_turns_ = 0;          // probes of partitions before the next probe of a rest
  int empty_looks_ = 0;               // empty probes of partitions since the last probe of a rest
  size_t whole_rows_ = 0;             // a partition had ended exactly after so many rows of a page
  std::map<std::string, int> looks_;  // probes of the rest of each partition
};

}  // namespace aztables
