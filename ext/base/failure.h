// What failed, as fields, and the one place that makes a sentence of them.
//
// Thread rule: values; distinct objects may be used on distinct threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aztables {

// How far an attempt without a response got.
enum class Contact : uint8_t {
  kNone,    // no host has the name, or it refused the connection: nothing was sent
  kNoTls,   // the TLS handshake failed after the connection: nothing was sent
  kNoHttp,  // connected, but no byte of HTTP was received
  kSome,    // anything else
};

// The sentence is "<where>: <operation> table <table> (connection '<connection>') failed: <cause>
// <advice> [<http_status> <code>, request id <request_id>] <notes>". A part that is empty is left
// out. Without an operation, the sentence begins with the cause.
struct Failure {
  // Each of these fields may be shown: none has a secret.
  std::string where;       // the SQL object that reports it: "virtual table t"
  std::string operation;   // what the service was asked for: "reading"
  std::string table;       // the remote table; empty if the operation has none
  std::string connection;  // the name of the connection
  std::string entity;      // the entity, as DescribeEntity() names it; empty if unknown
  std::string cause;       // "the table does not exist"
  std::string advice;      // what to do; begins with its punctuation
  std::string notes;       // what the statement did before, or what else helps; begins with "; "

  bool has_response = false;         // a response failed the operation: the brackets show it
  int http_status = 0;               // 0: no response
  std::string code;                  // such as "EntityAlreadyExists"; empty if absent
  std::string message;               // first line of the service's own message
  std::string request_id;            // x-ms-request-id
  int operation_index = -1;          // zero-based operation of an EGT that failed; -1: unknown
  bool may_have_reached = false;     // the failed request may have been carried out
  Contact contact = Contact::kSome;  // of an attempt without a response
  // The connection broke, or was not made, after a pause in which nobody drove it: a server may
  // close it then.
  bool left_alone = false;
  // The response decides nothing: it was cut off, is not a table service's, or hides a transient
  // failure. The request may be sent again.
  bool inconclusive = false;
  bool sign_in = false;     // the identity got no token: nothing was sent
  bool bad_syntax = false;  // the service cannot parse the filter
  std::string_view limit;   // of kBudget: "max_requests" and the like, a literal
};

// The sentence for a person.
std::string Sentence(const Failure& failure);

}  // namespace aztables
