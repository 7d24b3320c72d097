// Properties of the service: see xml_documents.h. They are stored in the form of the response. A
// change replaces the sections that it contains.
// Source: Microsoft, "Set Table Service Properties", "Cross-Origin Resource Sharing (CORS)
// support"; order and forms as recorded.
#include <algorithm>
#include <optional>

#include "base/encoding.h"
#include "service/storage_error.h"
#include "service/xml/xml_documents.h"
#include "service/xml/xml_tree.h"

namespace aztables {
namespace {

constexpr std::string_view kVersion = "1.0";
constexpr int64_t kMaxRetentionDays = 365;
constexpr size_t kMaxCorsRules = 5;
constexpr size_t kMaxCorsSize = 2048;  // of all rules, without tags
constexpr size_t kMaxCorsItems = 64;   // per list
constexpr size_t kMaxCorsItemSize = 256;
constexpr std::string_view kCorsMethods[] = {"DELETE", "GET",     "HEAD", "MERGE",
                                             "PATCH",  "OPTIONS", "POST", "PUT"};

struct Retention {
  bool enabled = false;
  int64_t days = 0;  // if enabled
};

struct Logging {
  bool read = false;
  bool write = false;
  bool deletes = false;
  Retention retention;
};

struct Metrics {
  bool enabled = false;
  bool include_apis = false;  // if enabled
  Retention retention;
};

struct CorsRule {
  std::string origins;
  std::string methods;
  int64_t max_age = 0;
  std::string exposed;
  std::string allowed;
};

struct Properties {
  Logging logging;
  Metrics hour;
  Metrics minute;
  std::vector<CorsRule> cors;
};

bool ReadBool(const XmlElement& parent, std::string_view child, bool& value) {
  const std::string_view text = parent.TextOf(child);
  value = EqualsIgnoreCase(text, "true");
  return value || EqualsIgnoreCase(text, "false");
}

// A section without a version has the only existing version.
bool HasKnownVersion(const XmlElement& section) {
  return section.Find("Version") == nullptr || section.TextOf("Version") == kVersion;
}

// A section without RetentionPolicy keeps its data forever.
bool ReadRetention(const XmlElement& section, Retention& retention) {
  const XmlElement* element = section.Find("RetentionPolicy");
  if (!element) return true;
  if (!element->HasOnly({"Enabled", "Days"}) || !ReadBool(*element, "Enabled", retention.enabled)) {
    return false;
  }
  if (!retention.enabled) return true;
  const auto days = ParseInteger(element->TextOf("Days"));
  retention.days = days.value_or(0);
  return retention.days >= 1 && retention.days <= kMaxRetentionDays;
}

bool ReadLogging(const XmlElement& section, Logging& logging) {
  return section.HasOnly({"Version", "Read", "Write", "Delete"}, {"RetentionPolicy"}) &&
         HasKnownVersion(section) && ReadBool(section, "Read", logging.read) &&
         ReadBool(section, "Write", logging.write) &&
         ReadBool(section, "Delete", logging.deletes) && ReadRetention(section, logging.retention);
}

bool ReadMetrics(const XmlElement& section, Metrics& metrics) {
  return section.HasOnly({"Version", "Enabled", "IncludeAPIs"}, {"RetentionPolicy"}) &&
         HasKnownVersion(section) && ReadBool(section, "Enabled", metrics.enabled) &&
         (!metrics.enabled || ReadBool(section, "IncludeAPIs", metrics.include_apis)) &&
         ReadRetention(section, metrics.retention);
}

// The items of a comma-separated list. Nothing if an item is empty or too long, or there are too
// many.
std::optional<std::vector<std::string_view>> ReadList(std::string_view text) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view item = TrimBlanks(text.substr(0, comma));
    if (item.empty() || item.size() > kMaxCorsItemSize || items.size() == kMaxCorsItems) return {};
    items.push_back(item);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return std::nullopt;  // empty after the last comma
  }
  return items;
}

bool AreMethods(const std::vector<std::string_view>& items) {
  return std::all_of(items.begin(), items.end(), [](std::string_view item) {
    return std::find(std::begin(kCorsMethods), std::end(kCorsMethods), item) !=
           std::end(kCorsMethods);
  });
}

