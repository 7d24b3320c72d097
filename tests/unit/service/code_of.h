// The code of a storage error, for the expectations of tests.
//
// Thread rule: a free function; any thread.
#pragma once

#include <string>

#include "base/status.h"

namespace aztables {

inline std::string CodeOf(const Status& status) {
  return status.ok() ? "OK" : status.failure().code;
}

}  // namespace aztables
