// The order of a COMMIT with moved keys: which writes belong together, and in which phase each may
// be sent. So the properties of a moved entity are always stored somewhere.
//
// Thread rule: pure; any thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "write/write_log.h"

namespace aztables {

struct MoveOrder {
  // The groups of writes that moves link, by their first items. Each group has at least two items.
  std::map<size_t, std::vector<size_t>> groups;
  // Per item of a group: the items that must be applied before it or with it.
  std::map<size_t, std::vector<size_t>> after;
  // The items whose entity must still exist. Else a move would create an entity from one that is
  // gone.
  std::set<size_t> must_exist;
};
MoveOrder OrderMoves(const std::vector<WriteLog::Item>& items,
                     const std::vector<EntityMove>& moves);

// The phases of the items of one group, by the longest chain of `after`, from 0. Nothing if they
// form a cycle.
std::optional<std::map<size_t, size_t>> FindPhases(const MoveOrder& order,
                                                   const std::vector<size_t>& group);

}  // namespace aztables