bool ReadCorsRule(const XmlElement& element, CorsRule& rule) {
  if (element.name != "CorsRule" ||
      !element.HasOnly({"AllowedOrigins", "AllowedMethods", "MaxAgeInSeconds", "ExposedHeaders",
                        "AllowedHeaders"})) {
    return false;
  }
  rule.origins = element.TextOf("AllowedOrigins");
  rule.methods = element.TextOf("AllowedMethods");
  rule.exposed = element.TextOf("ExposedHeaders");
  rule.allowed = element.TextOf("AllowedHeaders");
  const auto age = ParseInteger(element.TextOf("MaxAgeInSeconds"));
  rule.max_age = age.value_or(-1);
  const auto origins = ReadList(rule.origins);
  const auto methods = ReadList(rule.methods);
  return rule.max_age >= 0 && origins && !origins->empty() && methods && !methods->empty() &&
         AreMethods(*methods) && ReadList(rule.exposed) && ReadList(rule.allowed);
}

bool ReadCors(const XmlElement& section, std::vector<CorsRule>& rules) {
  rules.clear();
  size_t size = 0;
  for (const XmlElement& element : section.children) {
    CorsRule rule;
    if (rules.size() == kMaxCorsRules || !ReadCorsRule(element, rule)) return false;
    for (const XmlElement& part : element.children) size += part.text.size();
    rules.push_back(std::move(rule));
  }
  return size <= kMaxCorsSize;
}

// Replaces the sections of `properties` that `xml` contains.
bool ReadProperties(std::string_view xml, Properties& properties) {
  const auto root = ParseXml(xml);
  if (!root || root->name != "StorageServiceProperties" ||
      !root->HasOnly({}, {"Logging", "HourMetrics", "MinuteMetrics", "Cors"})) {
    return false;
  }
  const auto reads = [&root](std::string_view name, const auto& read, auto& section) {
    const XmlElement* element = root->Find(name);
    if (!element) return true;
    section = {};
    return read(*element, section);
  };
  return reads("Logging", ReadLogging, properties.logging) &&
         reads("HourMetrics", ReadMetrics, properties.hour) &&
         reads("MinuteMetrics", ReadMetrics, properties.minute) &&
         reads("Cors", ReadCors, properties.cors);
}

void AppendBool(std::string& out, std::string_view name, bool value) {
  AppendXml(out, name, value ? "true" : "false");
}

void AppendRetention(std::string& out, const Retention& retention) {
  out += "<RetentionPolicy>";
  AppendBool(out, "Enabled", retention.enabled);
  if (retention.enabled) AppendXml(out, "Days", std::to_string(retention.days));
  out += "</RetentionPolicy>";
}

void AppendMetrics(std::string& out, std::string_view name, const Metrics& metrics) {
  out.append("<").append(name).append(">");
  AppendXml(out, "Version", kVersion);
  AppendBool(out, "Enabled", metrics.enabled);
  if (metrics.enabled) AppendBool(out, "IncludeAPIs", metrics.include_apis);
  AppendRetention(out, metrics.retention);
  out.append("</").append(name).append(">");
}

void AppendCors(std::string& out, const std::vector<CorsRule>& rules) {
  if (rules.empty()) return AppendXml(out, "Cors", "");
  out += "<Cors>";
  for (const CorsRule& rule : rules) {
    out += "<CorsRule>";
    AppendXml(out, "AllowedOrigins", rule.origins);
    AppendXml(out, "AllowedMethods", rule.methods);
    AppendXml(out, "MaxAgeInSeconds", std::to_string(rule.max_age));
    AppendXml(out, "ExposedHeaders", rule.exposed);
    AppendXml(out, "AllowedHeaders", rule.allowed);
    out += "</CorsRule>";
  }
  out += "</Cors>";
}

std::string Write(const Properties& properties) {
  std::string out(kXmlBeginning);
  out += "<StorageServiceProperties><Logging>";
  AppendXml(out, "Version", kVersion);
  AppendBool(out, "Read", properties.logging.read);
  AppendBool(out, "Write", properties.logging.write);
  AppendBool(out, "Delete", properties.logging.deletes);
  AppendRetention(out, properties.logging.retention);
  out += "</Logging>";
  AppendMetrics(out, "HourMetrics", properties.hour);
  AppendMetrics(out, "MinuteMetrics", properties.minute);
  AppendCors(out, properties.cors);
  return out += "</StorageServiceProperties>";
}

}  // namespace

Result<std::string> UpdateServiceProperties(std::string_view xml, std::string_view current) {
  Properties properties;
  if (!current.empty() && !ReadProperties(current, properties)) {
    return ToStatus(errors::kInternalError);  // the stored XML is damaged
  }
  if (!ReadProperties(xml, properties)) return ToStatus(errors::kInvalidXmlDocument);
  return Write(properties);
}

std::string DefaultServiceProperties() { return Write({}); }

}  // namespace aztables
