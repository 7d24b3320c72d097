// ResponseCache: complete responses that one statement has received: of points, and of queries with
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

class ResponseCache {
 public:
  static constexpr size_t kMostBytes = 8 * 1024 * 1024;
  static constexpr size_t kMostResponseBytes = 512 * 1024;

  // Forgets the responses of another statement.
  void Enter(int64_t statement) {
    if (statement != statement_) Clear();
    statement_ = statement;
  }
  // The response; empty if there is no entity at a point. Null: it is not known. Valid until the
  // next Put(), Enter() or Clear().
  const std::string* Find(const std::string& address) const {
    const auto place = responses_.find(address);
    return place == responses_.end() ? nullptr : &place->second;
  }
  // Changes when the responses to earlier requests are no longer valid here.
  int64_t generation() const { return generation_; }
  // Stores the response to a request that was sent in `generation`.
  void Put(std::string address, std::string response, int64_t generation) {
    const size_t bytes = address.size() + response.size() + kOverhead;
    if (generation != generation_ || response.size() > kMostResponseBytes) return;
    if (bytes_ + bytes > kMostBytes) Drop();
    if (responses_.emplace(std::move(address), std::move(response)).second) bytes_ += bytes;
  }
  void Clear() {
    Drop();
    ++generation_;
  }

 private:
  void Drop() {
    responses_.clear();
    bytes_ = 0;
  }

  static constexpr size_t kOverhead = 128;

  std::unordered_map<std::string, std::string> responses_;
  size_t bytes_ = 0;
  int64_t statement_ = 0;
  int64_t generation_ = 0;
};

}  // namespace aztables
