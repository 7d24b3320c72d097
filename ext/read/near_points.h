// NearPoints: finds the points of a join in pages. If lookups fall into one partition, in rising
// order of RowKey, a page of that partition is read from the next one on. It answers the lookups up
// to its last row. If pages answer too few lookups for their cost, more lookups must follow each
// other before the next page.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "odata/entity_page.h"
#include "odata/filter.h"
#include "read/page_reader.h"

namespace aztables {

class NearPoints {
 public:
  // Makes a reader of the query whose first page has so many entities.
  using Open = std::function<std::unique_ptr<PageReader>(EntityQuery query, size_t entities)>;

  // What is known of a point.
  struct Answer {
    bool known = false;
    std::unique_ptr<RowStream> row;  // null: there is no entity
  };

  // Looks for the point of the query. It may read a page. The page is valid as long as `version` is
  // the same.
  Result<Answer> Find(const EntityQuery& query, int64_t version, const Open& open);

 private:
  static constexpr size_t kFirstRun = 4;
  static constexpr size_t kFirstEntities = 100;

  bool Covers(const std::string& partition, const std::string& row) const;
  Answer InPage(const std::string& row);
  // The page answers no more lookups: draws the conclusions.
  void Leave();

  std::shared_ptr<const EntityPage> page_;  // null: none
  int64_t asked_at_ = 0;
  int64_t version_ = 0;
  std::string page_partition_;
  std::string page_from_;  // the first RowKey that it covers
  bool to_end_ = false;    // it covers the rest of the partition
  size_t answers_ = 0;     // lookups

  std::string last_partition_;  // of the last lookup
  std::string last_row_;
  size_t run_ = 0;                    // lookups that follow each other in one partition
  size_t needed_ = kFirstRun;         // before a page is read
  size_t entities_ = kFirstEntities;  // of the next page
};

}  // namespace aztables
