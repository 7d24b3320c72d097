// The file of CA certificates that a connection over https trusts.
//
// Errors: the file cannot be one. They never repeat the path of CaFile, because it may be a key in
// the wrong place.
// Thread rule: a free function; the environment is read on the calling thread.
#pragma once

#include <array>
#include <span>

#include "auth/connection_source.h"

namespace aztables {

// Where systems keep the certificates that they trust: Debian, Ubuntu and Alpine; Fedora and RHEL;
// SUSE; newer Fedora and RHEL; Alpine and BSD.
constexpr std::array<const char*, 5> kSystemCaFiles = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem"};

// Sets settings.ca_file to an absolute path: that of CaFile, of SSL_CERT_FILE, of CURL_CA_BUNDLE,
// or the first of `usual` that exists. If there is none, it stays empty, and libcurl decides. Does
// nothing if the endpoint is not https.
Status ChooseCaFile(ConnectionSettings& settings, const Environment& environment,
                    std::span<const char* const> usual = kSystemCaFiles);

}  // namespace aztables
