// AnswerCache: complete responses that one statement has received: of points, and of queries with
// one page. A join or a subquery that repeats such a request does not send it again. The size is
// limited; a response that does not fit is requested again.
//
// Thread rule: the thread of the database connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace aztables {

class AnswerCache {
 public:
  static constexpr size_t kMostBytes = 8 * 1024 * 1024;
  static constexpr size_t kMostAnswerBytes = 512 * 1024;

  // Forgets the responses of another statement.
  void Enter(int64_t statement) {
    if (statement != statement_) Clear();
    statement_ = statement;
  }
  // The response; empty if there is no entity at a point. Null: it is not known. Valid until the
  // next Put(), Enter() or Clear().
  const std::string* Find(const std::string& address) const {
    const auto place = answers_.find(address);
    return place == answers_.end() ? nullptr : &place->second;
  }
  // Changes when the responses to earlier requests are no longer valid here.
  int64_t generation() const { return generation_; }
  // Stores the response to a request that was sent in `generation`.
  void Put(const std::string& address, std::string answer, int64_t generation) {
    const size_t bytes = address.size() + answer.size() + kOverhead;
    if (generation != generation_ || answer.size() > kMostAnswerBytes) return;
    if (bytes_ + bytes > kMostBytes) Drop();
    if (answers_.emplace(address, std::move(answer)).second) bytes_ += bytes;
  }
  void Clear() {
    Drop();
    ++generation_;
  }

 private:
  void Drop() {
    answers_.clear();
    bytes_ = 0;
  }

  static constexpr size_t kOverhead = 128;

  std::unordered_map<std::string, std::string> answers_;
  size_t bytes_ = 0;
  int64_t statement_ = 0;
  int64_t generation_ = 0;
};

}  // namespace aztables
