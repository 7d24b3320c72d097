// Rounds: the number of repetitions of a randomized test. scripts/test.sh --long runs all rounds.
#pragma once

#include <cstdlib>

namespace aztables::support {

// `all` if AZTABLES_LONG is set, else a tenth of it.
template <typename T>
T Rounds(T all) {
  return std::getenv("AZTABLES_LONG") != nullptr ? all : all / 10;
}

}  // namespace aztables::support
