// Fields of a SAS: see sas_fields.h. Versions are dates, so they can be compared as strings.
#include "service/auth/sas_fields.h"

#include "base/encoding.h"
#include "model/datetime.h"

namespace aztables {
namespace {

constexpr std::string_view kNames[] = {"sv",  "ss", "srt", "sp",  "st",  "se",  "sip", "spr",
                                       "ses", "tn", "si",  "sig", "spk", "srk", "epk", "erk"};

constexpr std::string_view kFirstVersion = "2012-02-12";
constexpr std::string_view kServiceInResource = "2015-02-21";   // "/table" before the account
constexpr std::string_view kAddressAndProtocol = "2015-04-05";  // sip, spr and account SAS
constexpr std::string_view kEncryptionScope = "2020-12-06";

bool IsVersion(std::string_view text) {
  return text.size() == kFirstVersion.size() && ParseDateTime(text).has_value();
}

bool HasControl(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) return true;
  }
  return false;
}

}  // namespace

std::string_view SasFields::Get(std::string_view name) const {
  const auto found = query_.find(std::string(name));
  return found == query_.end() ? std::string_view() : std::string_view(found->second);
}

bool SasFields::AreWellFormed() const {
  for (const std::string_view name : kNames) {
    if (query_.count(std::string(name)) > 1 || HasControl(Get(name))) return false;
  }
  return IsVersion(Get("sv"));
}

std::string SasFields::TextOfTableSas(std::string_view account) const {
  const std::string_view version = Get("sv");
  if (version < kFirstVersion) return {};
  std::string text;
  const auto line = [&](std::string_view name) { text.append(Get(name)).append("\n"); };
  for (const char* name : {"sp", "st", "se"}) line(name);
  if (version >= kServiceInResource) text += "/table";
  text.append("/").append(account).append("/").append(ToLowerAscii(Get("tn"))).append("\n");
  line("si");
  if (version >= kAddressAndProtocol) {
    line("sip");
    line("spr");
  }
  for (const char* name : {"sv", "spk", "srk", "epk", "erk"}) line(name);
  text.pop_back();  // the last line has no line end
  return text;
}

std::string SasFields::TextOfAccountSas(std::string_view account) const {
  const std::string_view version = Get("sv");
  if (version < kAddressAndProtocol) return {};
  std::string text(account);
  text += '\n';
  const auto line = [&](std::string_view name) { text.append(Get(name)).append("\n"); };
  for (const char* name : {"sp", "ss", "srt", "st", "se", "sip", "spr", "sv"}) line(name);
  if (version >= kEncryptionScope) line("ses");
  return text;
}

}  // namespace aztables
