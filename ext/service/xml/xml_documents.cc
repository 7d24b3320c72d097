// Access policies and statistics: see xml_documents.h. Service properties are in
// service_properties.cc.
#include "service/xml/xml_documents.h"

#include <algorithm>
#include <optional>

#include "base/clock.h"
#include "base/encoding.h"
#include "model/datetime.h"
#include "service/storage_error.h"
#include "service/xml/xml_tree.h"

namespace aztables {
namespace {

constexpr size_t kMaxPolicies = 5;
constexpr size_t kMaxIdLength = 64;
constexpr size_t kMaxFractionDigits = 7;
constexpr std::string_view kPermissions = "raud";

// A time in the service's form; an empty text stays empty.
std::optional<std::string> NormalTime(std::string_view text) {
  if (text.empty()) return std::string();
  if (const size_t point = text.find('.'); point != std::string_view::npos) {
    const size_t end = text.find_first_not_of("0123456789", point + 1);
    const size_t digits = (end == std::string_view::npos ? text.size() : end) - point - 1;
    if (digits > kMaxFractionDigits) return std::nullopt;
  }
  const auto ticks = ParseDateTime(text);
  if (!ticks) return std::nullopt;
  return FormatDateTime(*ticks);
}

std::optional<StoredPolicy> ReadPolicy(const XmlElement& element) {
  if (element.name != "SignedIdentifier" || !element.HasOnly({"Id"}, {"AccessPolicy"})) return {};
  const XmlElement* id = element.Find("Id");
  if (!id || id->text.empty() || Utf16Length(id->text) > kMaxIdLength) {
    return std::nullopt;
  }
  StoredPolicy policy;
  policy.id = id->text;
  const XmlElement* access = element.Find("AccessPolicy");
  if (!access) return policy;
  if (!access->HasOnly({"Start", "Expiry", "Permission"})) return std::nullopt;
  auto start = NormalTime(access->TextOf("Start"));
  auto expiry = NormalTime(access->TextOf("Expiry"));
  policy.permission = access->TextOf("Permission");
  if (!start || !expiry || policy.permission.find_first_not_of(kPermissions) != std::string::npos) {
    return std::nullopt;
  }
  policy.start = *std::move(start);
  policy.expiry = *std::move(expiry);
  return policy;
}

}  // namespace

Result<std::vector<StoredPolicy>> ReadPolicies(std::string_view xml) {
  std::vector<StoredPolicy> policies;
  if (TrimBlanks(xml).empty()) return policies;
  const Status invalid = ToStatus(errors::kInvalidXmlDocument);
  const auto root = ParseXml(xml);
  if (!root || root->name != "SignedIdentifiers" || root->children.size() > kMaxPolicies) {
    return invalid;
  }
  for (const XmlElement& element : root->children) {
    auto policy = ReadPolicy(element);
    const auto has_its_id = [&](const StoredPolicy& other) { return other.id == policy->id; };
    if (!policy || std::any_of(policies.begin(), policies.end(), has_its_id)) return invalid;
    policies.push_back(*std::move(policy));
  }
  return policies;
}

std::string WritePolicies(const std::vector<StoredPolicy>& policies) {
  std::string out(kXmlBeginning);
  if (policies.empty()) {
    AppendXml(out, "SignedIdentifiers", "");
    return out;
  }
  out += "<SignedIdentifiers>";
  for (const StoredPolicy& policy : policies) {
    out += "<SignedIdentifier>";
    AppendXml(out, "Id", policy.id);
    std::string access;
    if (!policy.start.empty()) AppendXml(access, "Start", policy.start);
    if (!policy.expiry.empty()) AppendXml(access, "Expiry", policy.expiry);
    if (!policy.permission.empty()) AppendXml(access, "Permission", policy.permission);
    if (!access.empty()) out.append("<AccessPolicy>").append(access).append("</AccessPolicy>");
    out += "</SignedIdentifier>";
  }
  return out += "</SignedIdentifiers>";
}

std::string ServiceStats(int64_t now_ms) {
  std::string out(kXmlBeginning);
  out += "<StorageServiceStats><GeoReplication>";
  AppendXml(out, "Status", "live");
  AppendXml(out, "LastSyncTime", HttpDate(now_ms));
  return out += "</GeoReplication></StorageServiceStats>";
}

}  // namespace aztables
