// Sends every recorded request of the live service to the embedded service and compares the
// responses. Accepted differences are listed here with a reason. An entry that no longer applies
// fails the test.
#include <set>

#include "judge/set_ups.h"
#include "judge/verdict.h"

namespace aztables::judge {
namespace {

class RecordedJudgeTest : public replay::RecordingsTest {};

// Accepted differences and their reasons. "all" means that the whole response differs.
struct Deviation {
  const char* id;
  const char* what;
  const char* reason;
};
constexpr Deviation kDeviations[] = {
    {"table-create-409-being-deleted", "all", "the embedded service deletes a table at once"},
    {"acl-get-404-xml", "all", "the embedded service rejects every token"},
    {"tables-filter-top1", "header vary", "the embedded service applies no CORS rules"},
    {"filter-int32-lt", "header vary", "the embedded service applies no CORS rules"},
    {"filter-double-lt", "header vary", "the embedded service applies no CORS rules"},
    {"filter-invalid-400", "header vary", "the embedded service applies no CORS rules"},
};

std::set<std::string> ListedFor(const std::string& id) {
  std::set<std::string> listed;
  for (const Deviation& deviation : kDeviations) {
    if (deviation.id == id) listed.insert(deviation.what);
  }
  return listed;
}

void Judge(const Recording& recording, const Verdict& verdict) {
  const std::set<std::string> listed = ListedFor(recording.id);
  if (listed.count("all") != 0) {
    EXPECT_EQ(verdict.count("status") + verdict.count("body"), 2U) << "no longer differs";
    return;
  }
  for (const auto& [what, how] : verdict) {
    EXPECT_EQ(listed.count(what), 1U) << what << ": " << how;
  }
  for (const std::string& what : listed) {
    EXPECT_EQ(verdict.count(what), 1U) << what << " no longer differs: remove it from the list";
  }
}

TEST_F(RecordedJudgeTest, AnswersAsTheLiveServiceDid) {
  SetUps set_ups = TableSetUps();
  set_ups.merge(EntitySetUps());
  set_ups.merge(QuerySetUps());
  set_ups.merge(BatchSetUps());
  for (const Recording& recording : all()) {
    SCOPED_TRACE(recording.id);
    const auto found = set_ups.find(recording.id);
    if (found == set_ups.end()) {
      ADD_FAILURE() << "no set-up";
      continue;
    }
    Stage stage(recording, [this](const std::string& id) -> const Recording& { return Get(id); });
    found->second(stage);
    const Response right{recording.status, recording.headers, recording.body};
    Judge(recording, Compare(right, stage.scene().Ask(stage.question), recording.entities));
    set_ups.erase(found);
  }
  for (const auto& [id, set_up] : set_ups) ADD_FAILURE() << "no recording for the set-up of " << id;
}

TEST_F(RecordedJudgeTest, ListsDeviationsOfRecordingsThatExist) {
  for (const Deviation& deviation : kDeviations) {
    EXPECT_EQ(Get(deviation.id).id, deviation.id) << deviation.reason;
  }
}

}  // namespace
}  // namespace aztables::judge
