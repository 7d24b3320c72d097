// What moved keys mean for the order of a COMMIT: which writes belong together, and in which phase
// each may be sent, so that the properties of a moved entity are never in no place.
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
  // The groups of writes that moves link, by their first items; each has two items at least.
  std::map<size_t, std::vector<size_t>> groups;
  // Per item of a group: those that have to be applied before it, if not with it.
  std::map<size_t, std::vector<size_t>> after;
  // Those whose entity has to be there still: a move would else make one of what has gone.
  std::set<size_t> must_exist;
};
MoveOrder OrderMoves(const std::vector<WriteLog::Item>& items,
                     const std::vector<EntityMove>& moves);

// The phases of the items of one group, by the longest chain of `after`, from 0; nothing where they
// form a circle.
std::optional<std::map<size_t, size_t>> FindPhases(const MoveOrder& order,
                                                   const std::vector<size_t>& group);

}  // namespace aztables
