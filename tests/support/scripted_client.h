// ScriptedClient: a ServiceClient with the real pipeline and a scripted transport, for an
// emulator's endpoint without credentials.
//
// Thread rule: one thread.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "http/pipeline.h"
#include "http/request_log.h"
#include "support/scripted_transport.h"
#include "table/service_client.h"

namespace aztables::support {

inline ServiceEndpoint EmulatorEndpoint() {
  return {.connection = "demo", .origin = "http://127.0.0.1:10002", .path = "/devstoreaccount1"};
}

// The query for all entities of the table T.
inline EntityQuery Everything() {
  EntityQuery query;
  query.table = "T";
  return query;
}

struct ScriptedClient {
  // `script` is a handler or a list of outcomes.
  template <typename Script>
  explicit ScriptedClient(Script script, ServiceEndpoint endpoint = EmulatorEndpoint())
      : transport(std::move(script)),
        pipeline(std::make_unique<Pipeline>(&transport, nullptr, &log, &Clock::System(),
                                            [] { return 0.0; })),  // 0.1 s per retry
        client(std::move(endpoint), pipeline.get(), &log) {
    options.retries = 0;
  }
  ScriptedClient(const ScriptedClient&) = delete;
  ScriptedClient& operator=(const ScriptedClient&) = delete;

  const Request& request(size_t i) const { return transport.requests().at(i); }

  ScriptedTransport transport;
  RequestLog log;
  std::unique_ptr<Pipeline> pipeline;
  ServiceClient client;
  CallOptions options;
  Cancel cancel;
};

}  // namespace aztables::support
