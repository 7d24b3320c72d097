// CA files: see ca_file.h.
#include "auth/ca_file.h"

#include "platform/file.h"

namespace aztables {
namespace {

constexpr size_t kMostOfCaFile = 16 * 1024 * 1024;  // the bundle of a system has 0.2 MB

// A file that cannot be one is an error now, not at the first request. `source` names the file.
Status UseFile(std::string source, const std::string& path, ConnectionSettings& settings) {
  settings.ca_file = ResolvePath(path);
  const auto text = ReadOrdinaryFile(settings.ca_file, kMostOfCaFile);
  if (!text.ok()) return Status::Error(source + " " + std::string(text.status().message()));
  for (const std::string_view kind : {"CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE"}) {
    if (text->find("-----BEGIN " + std::string(kind) + "-----") != std::string::npos) return {};
  }
  return Status::Error(source + " contains no PEM certificate");
}

}  // namespace

Status ChooseCaFile(ConnectionSettings& settings, const Environment& environment,
                    std::span<const char* const> usual) {
  if (settings.endpoint.scheme != "https") return {};
  if (!settings.ca_file.empty()) {
    const std::string path = settings.ca_file;
    return UseFile("CaFile in the connection string", path, settings);
  }
  for (const char* variable : {"SSL_CERT_FILE", "CURL_CA_BUNDLE"}) {
    if (const auto path = environment(variable)) {
      return UseFile(
          "the environment variable " + std::string(variable) + " names " + *path + ", which",
          *path, settings);
    }
  }
  for (const char* path : usual) {
    if (IdOfFile(path)) {
      settings.ca_file = path;
      return {};
    }
  }
  return {};
}

}  // namespace aztables
