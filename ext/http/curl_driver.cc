// CurlDriver: see curl_driver.h.
#include "http/curl_driver.h"

#include <malloc.h>
#include <string.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/crypto.h"
#include "base/exit_gate.h"
#include "platform/process.h"

namespace aztables {
namespace {

// A pause of the host this long may have made a server close a connection.
constexpr std::chrono::seconds kLeftAlone(1);

constexpr size_t kMostWiped = 256 * 1024;
constexpr size_t kBeginning = 64 * 1024;  // of a larger block

// free() and realloc() for libcurl. They wipe blocks from malloc(), which may have held addresses
// with a SAS. In a block of more than 256 KiB only the first 64 KiB are wiped: only libcurl's
// receive buffer is that large. It holds only responses, and an error response that repeats an
// address is far smaller.
void WipeAndFree(void* block) {
  if (block == nullptr) return;
  const size_t size = malloc_usable_size(block);
  explicit_bzero(block, size <= kMostWiped ? size : kBeginning);
  std::free(block);
}

void* WipeAndResize(void* block, size_t size) {
  if (block == nullptr) return std::malloc(size);
  const size_t had = malloc_usable_size(block);
  if (size <= had && size > had / 2) return block;
  void* const resized = std::malloc(size);
  if (resized == nullptr) return nullptr;
  memcpy(resized, block, std::min(had, size));
  WipeAndFree(block);
  return resized;
}

// libcurl keeps the memory functions of its first initialization, which may be the host's.
bool InitCurl() {
  return curl_global_init_mem(CURL_GLOBAL_DEFAULT, malloc, WipeAndFree, WipeAndResize, strdup,
                              calloc) == CURLE_OK;
}

// Earlier versions raise SIGPIPE: their TLS writes to sockets without MSG_NOSIGNAL.
bool IsRecentCurl() {
  constexpr unsigned kFirst = 0x075800;
  return curl_version_info(CURLVERSION_NOW)->version_num >= kFirst;
}

// Wipes what libcurl left of a SAS on the stack, below this frame, and in the registers of
// memcpy(). If a function is called for the first time, the dynamic linker stores these registers
// too.
[[gnu::noinline]] void WipeStack() {
  char below[size_t{32} << 10];
  explicit_bzero(below, sizeof below);
  // Each size uses its own registers.
  auto* const volatile copy = &std::memcpy;
  for (size_t size = 1; size <= sizeof below / 2; size *= 2) {
    copy(below, below + sizeof below / 2, size);
    copy(below, below + sizeof below / 2, size - size / 4);
  }
}

}  // namespace

Result<std::shared_ptr<CurlDriver>> CurlDriver::Make() {
  const ExitGate::Use use;
  if (!use.allowed()) return Status::Error("the process is exiting");
  static const bool ready = InitCrypto() && InitCurl();
  if (!ready) return Status::Error("libcurl cannot be initialized");
  if (!IsRecentCurl()) {
    return Status::Error(std::string("libcurl 7.88 or later is needed; this is ") +
                         curl_version_info(CURLVERSION_NOW)->version);
  }
  std::shared_ptr<CurlDriver> driver(new CurlDriver);
  if (driver->multi_ == nullptr) return Status::Error("libcurl cannot be initialized");
  return driver;
}

CurlDriver::CurlDriver()
    : forks_(ForkCount()),
      closed_(Status::Error("the database connection was closed, or the process is exiting")),
      closed_later_(Code::kError,
                    [this] {
                      Failure failure = closed_.failure();
                      failure.may_have_reached = true;
                      return failure;
                    }()),
      no_memory_(Code::kNoMemory, "there is not enough memory for the response"),
      multi_(curl_multi_init()) {
  if (multi_ == nullptr) return;
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, 64L);
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
  sockets_.Attach(multi_);
}

CurlDriver::~CurlDriver() { Close(); }

bool CurlDriver::foreign() const { return ForkCount() != forks_; }

void CurlDriver::Add(CurlTransfer& transfer) {
  const ExitGate::Use use;
  if (multi_ == nullptr || !use.allowed()) {
    transfer.outcome.emplace(closed_);
    return;
  }
  running_.reserve(running_.size() + 1);
  sockets_.ReserveFor(running_.size() + 1);
  SetUpTransfer(transfer);
  transfer.connect_by = driven_ + std::min(transfer.request.timeout, kMostConnecting);
  transfer.end_by = driven_ + transfer.request.timeout;
  transfer.progress = &progress_;
  had_sas_ = had_sas_ || !transfer.request.credential_query.view().empty();
  if (!transfer.easy || curl_multi_add_handle(multi_, transfer.easy.get()) != CURLM_OK) {
    transfer.outcome.emplace(no_memory_);
    return;
  }
  running_.push_back(&transfer);
}

