// SasTerms: see sas_terms.h. The codes: Microsoft, "SAS error codes".
#include "table/sas_terms.h"

#include "base/encoding.h"

namespace aztables {
SasTerms ReadSasTerms(std::string_view sas) {
  SasTerms terms;
  while (!sas.empty()) {
    std::string_view value = TakeUntil(sas, '&');
    const std::string_view name = TakeUntil(value, '=');
    if (name == "sig") continue;
    const std::string text = PercentDecode(value, ' ');
    if (name == "st") terms.start = text;
    if (name == "se") terms.expiry = text;
    if (name == "sp") terms.permissions = text;
    if (name == "tn") terms.table = text;
    if (name == "ss") terms.services = text;
    if (name == "srt") terms.types = text;
    if (name == "sip") terms.addresses = text;
    if (name == "spr") terms.protocols = text;
    if (name == "spk" || name == "srk" || name == "epk" || name == "erk") {
      terms.keys += (terms.keys.empty() ? "" : ", ") + std::string(name) + "=" + text;
    }
  }
  return terms;
}

std::string WhatTermsExclude(const SasTerms& terms, std::string_view table, std::string_view code,
                             Ticks now) {
  const auto expiry = ParseIso8601(terms.expiry);
  if (expiry && *expiry <= now) return "expired at " + terms.expiry + " (se=); make a new one";
  const auto start = ParseIso8601(terms.start);
  if (start && *start > now) {
    return "is valid from " + terms.start +
           " (st=) on; if that has passed, set this machine's clock";
  }
  if (!terms.table.empty() && !table.empty() && !EqualsIgnoreCase(terms.table, table)) {
    return "is for the table " + terms.table + " alone (tn=)";
  }
  if (code == "AuthorizationPermissionMismatch") {
    return "permits sp=" + terms.permissions +
           ", which is not enough: r reads, a inserts, u updates, d deletes" +
           (terms.table.empty() ? ", w updates, l lists tables, c creates them" : "");
  }
  if (code == "AuthorizationResourceTypeMismatch") {
    return "is for srt=" + terms.types + "; entities need o, and tables c";
  }
  if (code == "AuthorizationServiceMismatch")
    return "is for ss=" + terms.services + "; tables need t";
  if (code == "AuthorizationSourceIPMismatch") {
    return "is for the addresses sip=" + terms.addresses + " alone";
  }
  if (code == "AuthorizationProtocolMismatch") return "is for the protocol spr=" + terms.protocols;
  if (!terms.keys.empty() && code == "AuthorizationFailure") {
    return "is limited to a range of keys (" + terms.keys + "): ask for keys in it alone";
  }
  return {};
}

}  // namespace aztables
