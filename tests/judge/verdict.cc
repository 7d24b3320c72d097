// Verdicts: see verdict.h.
#include "judge/verdict.h"

#include <regex>
#include <set>
#include <vector>

#include "base/encoding.h"
#include "service/handlers/query_page.h"

namespace aztables::judge {
namespace {

constexpr const char* kGuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

// A variable part: the pattern that finds it, the required form of group 1, and its placeholder.
struct Varying {
  Varying(const char* found_text, const char* form_text, const char* its_name)
      : found(found_text), form(form_text), name(its_name) {}
  std::regex found;
  std::regex form;
  const char* name;
};
// Times in errors keep their trailing zeros. Times in entities have none, and may have no fraction.
const std::vector<Varying>& AllVarying() {
  static const std::vector<Varying> kAll = {
      {R"(RequestId:([^\\\n]*))", kGuid, "RequestId:<guid>"},
      {R"(Time:(<time>|[^"<]*))", R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z)", "Time:<time>"},
      {R"(W/\\?"datetime'([^']*)'\\?")", R"(\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d(\.\d{0,6}[1-9])?Z)",
       "<etag>"},
      {R"re("Timestamp":"([^"]*)")re", R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,6}[1-9])?Z)",
       R"("Timestamp":"<timestamp>")"},
      {R"(batchresponse_([0-9a-f-]{36}))", kGuid, "batchresponse_<guid>"},
      {R"(changesetresponse_([0-9a-f-]{36}))", kGuid, "changesetresponse_<guid>"},
  };
  return kAll;
}

std::string ReplaceOne(const std::string& text, const Varying& varying, std::string& faults) {
  std::string out;
  auto rest = text.begin();
  for (std::sregex_iterator it(text.begin(), text.end(), varying.found), end; it != end; ++it) {
    out.append(rest, (*it)[0].first);
    rest = (*it)[0].second;
    // A test's own response contains placeholders.
    const bool named = (*it)[1].length() > 0 && *(*it)[1].first == '<';
    if (named || std::regex_match((*it)[1].first, (*it)[1].second, varying.form)) {
      out += varying.name;
    } else {
      out += (*it)[0];
      faults +=
          "does not have the form of " + std::string(varying.name) + ": " + (*it)[0].str() + "\n";
    }
  }
  return out.append(rest, text.end());
}

