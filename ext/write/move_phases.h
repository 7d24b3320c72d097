// What moved keys mean for the order of a COMMIT: which writes belong together, and in which phase
// each may be sent, so that the properties of a moved entity are never in no place.
//
// Thread rule: pure; any thread.
#pragma once

#include <vector>

#include "aztables/write/write_log.h"

namespace aztables {

struct MoveOrder {
  // Per item: the first item of the group of writes that moves link; itself where none does.
  std::vector<size_t> group;
  // Per item: those that have to be applied before it, if not with it.
  std::vector<std::vector<size_t>> after;
};
MoveOrder OrderMoves(const std::vector<WriteLog::Item>& items,
                     const std::vector<EntityMove>& moves);

// The phases of the items of one group, by the longest chain of `after`; false where they form a
// circle. Writes those of the group into `phases`.
bool FindPhases(const MoveOrder& order, const std::vector<size_t>& group,
                std::vector<size_t>& phases);

}  // namespace aztables