void CurlDriver::Remove(std::unique_ptr<CurlTransfer> transfer) noexcept {
  const ExitGate::Use use;
  if (!use.allowed()) {  // libcurl may use libraries that are gone
    static_cast<void>(transfer.release());
    return;
  }
  if (transfer->outcome) return;
  std::erase(running_, transfer.get());
  if (multi_ != nullptr) curl_multi_remove_handle(multi_, transfer->easy.get());
}

void CurlDriver::Work(SteadyClock::time_point until) {
  counted_ = SteadyClock::now();
  for (CurlTransfer* transfer : running_) {
    const auto alone = counted_ - std::max(left_, transfer->began);
    transfer->left_alone = transfer->left_alone || alone >= kLeftAlone;
  }
  while (!Turn() && SteadyClock::now() < until) {
    sockets_.Sleep(std::min(until, NextDeadline()));
    CountDriven();
  }
  if (std::exchange(had_sas_, false)) WipeStack();
  left_ = SteadyClock::now();
}

void CurlDriver::CountDriven() {
  const auto now = SteadyClock::now();
  driven_ += now - std::exchange(counted_, now);
}

// One turn of libcurl: what the sockets and the time allow. Returns whether a transfer had
// progress.
bool CurlDriver::Turn() {
  const ExitGate::Use use;
  if (multi_ != nullptr && use.allowed()) {
    sockets_.Run();
    // libcurl 7.88 does not name the socket of a host's second address.
    const bool unnamed = std::any_of(running_.begin(), running_.end(), [&](const auto* one) {
      return !one->sent_before && !sockets_.Watches(one->easy.get());
    });
    int running = 0;
    if (unnamed) curl_multi_perform(multi_, &running);
    TakeEnded();
    EndLate();
  } else {
    FailAll();
  }
  return std::exchange(progress_, false);
}

void CurlDriver::TakeEnded() {
  int left = 0;
  while (const CURLMsg* const message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* const easy = message->easy_handle;
    const auto place = std::find_if(running_.begin(), running_.end(),
                                    [&](const auto* one) { return one->easy.get() == easy; });
    End(**place, message->data.result);
  }
}

void CurlDriver::EndLate() {
  for (size_t i = running_.size(); i > 0; --i) {
    CurlTransfer& transfer = *running_[i - 1];
    const bool connecting = !transfer.sent_before;
    if (driven_ < (connecting ? transfer.connect_by : transfer.end_by)) continue;
    WriteTimeoutText(transfer, connecting);
    End(transfer, CURLE_OPERATION_TIMEDOUT);
  }
}

CurlDriver::SteadyClock::time_point CurlDriver::NextDeadline() const {
  auto next = SteadyClock::duration::max();
  for (const CurlTransfer* transfer : running_) {
    next = std::min(next, transfer->sent_before ? transfer->end_by : transfer->connect_by);
  }
  return running_.empty() ? SteadyClock::time_point::max() : counted_ + (next - driven_);
}

void CurlDriver::End(CurlTransfer& transfer, CURLcode code) {
  std::erase(running_, &transfer);
  progress_ = true;
  try {
    transfer.outcome.emplace(OutcomeOf(transfer, code));
  } catch (const std::bad_alloc&) {
    transfer.outcome.emplace(no_memory_);
  }
  curl_multi_remove_handle(multi_, transfer.easy.get());
  transfer.ended = SteadyClock::now();
}

// It is called by destructors, so it does not allocate.
void CurlDriver::FailAll() {
  for (CurlTransfer* transfer : running_) {
    transfer->outcome.emplace(transfer->MayHaveReached() ? closed_later_ : closed_);
    progress_ = true;
  }
  running_.clear();
}

void CurlDriver::Close() {
  if (multi_ == nullptr) return;
  const ExitGate::Use use;
  // libcurl may use libraries that are gone.
  CURLM* const multi = std::exchange(multi_, nullptr);
  if (use.allowed()) {
    for (CurlTransfer* transfer : running_) curl_multi_remove_handle(multi, transfer->easy.get());
  }
  FailAll();
  if (use.allowed()) curl_multi_cleanup(multi);
}

}  // namespace aztables
