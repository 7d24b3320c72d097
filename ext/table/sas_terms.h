// SasTerms: what a shared access signature itself says of its limits. None of it is secret. Source:
// Microsoft, "Create a service SAS", "Create an account SAS".
//
// Thread rule: values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/datetime.h"

namespace aztables {

struct SasTerms {
  std::string start;        // st
  std::string expiry;       // se
  std::string permissions;  // sp
  std::string table;        // tn; empty: of an account
  std::string services;     // ss, of an account
  std::string types;        // srt, of an account
  std::string addresses;    // sip
  std::string protocols;    // spr
  std::string keys;         // "spk=a, epk=b": of spk, srk, epk, erk
};

// The terms of a SAS, without its '?'.
SasTerms ReadSasTerms(std::string_view sas);

// What the terms exclude of a request to `table` at `now`, as a sentence about "it": "expired at
// ...". `code`: that of the service's refusal. Empty if they exclude nothing that is known here.
std::string WhatTermsExclude(const SasTerms& terms, std::string_view table, std::string_view code,
                             Ticks now);

}  // namespace aztables
