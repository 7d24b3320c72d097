// RequestLimit: how many requests of one read may be under way at once. While the service is too
// busy, there are fewer, and their number rises slowly.
//
// Thread rule: a value.
#pragma once

#include <algorithm>
#include <cstddef>

namespace aztables {

class RequestLimit {
 public:
  // `most`: if the service is not too busy.
  explicit RequestLimit(size_t most) : most_(most), now_(most) {}

  size_t now() const { return now_; }
  // A request is sent. Returns its number.
  size_t Sent() { return ++requests_; }
  // The service was too busy for the request with this number. Several requests may have been
  // refused for one reason: those sent before count once.
  void Refused(size_t number, size_t under_way) {
    if (number < refused_) return;
    now_ = std::max<size_t>(1, under_way / 2);
    refused_ = requests_ + 1;
    good_ = 0;
  }
  // A page came.
  void Came() {
    if (now_ == most_ || ++good_ < kPagesToRise * now_) return;
    ++now_;
    good_ = 0;
  }

 private:
  // For each request that may be under way, so many pages come before one more may be.
  static constexpr size_t kPagesToRise = 8;

  size_t most_;
  size_t now_;
  size_t good_ = 0;      // pages since now_ has changed
  size_t requests_ = 0;  // sent
  size_t refused_ = 0;   // the number of the next request when now_ was lowered
};

}  // namespace aztables
