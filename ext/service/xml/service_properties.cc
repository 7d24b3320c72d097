// Properties of the service: see xml_documents.h. They are stored in the form of the response. A
// change replaces the sections that it contains.
// Source: Microsoft, "Set Table Service Properties", "Cross-Origin Resource Sharing (CORS)
// support"; order and forms as recorded.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "base/encoding.h"
#include "service/storage_error.h"
#include "service/xml/xml_documents.h"
#include "service/xml/xml_tree.h"

namespace aztables {
namespace {

constexpr std::string_view kVersion = "1.0";
constexpr std::string_view kNeverSet =
    "<StorageServiceProperties><Logging><Read>false</Read><Write>false</Write><Delete>false"
    "</Delete></Logging><HourMetrics><Enabled>false</Enabled></HourMetrics><MinuteMetrics>"
    "<Enabled>false</Enabled></MinuteMetrics><Cors /></StorageServiceProperties>";
constexpr int64_t kMaxRetentionDays = 365;
constexpr size_t kMaxCorsRules = 5;
constexpr size_t kMaxCorsSize = 2048;  // of all rules, without tags
constexpr size_t kMaxCorsItems = 64;   // per list
constexpr size_t kMaxCorsItemSize = 256;
constexpr std::string_view kCorsMethods[] = {"DELETE", "GET",     "HEAD", "MERGE",
                                             "PATCH",  "OPTIONS", "POST", "PUT"};

bool IsTrue(const XmlElement& parent, std::string_view child) {
  return EqualsIgnoreCase(parent.TextOf(child), "true");
}

// The functions Copy...() append a part of a document in the form of the response. False: the part
// is not valid.

bool CopyBool(const XmlElement& parent, std::string_view child, std::string& out) {
  const bool value = IsTrue(parent, child);
  AppendXml(out, child, value ? "true" : "false");
  return value || EqualsIgnoreCase(parent.TextOf(child), "false");
}

// A section without a version has the only existing version.
bool CopyVersion(const XmlElement& section, std::string& out) {
  AppendXml(out, "Version", kVersion);
  return section.Find("Version") == nullptr || section.TextOf("Version") == kVersion;
}

bool CopyDays(const XmlElement& retention, std::string& out) {
  const int64_t days = ParseInteger(retention.TextOf("Days")).value_or(0);
  AppendXml(out, "Days", std::to_string(days));
  return days >= 1 && days <= kMaxRetentionDays;
}

// A section without RetentionPolicy keeps its data forever.
bool CopyRetention(const XmlElement& section, std::string& out) {
  const XmlElement* retention = section.Find("RetentionPolicy");
  if (!retention) {
    out += "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>";
    return true;
  }
  out += "<RetentionPolicy>";
  const bool valid = retention->HasOnly({"Enabled", "Days"}) &&
                     CopyBool(*retention, "Enabled", out) &&
                     (!IsTrue(*retention, "Enabled") || CopyDays(*retention, out));
  out += "</RetentionPolicy>";
  return valid;
}

bool CopyLogging(const XmlElement& section, std::string& out) {
  out += "<Logging>";
  const bool valid = section.HasOnly({"Version", "Read", "Write", "Delete"}, {"RetentionPolicy"}) &&
                     CopyVersion(section, out) && CopyBool(section, "Read", out) &&
                     CopyBool(section, "Write", out) && CopyBool(section, "Delete", out) &&
                     CopyRetention(section, out);
  out += "</Logging>";
  return valid;
}

bool CopyMetrics(const XmlElement& section, std::string& out) {
  out.append("<").append(section.name).append(">");
  const bool valid = section.HasOnly({"Version", "Enabled", "IncludeAPIs"}, {"RetentionPolicy"}) &&
                     CopyVersion(section, out) && CopyBool(section, "Enabled", out) &&
                     (!IsTrue(section, "Enabled") || CopyBool(section, "IncludeAPIs", out)) &&
                     CopyRetention(section, out);
  out.append("</").append(section.name).append(">");
  return valid;
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

bool CopyCorsRule(const XmlElement& rule, std::string& out) {
  const int64_t max_age = ParseInteger(rule.TextOf("MaxAgeInSeconds")).value_or(-1);
  out += "<CorsRule>";
  AppendXml(out, "AllowedOrigins", rule.TextOf("AllowedOrigins"));
  AppendXml(out, "AllowedMethods", rule.TextOf("AllowedMethods"));
  AppendXml(out, "MaxAgeInSeconds", std::to_string(max_age));
  AppendXml(out, "ExposedHeaders", rule.TextOf("ExposedHeaders"));
  AppendXml(out, "AllowedHeaders", rule.TextOf("AllowedHeaders"));
  out += "</CorsRule>";
  const auto origins = ReadList(rule.TextOf("AllowedOrigins"));
  const auto methods = ReadList(rule.TextOf("AllowedMethods"));
  return rule.name == "CorsRule" &&
         rule.HasOnly({"AllowedOrigins", "AllowedMethods", "MaxAgeInSeconds", "ExposedHeaders",
                       "AllowedHeaders"}) &&
         max_age >= 0 && origins && !origins->empty() && methods && !methods->empty() &&
         AreMethods(*methods) && ReadList(rule.TextOf("ExposedHeaders")) &&
         ReadList(rule.TextOf("AllowedHeaders"));
}

bool CopyCors(const XmlElement& section, std::string& out) {
  std::string rules;
  size_t size = 0;
  for (const XmlElement& rule : section.children) {
    if (!CopyCorsRule(rule, rules)) return false;
    for (const XmlElement& part : rule.children) size += part.text.size();
  }
  out += rules.empty() ? "<Cors />" : "<Cors>" + rules + "</Cors>";
  return section.children.size() <= kMaxCorsRules && size <= kMaxCorsSize;
}

struct Section {
  std::string_view name;
  bool (*copy)(const XmlElement&, std::string& out);
};
constexpr Section kSections[] = {{"Logging", CopyLogging},
                                 {"HourMetrics", CopyMetrics},
                                 {"MinuteMetrics", CopyMetrics},
                                 {"Cors", CopyCors}};
using SectionTexts = std::array<std::string, std::size(kSections)>;

// Replaces the sections that `xml` contains.
bool ReadProperties(std::string_view xml, SectionTexts& texts) {
  const auto root = ParseXml(xml);
  if (!root || root->name != "StorageServiceProperties" ||
      !root->HasOnly({}, {"Logging", "HourMetrics", "MinuteMetrics", "Cors"})) {
    return false;
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    const XmlElement* section = root->Find(kSections[i].name);
    if (!section) continue;
    texts[i].clear();
    if (!kSections[i].copy(*section, texts[i])) return false;
  }
  return true;
}

std::string Write(const SectionTexts& texts) {
  std::string out(kXmlBeginning);
  out += "<StorageServiceProperties>";
  for (const std::string& text : texts) out += text;
  return out += "</StorageServiceProperties>";
}

}  // namespace

Result<std::string> UpdateServiceProperties(std::string_view xml, std::string_view current) {
  SectionTexts texts;
  if (!ReadProperties(current.empty() ? kNeverSet : current, texts)) {
    return ToStatus(errors::kInternalError);  // the stored XML is damaged
  }
  if (!ReadProperties(xml, texts)) return ToStatus(errors::kInvalidXmlDocument);
  return Write(texts);
}

std::string DefaultServiceProperties() {
  SectionTexts texts;
  static_cast<void>(ReadProperties(kNeverSet, texts));  // valid
  return Write(texts);
}

}  // namespace aztables
