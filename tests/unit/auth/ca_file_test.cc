// Which file of CA certificates a connection trusts: CaFile, the environment, the system's.
#include "auth/ca_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace aztables {
namespace {

using Variables = std::map<std::string, std::string>;

class CaFileTest : public testing::Test {
 protected:
  CaFileTest()
      : path_(std::filesystem::canonical(testing::TempDir()) /
              ("aztables_ca_" + std::to_string(getpid()))) {}
  ~CaFileTest() override { std::filesystem::remove(path_); }

  void Write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
  void WriteCertificate() { Write("# ours\n-----BEGIN CERTIFICATE-----\n"); }

  // The chosen file, or the error.
  std::string Choose(const std::string& ca_file, const Variables& variables,
                     const std::vector<const char*>& usual = {}, const char* scheme = "https") {
    ConnectionSettings settings;
    settings.endpoint.scheme = scheme;
    settings.ca_file = ca_file;
    const Environment environment = [&](const std::string& name) {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    const Status status = ChooseCaFile(settings, environment, usual);
    return status.ok() ? settings.ca_file : std::string(status.message());
  }

  const std::filesystem::path path_;
};

TEST_F(CaFileTest, ADeclaredFileComesFirst) {
  for (const char* kind : {"CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE"}) {
    Write("# ours\n-----BEGIN " + std::string(kind) + "-----\n");
    EXPECT_EQ(Choose(path_, {{"SSL_CERT_FILE", "/none"}}, {"/etc/hostname"}), path_);
  }
}

TEST_F(CaFileTest, ThePathIsResolvedWhenTheConnectionIsMade) {
  WriteCertificate();
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(path_.parent_path());
  const std::string chosen = Choose(path_.filename(), {});
  std::filesystem::current_path(before);
  EXPECT_EQ(chosen, path_);
}

// An error contains only the name of the key, since the value may be a misplaced secret.
TEST_F(CaFileTest, ADeclaredFileThatIsNoneIsNotRepeated) {
  const std::string key = "CaFile in the connection string ";
  EXPECT_EQ(Choose("sentinel", {}), key + "cannot be read: No such file or directory");
  EXPECT_EQ(Choose(path_, {}), key + "cannot be read: No such file or directory");
  Write("-----BEGIN PRIVATE KEY-----\nsentinel");
  EXPECT_EQ(Choose(path_, {}), key + "contains no PEM certificate");
  Write("");
  EXPECT_EQ(Choose(path_, {}), key + "contains no PEM certificate");
  EXPECT_NE(Choose(path_.parent_path(), {}).find("not an ordinary file"), std::string::npos);
  Write(std::string(17 * 1024 * 1024, '-'));
  EXPECT_NE(Choose(path_, {}).find("too large"), std::string::npos);
  unlink(path_.c_str());
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);  // it has no writer: reading it would never end
  EXPECT_NE(Choose(path_, {}).find("not an ordinary file"), std::string::npos);
}

TEST_F(CaFileTest, ThenAVariable) {
  WriteCertificate();
  EXPECT_EQ(Choose("", {{"SSL_CERT_FILE", path_}, {"CURL_CA_BUNDLE", "/none"}}), path_);
  EXPECT_EQ(Choose("", {{"CURL_CA_BUNDLE", path_}}, {"/etc/hostname"}), path_);
  EXPECT_EQ(Choose("", {{"SSL_CERT_FILE", "/none"}, {"CURL_CA_BUNDLE", path_}}),
            "the environment variable SSL_CERT_FILE names /none, which cannot be read: No such "
            "file or directory");
}

TEST_F(CaFileTest, ThenTheFirstUsualPlaceThatExists) {
  WriteCertificate();
  EXPECT_EQ(Choose("", {}, {"/none", path_.c_str(), "/etc/hostname"}), path_);
  EXPECT_EQ(Choose("", {}, {"/none"}), "");
}

TEST_F(CaFileTest, HttpNeedsNone) {
  WriteCertificate();
  EXPECT_EQ(Choose("", {{"SSL_CERT_FILE", "/none"}}, {path_.c_str()}, "http"), "");
}

}  // namespace
}  // namespace aztables
