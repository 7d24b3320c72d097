// Stage: what has to be there before a recorded request can be answered as it was, made by requests
// to the service itself. What a response shows is inserted; the rest is said by the set-ups.
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
// "text", for a value without characters that need an escape.
std::string Quoted(const std::string& text);

// One operation of a batch that a test writes.
struct AskedOperation {
  std::string method;
  std::string url;
  std::vector<std::string> headers;
  std::string body;
};
// Makes `question` a batch: of a changeset, or of one GET.
void MakeBatch(Question& question, const std::vector<AskedOperation>& operations);

class Stage {
 public:
  using Find = std::function<const Recording&(const std::string& id)>;
  Stage(const Recording& recorded, Find find);

  const Recording& recorded() const { return *recorded_; }
  Scene& scene() { return *scene_; }
  Question question;  // what is asked; set-ups may add what the recording lacks

  // The table that the request names.
  std::string Table() const;
  void CreateTable() { scene_->CreateTable(Table()); }
  // The entities of the response, without what the service adds.
  std::vector<Members> Shown() const;
  void Insert(const Members& entity) { scene_->Insert(Table(), ToJson(entity)); }
  void Insert(const std::string& json) { scene_->Insert(Table(), json); }
  // Puts the entity with its properties in reverse order.
  void PutReversed(const Members& entity);
  // An entity with the properties of many of the recordings: the body of entity-insert-204.
  std::string StandardEntity(const std::string& partition_key, const std::string& row_key) const;
  // The same with the keys of the address, or of the body, of the request.
  std::string StandardEntity() const;
  // The request of another recording, which is answered with the status that it was answered with.
  void Replay(const std::string& id);

 private:
  const Recording* recorded_;
  Find find_;
  std::unique_ptr<Scene> scene_;
};

}  // namespace aztables::judge
