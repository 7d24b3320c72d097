// SAS: see credentials.h. The signature is checked first, so that no error reveals anything without
// a key. Versions are dates, so they can be compared as strings.
#include <algorithm>
#include <optional>

#include "base/encoding.h"
#include "model/datetime.h"
#include "platform/net.h"
#include "service/auth/credentials.h"
#include "service/storage_error.h"

namespace aztables {
namespace {

constexpr const char* kNames[] = {"sv",  "ss", "srt", "sp",  "st",  "se",  "sip", "spr",
                                  "ses", "tn", "si",  "sig", "spk", "srk", "epk", "erk"};

constexpr std::string_view kFirstVersion = "2012-02-12";
constexpr std::string_view kServiceInResource = "2015-02-21";   // "/table" before the account
constexpr std::string_view kAddressAndProtocol = "2015-04-05";  // sip, spr and account SAS
constexpr std::string_view kEncryptionScope = "2020-12-06";

bool IsSignedVersion(std::string_view text) {
  return text.size() == kFirstVersion.size() && ParseDateTime(text).has_value();
}

bool HasControl(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

// Whether the fields are unambiguous: no duplicates, no control characters (a line end would change
// what is signed), and sv is a date.
bool AreWellFormed(const QueryOptions& fields) {
  for (const char* name : kNames) {
    if (fields.Count(name) > 1 || HasControl(fields.Get(name))) return false;
  }
  return IsSignedVersion(fields.Get("sv"));
}

bool IsTableSas(const QueryOptions& fields) { return !fields.Get("tn").empty(); }

// The text that is signed for a table SAS. Empty if the version has no such SAS.
std::string TextOfTableSas(const QueryOptions& fields, std::string_view account) {
  const std::string_view version = fields.Get("sv");
  if (version < kFirstVersion) return {};
  std::string text;
  const auto line = [&](const char* name) { text.append(fields.Get(name)).append("\n"); };
  for (const char* name : {"sp", "st", "se"}) line(name);
  if (version >= kServiceInResource) text += "/table";
  text.append("/").append(account).append("/").append(ToLowerAscii(fields.Get("tn"))).append("\n");
  line("si");
  if (version >= kAddressAndProtocol) {
    line("sip");
    line("spr");
  }
  for (const char* name : {"sv", "spk", "srk", "epk", "erk"}) line(name);
  text.pop_back();  // the last line has no line end
  return text;
}

// The same for an account SAS.
std::string TextOfAccountSas(const QueryOptions& fields, std::string_view account) {
  const std::string_view version = fields.Get("sv");
  if (version < kAddressAndProtocol) return {};
  std::string text(account);
  text += '\n';
  const auto line = [&](const char* name) { text.append(fields.Get(name)).append("\n"); };
  for (const char* name : {"sp", "ss", "srt", "st", "se", "sip", "spr", "sv"}) line(name);
  if (version >= kEncryptionScope) line("ses");
  return text;
}

// Takes a part that the SAS lacks from the policy; false if both have it.
bool FillIn(std::string& part, const std::string& of_policy) {
  if (part.empty()) {
    part = of_policy;
    return true;
  }
  return of_policy.empty();
}

// The fields of a table SAS merged with its stored policy. Fails if the policy does not exist or
// repeats a field of the SAS.
Result<StoredPolicy> GrantOf(const QueryOptions& fields, const PolicyLookup& lookup) {
  StoredPolicy grant{std::string(fields.Get("si")), std::string(fields.Get("st")),
                     std::string(fields.Get("se")), std::string(fields.Get("sp"))};
  if (!IsTableSas(fields) || grant.id.empty()) return grant;
  if (!lookup) return ToStatus(errors::kAuthenticationFailed);
  const auto found = lookup(ToLowerAscii(fields.Get("tn")), grant.id);
  if (!found.ok()) return found.status();
  const std::optional<StoredPolicy>& policy = *found;
  if (!policy || !FillIn(grant.start, policy->start) || !FillIn(grant.expiry, policy->expiry) ||
      !FillIn(grant.permission, policy->permission)) {
    return ToStatus(errors::kAuthenticationFailed);
  }
  return grant;
}

// Valid from the optional start until just before the required expiry.
bool IsValidNow(const StoredPolicy& grant, int64_t now_ms) {
  const Ticks now = UnixTime(now_ms);
  const auto expiry = ParseDateTime(grant.expiry);
  if (!expiry || now >= *expiry) return false;
  if (grant.start.empty()) return true;
  const auto start = ParseDateTime(grant.start);
  return start && now >= *start;
}

// `range` is an address, or two addresses with "-" between them, both inclusive.
Status CheckAddress(std::string_view range, std::string_view client) {
  if (range.empty()) return {};
  const size_t dash = range.find('-');
  const auto first = ParseIpv4(range.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : ParseIpv4(range.substr(dash + 1));
  if (!first || !last) return ToStatus(errors::kAuthenticationFailed);
  if (client.empty()) return {};  // unknown
  const auto address = ParseIpv4(client);
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
bool IsComplete(const QueryOptions& fields) {
  if (!IsTableSas(fields)) return !fields.Get("ss").empty() && !fields.Get("srt").empty();
  return (fields.Get("srk").empty() || !fields.Get("spk").empty()) &&
         (fields.Get("erk").empty() || !fields.Get("epk").empty());
}

}  // namespace

Result<Access> AuthenticateSas(const AuthenticationInput& input, const std::vector<Secret>& keys) {
  const QueryOptions& fields = *input.query;
  const Status failed = ToStatus(errors::kAuthenticationFailed);
  if (!AreWellFormed(fields)) return failed;
  const bool of_table = IsTableSas(fields);
  const std::string text =
      of_table ? TextOfTableSas(fields, input.account) : TextOfAccountSas(fields, input.account);
  if (text.empty()) return failed;
  AZTABLES_RETURN_IF_ERROR(CheckSignature(fields.Get("sig"), text, keys));

  if (!IsComplete(fields)) return failed;
  const auto grant = GrantOf(fields, input.policy);
  if (!grant.ok()) return grant.status();
  if (grant->permission.empty() || !IsValidNow(*grant, input.now_ms)) return failed;
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
