// A table SAS and an account SAS with independently computed signatures of the emulator's published
// key, and functions to sign them again after a change.
#pragma once

#include <string>
#include <string_view>

#include "access_request.h"

namespace aztables {

inline AccessRequest TableSas() {
  AccessRequest sent;
  sent.request.path = "/devstoreaccount1/mytable()";
  sent.Option("sv", "2019-02-02");
  sent.Option("tn", "MyTable");  // in any case
  sent.Option("sp", "raud");
  sent.Option("st", "2026-11-01T00:00:00Z");
  sent.Option("se", "2026-11-30T00:00:00Z");
  sent.Option("sig", "kNBtJKHxeCM/fVDndW3Vj5teeX8Wf/A4bBK3ecT1uQ4=");
  return sent;
}

inline AccessRequest AccountSas() {
  AccessRequest sent;
  sent.Option("sv", "2019-02-02");
  sent.Option("ss", "t");
  sent.Option("srt", "sco");
  sent.Option("sp", "raudl");
  sent.Option("se", "2026-11-30T00:00:00Z");
  sent.Option("sig", "KIACgjypbdtv3LFn74Z6A9o1olbibTtRaaqcjo9JRPE=");
  return sent;
}

// Signs the current options in the form of 2019-02-02.
inline void SignTable(AccessRequest& sent) {
  std::string text;
  for (const char* name :
       {"sp", "st", "se", "/", "si", "sip", "spr", "sv", "spk", "srk", "epk", "erk"}) {
    const auto found = sent.query.find(name);
    if (!text.empty() || std::string_view(name) != "sp") text += '\n';
    if (*name == '/') text += "/table/devstoreaccount1/mytable";
    if (found != sent.query.end()) text += found->second;
  }
  sent.Sign(text);
}

inline void SignAccount(AccessRequest& sent) {
  std::string text = "devstoreaccount1\n";
  for (const char* name : {"sp", "ss", "srt", "st", "se", "sip", "spr", "sv"}) {
    const auto found = sent.query.find(name);
    if (found != sent.query.end()) text += found->second;
    text += '\n';
  }
  sent.Sign(text);
}

}  // namespace aztables
