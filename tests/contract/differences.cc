// Queries for differences: see differences.h. It records them, so that unused entries of the list
// are found.
#include "differences.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string_view>

namespace aztables {
namespace {

std::set<Difference>& Asked() {
  static auto* const asked = new std::set<Difference>;
  return *asked;
}

class EveryDifferenceIsAskedFor final : public testing::Environment {
 public:
  void SetUp() override {
    ASSERT_NE(TestedService(), Service::kUnknown) << "AZTABLES_CONTRACT is not set; ctest sets it";
  }
  void TearDown() override {
    const bool all = GTEST_FLAG_GET(filter) == "*";
    if (TestedService() != Service::kAzurite || !all) return;
    for (const KnownDifference& known : kKnownDifferences) {
      EXPECT_EQ(Asked().count(known.difference), 1U)
          << "no test asks for this difference: " << known.service << " (" << known.source
          << "); Azurite: " << known.azurite;
    }
  }
};

[[maybe_unused]] testing::Environment* const kEveryDifferenceIsAskedFor =
    testing::AddGlobalTestEnvironment(new EveryDifferenceIsAskedFor);

}  // namespace

Service TestedService() {
  const char* const text = std::getenv("AZTABLES_CONTRACT");
  const std::string_view name = text == nullptr ? "" : text;
  if (name == "local") return Service::kLocal;
  if (name == "server") return Service::kServer;
  return name == "azurite" ? Service::kAzurite : Service::kUnknown;
}

bool Differs(Difference difference) {
  Asked().insert(difference);
  return TestedService() == Service::kAzurite;
}

}  // namespace aztables
