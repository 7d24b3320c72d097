// Batch responses for tests: responses to entity group transactions, in the form of recorded
// traffic of the live service.
//
// Thread rule: free functions.
#pragma once

#include <string>
#include <string_view>

#include "support/scripted_transport.h"

namespace aztables::support {

inline constexpr std::string_view kBatchType =
    "multipart/mixed; boundary=batchresponse_6bb9b5ef-b5ac-41b6-b5c8-2d2d0e9b7d4c";

// 202 with these parts between the boundaries.
inline Response BatchResponse(const std::string& parts) {
  const std::string batch = "batchresponse_6bb9b5ef-b5ac-41b6-b5c8-2d2d0e9b7d4c";
  const std::string changeset = "changesetresponse_9c7b8a3e-0f7a-4f0e-8f59-0d0ef1b2a3c4";
  std::string body =
      "--" + batch + "\r\nContent-Type: multipart/mixed; boundary=" + changeset + "\r\n\r\n";
  for (size_t begin = 0; begin < parts.size();) {
    const size_t end = parts.find('\x1E', begin);
    body += "--" + changeset +
            "\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n" +
            parts.substr(begin, end - begin) + "\r\n";
    begin = end == std::string::npos ? parts.size() : end + 1;
  }
  return MakeResponse(202, body + "--" + changeset + "--\r\n--" + batch + "--\r\n", kBatchType);
}

// 202: `count` inserts succeeded.
inline Response BatchSuccess(size_t count) {
  std::string parts;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) parts += '\x1E';
    parts +=
        "HTTP/1.1 204 No Content\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n"
        "Preference-Applied: return-no-content\r\nDataServiceVersion: 3.0;\r\n"
        "ETag: W/\"datetime'2026-11-02T10%3A00%3A00.0000000Z'\"\r\n\r\n";
  }
  return BatchResponse(parts);
}

// 202: nothing was applied. `message` begins with the number of the failed operation.
inline Response BatchFailure(int status, std::string_view code, std::string_view message) {
  return BatchResponse("HTTP/1.1 " + std::to_string(status) +
                       " Refused\r\nX-Content-Type-Options: nosniff\r\nDataServiceVersion: 3.0;\r\n"
                       "Content-Type: application/json;odata=minimalmetadata\r\n\r\n" +
                       ErrorResponse(status, code, message).body);
}

// The number of operations in the body of a request.
inline size_t OperationsIn(const Request& request) {
  size_t count = 0;
  for (size_t at = request.body.find("Content-Type: application/http"); at != std::string::npos;
       at = request.body.find("Content-Type: application/http", at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace aztables::support
