// SAS: see sas.h. The signature is checked first, so that no error reveals anything without a key.
#include "service/auth/sas.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/encoding.h"
#include "model/datetime.h"
#include "service/auth/sas_fields.h"
#include "service/auth/shared_key.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

// The validity and the permissions of a SAS.
struct Grant {
  std::string start;
  std::string expiry;
  std::string permission;
};

// Takes a part that the SAS lacks from the policy; false if both have it.
bool FillIn(std::string& part, const std::string& of_policy) {
  if (part.empty()) {
    part = of_policy;
    return true;
  }
  return of_policy.empty();
}

// The fields of a table SAS merged with its stored policy. Nothing if the policy does not exist or
// repeats a field of the SAS.
std::optional<Grant> GrantOf(const SasFields& fields, const PolicyLookup& lookup) {
  Grant grant{std::string(fields.Get("st")), std::string(fields.Get("se")),
              std::string(fields.Get("sp"))};
  if (!fields.IsTableSas() || fields.Get("si").empty()) return grant;
  if (!lookup) return std::nullopt;
  const auto policy = lookup(ToLowerAscii(fields.Get("tn")), fields.Get("si"));
  if (!policy || !FillIn(grant.start, policy->start) || !FillIn(grant.expiry, policy->expiry) ||
      !FillIn(grant.permission, policy->permission)) {
    return std::nullopt;
  }
  return grant;
}

// Valid from the optional start until just before the required expiry.
bool IsValidNow(const Grant& grant, int64_t now_ms) {
  const Ticks now = UnixTime(now_ms);
  const auto expiry = ParseDateTime(grant.expiry);
  if (!expiry || now >= *expiry) return false;
  if (grant.start.empty()) return true;
  const auto start = ParseDateTime(grant.start);
  return start && now >= *start;
}

// An IPv4 address as a number. An IPv6 address that maps to one is accepted, too.
std::optional<uint32_t> ParseAddress(std::string_view text) {
  const std::string address(text);
  in_addr v4{};
  if (inet_pton(AF_INET, address.c_str(), &v4) == 1) return ntohl(v4.s_addr);
  in6_addr v6{};
  if (inet_pton(AF_INET6, address.c_str(), &v6) != 1 || !IN6_IS_ADDR_V4MAPPED(&v6)) {
    return std::nullopt;
  }
  uint32_t number = 0;
  for (size_t i = 12; i < 16; ++i) number = number << 8 | v6.s6_addr[i];
  return number;
}

// `range` is an address, or two addresses with "-" between them, both inclusive.
Status CheckAddress(std::string_view range, std::string_view client) {
  if (range.empty()) return {};
  const size_t dash = range.find('-');
  const auto first = ParseAddress(range.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : ParseAddress(range.substr(dash + 1));
  if (!first || !last) return ToStatus(errors::kAuthenticationFailed);
  if (client.empty()) return {};  // unknown
  const auto address = ParseAddress(client);
  if (!address || *address < *first || *address > *last) {
    return ToStatus(errors::kSourceIpMismatch);
  }
  return {};
}

Status CheckProtocol(std::string_view protocols, bool https) {
  if (protocols.empty() || protocols == "https,http" || protocols == "http,https") return {};
  if (protocols != "https") return ToStatus(errors::kAuthenticationFailed);
  return https ? Status() : ToStatus(errors::kProtocolMismatch);
}

std::optional<Access::Bound> BoundOf(std::string_view partition_key, std::string_view row_key) {
  if (partition_key.empty()) return std::nullopt;
  Access::Bound bound{std::string(partition_key), std::nullopt};
  if (!row_key.empty()) bound.row_key = std::string(row_key);
  return bound;
}

// Whether all required fields of this kind of SAS exist.
bool IsComplete(const SasFields& fields) {
  if (!fields.IsTableSas()) return !fields.Get("ss").empty() && !fields.Get("srt").empty();
  return (fields.Get("srk").empty() || !fields.Get("spk").empty()) &&
         (fields.Get("erk").empty() || !fields.Get("epk").empty());
}

}  // namespace

Result<Access> AuthenticateSas(const AuthenticationInput& input, const std::vector<Secret>& keys) {
  const SasFields fields(*input.query);
  const Status failed = ToStatus(errors::kAuthenticationFailed);
  if (!fields.AreWellFormed()) return failed;
  const bool of_table = fields.IsTableSas();
  const std::string text =
      of_table ? fields.TextOfTableSas(input.account) : fields.TextOfAccountSas(input.account);
  if (text.empty()) return failed;
  AZTABLES_RETURN_IF_ERROR(CheckSignature(fields.Get("sig"), text, keys));

  if (!IsComplete(fields)) return failed;
  const auto grant = GrantOf(fields, input.policy);
  if (!grant || grant->permission.empty() || !IsValidNow(*grant, input.now_ms)) return failed;
  // Old versions do not sign these two fields. A client that adds one only reduces its own rights.
  AZTABLES_RETURN_IF_ERROR(CheckAddress(fields.Get("sip"), input.client_address));
  AZTABLES_RETURN_IF_ERROR(CheckProtocol(fields.Get("spr"), input.https));

  Access access;
  access.permissions = grant->permission;
  if (of_table) {
    access.kind = Access::Kind::kTableSas;
    access.table = ToLowerAscii(fields.Get("tn"));
    access.from = BoundOf(fields.Get("spk"), fields.Get("srk"));
    access.to = BoundOf(fields.Get("epk"), fields.Get("erk"));
    return access;
  }
  if (fields.Get("ss").find('t') == std::string_view::npos) {
    return ToStatus(errors::kServiceMismatch);
  }
  access.kind = Access::Kind::kAccountSas;
  access.resource_types = std::string(fields.Get("srt"));
  return access;
}

}  // namespace aztables
