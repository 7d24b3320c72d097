// Calls: see service_call.h.
#include "service/service_call.h"

#include <algorithm>

#include "base/encoding.h"
#include "model/limits.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

constexpr std::string_view kDefaultVersion = "2019-02-02";
constexpr std::string_view kOldestVersion = "2009-09-19";
constexpr size_t kLongestClientRequestId = 1024;
constexpr std::string_view kOptionsOfOthers[] = {"$orderby", "$skip",      "$inlinecount",
                                                 "$expand",  "$skiptoken", "$count"};

bool IsVersion(std::string_view text) {
  if (text.size() != kOldestVersion.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  }
  return text >= kOldestVersion;
}

// The method, or X-HTTP-Method of a POST: some proxies do not pass MERGE.
Status ReadMethod(ServiceCall& call) {
  call.method = call.request->method;
  const std::string* const other = call.request->headers.Find("X-HTTP-Method");
  if (other == nullptr) return {};
  if (call.method != "POST") return ToStatus(errors::kMethodWithoutPost);
  if (*other != "MERGE" && *other != "PATCH" && *other != "PUT" && *other != "DELETE" &&
      *other != "GET") {
    return ToStatus(errors::kMethodIncorrect);
  }
  call.method = *other;
  return {};
}

Status ReadVersion(ServiceCall& call) {
  std::string_view version = call.Header("x-ms-version");
  if (version.empty()) version = call.options.Get("sv");
  call.frame.version = kDefaultVersion;
  if (version.empty()) return {};
  if (!IsVersion(version)) return ToStatus(errors::kInvalidHeaderValue);
  call.frame.version = version;
  return {};
}

Status ReadTimeout(ServiceCall& call) {
  constexpr int64_t kLongestSeconds = 30;
  const std::string* const text = call.options.Find("timeout");
  if (text == nullptr) return {};
  const auto seconds = ParseInteger(*text);
  if (!seconds || *seconds < 0) return ToStatus(errors::kInvalidQueryParameterValue);
  call.timeout_ms = std::min(*seconds, kLongestSeconds) * 1000;
  return {};
}

// The size of a body that may not have been read yet.
size_t BodySize(const Request& request) {
  const auto announced = ParseInteger(request.headers.Get("Content-Length"));
  return std::max(request.body.size(),
                  static_cast<size_t>(std::max<int64_t>(announced.value_or(0), 0)));
}

Status ReadForm(ServiceCall& call) {
  // The Accept header of a batch is ignored: each operation has its own, the response is
  // multipart/mixed, and some clients send application/atom+xml.
  if (call.address.resource != Address::Resource::kBatch) {
    const std::string* const format = call.options.Find("$format");
    const auto metadata = ReadMetadata(format != nullptr ? *format : call.Header("Accept"));
    if (!metadata.ok()) return metadata.status();
    call.frame.metadata = *metadata;
  }
  for (const std::string_view option : kOptionsOfOthers) {
    if (call.options.Find(option) != nullptr) return ToStatus(errors::kNotImplemented);
  }
  return {};
}

}  // namespace

EntityForm ServiceCall::Form() const {
  return {.metadata = frame.metadata,
          .base_url = BaseUrl(),
          .account = address.account,
          .table = address.table,
          .select = {}};
}

Result<Metadata> ReadMetadata(std::string_view accept) {
  const std::string text = ToLowerAscii(accept);
  if (text.find("odata=nometadata") != std::string::npos) return Metadata::kNone;
  if (text.find("odata=fullmetadata") != std::string::npos) return Metadata::kFull;
  if (text.find("odata=verbose") != std::string::npos) {
    return ToStatus(errors::kUnsupportedMediaType);
  }
  if (text.find("atom") != std::string::npos && text.find("json") == std::string::npos) {
    return ToStatus(errors::kAtomNotSupported);
  }
  return Metadata::kMinimal;
}

std::string ReadPreference(std::string_view prefer) {
  prefer = TrimBlanks(prefer);
  for (const char* known : {"return-no-content", "return-content"}) {
    if (EqualsIgnoreCase(prefer, known)) return known;
  }
  return {};
}

Status ReadCall(const ServesAccount& serves, int64_t now_ms, ServiceCall& call) {
  const Request& request = *call.request;
  call.serves = &serves;
  call.frame.now_ms = now_ms;
  call.options = QueryOptions(request.query);
  call.options.Add(request.credential_query.view());
  call.frame.xml = call.options.Find("comp") != nullptr;
  AZTABLES_RETURN_IF_ERROR(ReadVersion(call));
  call.frame.client_request_id =
      call.Header("x-ms-client-request-id").substr(0, kLongestClientRequestId);
  AZTABLES_RETURN_IF_ERROR(ReadMethod(call));
  AZTABLES_RETURN_IF_ERROR(ReadTimeout(call));
  auto address = ParseAddress(request.path, call.Header("Host"), serves);
  if (!address.ok()) return address.status();
  call.address = std::move(*address);
  if (BodySize(request) > kMaxEgtBytes) return ToStatus(errors::kBodyTooLarge);
  if (!call.frame.xml) AZTABLES_RETURN_IF_ERROR(ReadForm(call));
  if (call.method == "POST" && call.address.resource != Address::Resource::kBatch) {
    call.frame.preference = ReadPreference(call.Header("Prefer"));
  }
  return {};
}

}  // namespace aztables
