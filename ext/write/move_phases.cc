// OrderMoves, FindPhases: see move_phases.h.
#include "move_phases.h"

#include <algorithm>

namespace aztables {
namespace {

struct ByKey {
  bool operator()(const EntityKey* a, const EntityKey* b) const {
    return CompareEntityKeys(*a, *b) < 0;
  }
};

// Which entity holds at the end what each move took along.
class Holders {
 public:
  explicit Holders(const std::vector<EntityMove>& moves) {
    for (const EntityMove& move : moves) from_[&move.from].push_back(&move);
  }

  const EntityKey& Of(const EntityMove& move) const {
    const EntityMove* last = &move;
    while (const EntityMove* const next = NextFrom(last->to, last->sequence)) last = next;
    return last->to;
  }

 private:
  // The first move of `key` after `sequence`.
  const EntityMove* NextFrom(const EntityKey& key, int64_t sequence) const {
    const auto moves = from_.find(&key);
    if (moves == from_.end()) return nullptr;
    const auto next =
        std::upper_bound(moves->second.begin(), moves->second.end(), sequence,
                         [](int64_t s, const EntityMove* move) { return s < move->sequence; });
    return next == moves->second.end() ? nullptr : *next;
  }

  std::map<const EntityKey*, std::vector<const EntityMove*>, ByKey> from_;
};

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
  const Holders holders(moves);
  std::map<size_t, size_t> root;
  for (const EntityMove& move : moves) {
    const auto old = place.find(&move.from);
    const auto holder = place.find(&holders.Of(move));
    if (old == place.end() || holder == place.end() || old == holder) continue;
    order.after[old->second].push_back(holder->second);
    const size_t a = Root(root, old->second);
    const size_t b = Root(root, holder->second);
    root[std::max(a, b)] = std::min(a, b);
  }
  for (const auto& [item, above] : root) order.groups[Root(root, item)].push_back(item);
  return order;
}

std::optional<std::map<size_t, size_t>> FindPhases(const MoveOrder& order,
                                                   const std::vector<size_t>& group) {
  // Kahn's algorithm: a write gets its phase when all that it comes after have theirs.
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
