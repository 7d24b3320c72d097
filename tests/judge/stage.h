// Stage: the state before a recorded request, which requests to the service itself produce. The
// stage inserts the entities of the response. The set-ups add everything else.
//
// Thread rule: one thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/scene.h"
#include "replay/recordings.h"

namespace aztables::judge {

using replay::Recording;

// The members of an entity in their order, with the text of each value.
using Members = std::vector<std::pair<std::string, std::string>>;
std::string ToJson(const Members& members);
// `members` with the value of `name` replaced.
Members With(Members members, const std::string& name, const std::string& value);
// `text` in quotes. It must not need escapes.
std::string Quoted(const std::string& text);

// One operation of a batch.
struct AskedOperation {
  std::string method;
  std::string url;
  std::vector<std::string> headers;
  std::string body;
};
// Makes `question` a batch: one changeset, or one GET.
void MakeBatch(Question& question, const std::vector<AskedOperation>& operations);

class Stage {
 public:
  using Find = std::function<const Recording&(const std::string& id)>;
  Stage(const Recording& recorded, Find find);

  const Recording& recorded() const { return *recorded_; }
  Scene& scene() { return *scene_; }
  Question question;  // the request; set-ups may add parts that the recording does not contain

  // The table that the request names.
  std::string Table() const;
  void CreateTable() { scene_->CreateTable(Table()); }
  // The entities of the response, without the service's own members.
  std::vector<Members> Shown() const;
  void Insert(const Members& entity) { scene_->Insert(Table(), ToJson(entity)); }
  void Insert(const std::string& json) { scene_->Insert(Table(), json); }
  // Puts the entity with its properties in reverse order.
  void PutReversed(const Members& entity);
  // The entity that many of the recordings use: the body of entity-insert-204.
  std::string StandardEntity(const std::string& partition_key, const std::string& row_key) const;
  // The same entity with the keys of the request: from its address, or from its body.
  std::string StandardEntity() const;
  // Sends the request of another recording. Expects the recorded status.
  void Replay(const std::string& id);

 private:
  const Recording* recorded_;
  Find find_;
  std::unique_ptr<Scene> scene_;
};

}  // namespace aztables::judge
