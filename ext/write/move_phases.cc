// OrderMoves, FindPhases: see move_phases.h.
#include "write/move_phases.h"

#include <algorithm>

namespace aztables {
namespace {

struct ByKey {
  bool operator()(const EntityKey* a, const EntityKey* b) const {
    return CompareEntityKeys(*a, *b) < 0;
  }
};

// For each move, the entity that finally holds the moved properties. The last move is first,
// because then the later moves of the same properties are known.
std::vector<const EntityKey*> HoldersOf(const std::vector<EntityMove>& moves) {
  std::vector<const EntityKey*> holders(moves.size());
  std::map<const EntityKey*, const EntityKey*, ByKey> goes_to;  // by the next move's `from`
  for (size_t i = moves.size(); i-- > 0;) {
    const auto next = goes_to.find(&moves[i].to);
    holders[i] = next == goes_to.end() ? &moves[i].to : next->second;
    goes_to[&moves[i].from] = holders[i];
  }
  return holders;
}

// The first item of the group that `item` is in.
size_t Root(std::map<size_t, size_t>& root, size_t item) {
  auto known = root.emplace(item, item).first;
  while (known->second != known->first) known = root.find(known->second);
  return known->first;
}

}  // namespace

MoveOrder OrderMoves(const std::vector<WriteLog::Item>& items,
                     const std::vector<EntityMove>& moves) {
  MoveOrder order;
  if (moves.empty()) return order;
  std::map<const EntityKey*, size_t, ByKey> place;
  for (size_t i = 0; i < items.size(); ++i) place.emplace(items[i].key, i);
  const std::vector<const EntityKey*> holders = HoldersOf(moves);
  std::map<size_t, size_t> root;
  for (size_t i = 0; i < moves.size(); ++i) {
    const auto old = place.find(&moves[i].from);
    const auto holder = place.find(holders[i]);
    if (old == place.end() || holder == place.end() || old == holder) continue;
    order.after[old->second].push_back(holder->second);
    if (moves[i].was_there) order.must_exist.insert(old->second);
    const size_t a = Root(root, old->second);
    const size_t b = Root(root, holder->second);
    root[std::max(a, b)] = std::min(a, b);
  }
  for (const auto& [item, above] : root) order.groups[Root(root, item)].push_back(item);
  return order;
}

std::optional<std::map<size_t, size_t>> FindPhases(const MoveOrder& order,
                                                   const std::vector<size_t>& group) {
  // Kahn's algorithm: a write gets its phase when all writes that must precede it have theirs.
  std::map<size_t, size_t> phases;
  std::map<size_t, size_t> waits_for;
  std::map<size_t, std::vector<size_t>> before;
  std::vector<size_t> ready;
  for (const size_t item : group) {
    const auto after = order.after.find(item);
    if (after == order.after.end()) {
      ready.push_back(item);
      continue;
    }
    waits_for[item] = after->second.size();
    for (const size_t other : after->second) before[other].push_back(item);
  }
  size_t done = 0;
  while (!ready.empty()) {
    const size_t item = ready.back();
    ready.pop_back();
    ++done;
    for (const size_t next : before[item]) {
      phases[next] = std::max(phases[next], phases[item] + 1);
      if (--waits_for[next] == 0) ready.push_back(next);
    }
  }
  if (done != group.size()) return std::nullopt;
  return phases;
}

}  // namespace aztables
