// Simulated faults over HTTP: see simulated_handler.h.
#include "server/simulated_handler.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

namespace aztables {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Kind = SimulatedFault::Kind;

// Waits until `time` has passed; without a time, until `gone` or the server stops. Returns whether
// the time has passed.
bool Wait(std::optional<milliseconds> time, const std::function<bool()>& gone,
          const Cancel& cancel) {
  const auto begin = steady_clock::now();
  while (!time || steady_clock::now() - begin < *time) {
    if (cancel.Check().code() == Code::kInterrupt || (gone && gone())) return false;
    steady_clock::duration slice = Cancel::kSlice;
    if (time) slice = std::min<steady_clock::duration>(slice, begin + *time - steady_clock::now());
    std::this_thread::sleep_for(slice);
  }
  return true;
}

HandlerReply Handle(const Handler& inner, Simulation& simulation, const Request& request,
                    const Peer& peer, const Cancel& cancel) {
  const Encounter encounter = simulation.Meet(request);
  const SimulatedFault* const fault = encounter.fault;
  if (encounter.Meets(Kind::kRefuse)) {
    return {.reset = true, .refuse = fault->time.value_or(Simulation::kRefusal)};
  }
  if (encounter.Meets(Kind::kReset) && !fault->after) return {.reset = true};
  const bool stalls = encounter.Meets(Kind::kStall);
  if (stalls && !fault->after && !Wait(fault->time, peer.has_gone, cancel)) return {};
  HandlerReply reply;
  if (encounter.carried_out) reply = inner(request, peer, cancel);
  simulation.Complete(encounter, reply.response);
  Wait(encounter.latency, nullptr, cancel);
  if (stalls && fault->after && !Wait(fault->time, peer.has_gone, cancel)) return {};
  if (encounter.Meets(Kind::kReset)) return {.reset = true};
  if (encounter.Meets(Kind::kTruncate)) {
    if (reply.response.body.empty()) return {};
    reply.kept = Simulation::Kept(encounter, reply.response);
  }
  return reply;
}

}  // namespace

Handler WithSimulation(Handler inner, std::shared_ptr<Simulation> simulation) {
  return [inner = std::move(inner), simulation = std::move(simulation)](
             const Request& request, const Peer& peer, const Cancel& cancel) {
    return Handle(inner, *simulation, request, peer, cancel);
  };
}

}  // namespace aztables
