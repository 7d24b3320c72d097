// The known differences of Azurite from the service: what the service does, by which source, and
// what Azurite does instead. A test of the contract asks Differs(kThis) where it has to expect
// something else of Azurite; it expects what Azurite does, so that a difference which has gone
// fails. There are no other differences, and none at all of the embedded service, in process or
// over HTTP.
#pragma once

#include <cstdlib>
#include <string_view>

namespace aztables {

// Which service the suite runs against; the environment says so in AZTABLES_CONTRACT.
enum class Service { kUnknown, kLocal, kServer, kAzurite };

inline Service TestedService() {
  const char* const text = std::getenv("AZTABLES_CONTRACT");
  const std::string_view name = text == nullptr ? "" : text;
  if (name == "local") return Service::kLocal;
  if (name == "server") return Service::kServer;
  return name == "azurite" ? Service::kAzurite : Service::kUnknown;
}

}  // namespace aztables