// Every ETag must equal the Timestamp of its entity and the header ETag.
void CheckEtags(const Response& response, std::string& faults) {
  static const std::regex kInEntity(
      R"re("odata.etag":"W/\\"datetime'([^']*)'\\""[^{}]*?"Timestamp":"([^"]*)")re");
  static const std::regex kInPart(
      R"re(ETag: W/"datetime'([^']*)'"\r\n\r\n\{[^{}]*?"odata.etag":"W/\\"datetime'([^']*)'\\"")re");
  const std::string& body = response.body;
  for (const std::regex* pattern : {&kInEntity, &kInPart}) {
    for (std::sregex_iterator it(body.begin(), body.end(), *pattern), end; it != end; ++it) {
      if (PercentDecode((*it)[1].str()) != PercentDecode((*it)[2].str())) {
        faults += "unlike: " + (*it)[1].str() + " and " + (*it)[2].str() + "\n";
      }
    }
  }
  const std::string* const etag = response.headers.Find("ETag");
  if (etag == nullptr || body.find("\"odata.etag\"") == std::string::npos) return;
  const std::string escaped = std::regex_replace(*etag, std::regex("\""), "\\\"");
  if (body.find("\"odata.etag\":\"" + escaped + "\"") == std::string::npos) {
    faults += "the body does not have the ETag " + *etag + "\n";
  }
}

// The format is 1!40!..., which encodes the name, a separator and 16 digits.
std::string TableTokenShown(const std::string& token, std::string& faults) {
  const auto text = DecodeToken(token);
  static const std::regex kForm("([a-z0-9]+)\x01[0-9a-f]{16}");
  if (token.starts_with("<token of ")) return token;  // a response that a test wrote
  std::smatch match;
  if (!text || !std::regex_match(*text, match, kForm)) {
    faults += "not a continuation token of tables: " + token + "\n";
    return token;
  }
  return "<token of " + match[1].str() + ">";
}

struct Named {
  std::string name;  // as received
  std::string value;
};
using NamedHeaders = std::map<std::string, Named>;

NamedHeaders ShownHeaders(const Response& response, std::string& faults) {
  static const std::set<std::string> kOfOthers = {"server",
                                                  "date",
                                                  "transfer-encoding",
                                                  "content-length",
                                                  "connection",
                                                  "x-ms-request-id",
                                                  "x-ms-client-request-id"};
  NamedHeaders shown;
  for (const Headers::Header& header : response.headers.all()) {
    const std::string name = ToLowerAscii(header.name);
    if (kOfOthers.count(name) != 0) continue;
    std::string value = Replaced(header.value, faults);
    if (name == "x-ms-continuation-nexttablename") value = TableTokenShown(value, faults);
    if (!shown.emplace(name, Named{header.name, value}).second) {
      faults += "twice: " + header.name + "\n";
    }
  }
  return shown;
}

void CompareHeaders(const NamedHeaders& right, const NamedHeaders& actual, Verdict& verdict) {
  // Some recorders changed all names to lower case. Other recordings have the original case.
  const bool cased = right.count("content-type") != 0 && right.at("content-type").name[0] == 'C';
  for (const auto& [name, header] : right) {
    const auto found = actual.find(name);
    if (found == actual.end()) {
      verdict["header " + name] = "missing; should be " + header.value;
    } else if (found->second.value != header.value) {
      verdict["header " + name] = "is " + found->second.value + "; should be " + header.value;
    } else if (cased && found->second.name != header.name) {
      verdict["header " + name] = "is called " + found->second.name;
    }
  }
  for (const auto& [name, header] : actual) {
    if (right.count(name) == 0) verdict["header " + name] = "should be absent: " + header.value;
  }
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Shortens `actual` to the entities of `right`, if `actual` has `entities` of them.
std::string Shortened(const std::string& right, const std::string& actual, size_t entities) {
  constexpr std::string_view kEnd = "]}";
  const std::string beginning = right.substr(0, right.size() - kEnd.size());
  const bool more = Count(right, "\"odata.etag\"") < entities;
  if (Count(actual, "\"odata.etag\"") != entities || !actual.starts_with(beginning + ",")) {
    return actual;
  }
  return more ? beginning + std::string(kEnd) : actual;
}

void CompareLength(const Response& right, const Response& actual, Verdict& verdict) {
  const std::string* const length = right.headers.Find("Content-Length");
  if (length != nullptr && *length != std::to_string(actual.body.size())) {
    verdict["length"] = std::to_string(actual.body.size()) + "; should be " + *length;
  }
}

// The first difference of two texts, with its context.
std::string Difference(const std::string& right, const std::string& actual) {
  size_t at = 0;
  while (at < right.size() && at < actual.size() && right[at] == actual[at]) ++at;
  const size_t from = at < 40 ? 0 : at - 40;
  return "is     ..." + actual.substr(from, 300) + "\nshould ..." + right.substr(from, 300);
}

}  // namespace

std::string Replaced(std::string text, std::string& faults) {
  for (const Varying& varying : AllVarying()) text = ReplaceOne(text, varying, faults);
  return text;
}

Verdict Compare(const Response& right, const Response& actual, size_t entities) {
  Verdict verdict;
  std::string faults;
  std::string faults_of_right;  // invalid forms in the right response
  if (actual.status != right.status) {
    verdict["status"] = std::to_string(actual.status) + "; should be " +
                        std::to_string(right.status) + "\n" + actual.body;
  }
  CompareHeaders(ShownHeaders(right, faults_of_right), ShownHeaders(actual, faults), verdict);
  const std::string right_body = Replaced(right.body, faults_of_right);
  std::string body = Replaced(actual.body, faults);
  if (entities > 0) body = Shortened(right_body, body, entities);
  if (body != right_body) verdict["body"] = Difference(right_body, body);
  CompareLength(right, actual, verdict);
  CheckEtags(right, faults_of_right);
  CheckEtags(actual, faults);
  // The body must begin with the boundary of the header Content-Type.
  const std::string type(actual.headers.Get("Content-Type"));
  if (const size_t at = type.find("boundary=");
      at != std::string::npos && !actual.body.starts_with("--" + type.substr(at + 9))) {
    faults += "the body does not begin with its boundary\n";
  }
  if (!faults.empty()) verdict["form"] = faults;
  if (!faults_of_right.empty()) verdict["form of the right response"] = faults_of_right;
  return verdict;
}

}  // namespace aztables::judge
