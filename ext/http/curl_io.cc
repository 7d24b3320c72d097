// CurlIo on libcurl: see curl_io.h. The thread that drives libcurl owns the multi handle and every
// easy handle, fills a job's outcome and raises the job's signal.
#include "http/curl_io.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <utility>

#include "base/background_thread.h"
#include "base/crypto.h"
#include "base/exit_gate.h"
#include "http/curl_sockets.h"
#include "http/curl_transfer.h"
#include "http/wiped_memory.h"

namespace aztables {
namespace {

// libcurl keeps the memory functions of its first initialization, which may be the host's.
bool InitCurl() {
  return curl_global_init_mem(CURL_GLOBAL_DEFAULT, malloc, WipeAndFree, WipeAndResize, strdup,
                              calloc) == CURLE_OK;
}

// Before 7.88, libcurl's TLS wrote to sockets without MSG_NOSIGNAL.
bool MayRaiseSigpipe() {
  constexpr unsigned kNever = 0x075800;
  static const bool may = curl_version_info(CURLVERSION_NOW)->version_num < kNever;
  return may;
}

// Keeps SIGPIPE from the host while this thread writes to sockets. It costs four system calls.
class NoSigpipe {
 public:
  NoSigpipe() {
    if (!needed_) return;
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoSigpipe() {
    if (!needed_) return;
    const timespec now{};
    if (!was_pending_) sigtimedwait(&pipe_, nullptr, &now);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  const bool needed_ = MayRaiseSigpipe();
  sigset_t pipe_;
  sigset_t before_;
  bool was_pending_ = false;
};

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

class IoThread final : public CurlIo {
 public:
  IoThread() {
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, 64L);
    curl_multi_setopt(multi_, CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
    sockets_.Attach(multi_);
  }
  ~IoThread() override {
    thread_.End();
    const std::lock_guard lock(mutex_);
    curl_multi_cleanup(std::exchange(multi_, nullptr));  // already null if the thread was started
  }

  Status Start() {
    if (multi_ == nullptr) return Status::Error("libcurl cannot be initialized");
    if (!sockets_.ok()) return Status::Error("the process has too many open files");
    return thread_.Start();
  }

  void Queue(std::shared_ptr<CurlJob> job) override {
    const bool waits = job->waits;
    {
      const std::lock_guard lock(mutex_);
      if (multi_ != nullptr) {
        queue_.push_back(std::move(job));
        if (driver_ == Driver::kThread) sockets_.Wake();
      }
    }
    if (job) {
      Done(*job, Status::Error(kClosed));
    } else if (!waits) {
      Work({});  // sends it now; its caller may work on something else first
    }
  }

  bool Work(std::chrono::steady_clock::time_point until) override {
    {
      const std::lock_guard lock(mutex_);
      if (multi_ == nullptr || stop_ || driver_ != Driver::kNobody) return false;
      driver_ = Driver::kWaiter;
    }
    {
      const NoSigpipe quiet;
      while (!stop_ && !GuardedTurn()) {
        if (std::chrono::steady_clock::now() >= until) break;
        sockets_.Sleep(until);
      }
    }
    if (std::exchange(had_sas_, false)) WipeStack();
    const std::lock_guard lock(mutex_);
    driver_ = Driver::kNobody;
    driven_ = true;
    if (stop_) wanted_.notify_one();
    if (!IsIdle()) StartWatch();
    return true;
  }

  void Wake() override {
    const std::lock_guard lock(mutex_);
    if (driver_ == Driver::kThread) sockets_.Wake();
  }
  void Stop() override { thread_.End(); }
  bool foreign() const override { return thread_.foreign(); }

 private:
  static constexpr char kClosed[] = "the database connection was closed, or the process is exiting";

  enum class Driver : uint8_t { kNobody, kThread, kWaiter };

  // How long the jobs may wait for a thread that drives. A thread that reads page after page is
  // back much sooner, so it costs no switch between threads.
  static constexpr std::chrono::milliseconds kGrace{2};

  // REQUIRES: mutex_ is locked
  void StartWatch() {
    if (!std::exchange(watching_, true)) wanted_.notify_one();
  }
  // REQUIRES: mutex_ is locked, and nobody drives
  bool IsIdle() const { return running_.empty() && queue_.empty(); }

  void AskToEnd() {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    if (driver_ == Driver::kThread) sockets_.Wake();
    wanted_.notify_one();
  }

  // Drives whenever nobody else has done so for kGrace.
  void Run() {
    std::unique_lock lock(mutex_);
    while (true) {
      wanted_.wait(lock, [this] { return watching_ || stop_; });
      if (wanted_.wait_for(lock, kGrace, [this] { return stop_.load(); })) break;
      if (driver_ != Driver::kNobody || std::exchange(driven_, false)) continue;
      if (!IsIdle()) DriveToIdle(lock);
      watching_ = false;
    }
    wanted_.wait(lock, [this] { return driver_ == Driver::kNobody; });
    lock.unlock();
    Close();
  }

  void DriveToIdle(std::unique_lock<std::mutex>& lock) {
    driver_ = Driver::kThread;
    do {
      lock.unlock();
      Turn();
      lock.lock();
      if (IsIdle()) break;
      lock.unlock();
      sockets_.Sleep(std::chrono::steady_clock::now() + std::chrono::seconds(60));
      lock.lock();
    } while (!stop_);
    driver_ = Driver::kNobody;
  }

  // On a thread of the host, which exit() does not end.
  bool GuardedTurn() {
    const ExitGate::Use use;
    return !use.allowed() || Turn();
  }

  // One turn of libcurl: what was queued or abandoned, and what the sockets allow. Returns whether
  // a job had progress. REQUIRES: this thread drives
  bool Turn() {
    TakeQueued();
    DropAbandoned();
    sockets_.Run();
    Finish();
    return std::exchange(progress_, false);
  }

  // Not in the destructor: closing connections may raise SIGPIPE, which only this thread blocks.
  void Close() {
    for (auto& transfer : running_) {
      Failure detail;
      detail.may_have_reached = transfer->MayHaveReached();
      curl_multi_remove_handle(multi_, transfer->easy.get());
      Done(*transfer->job, Status(Code::kError, kClosed, detail));
    }
    running_.clear();
    std::deque<std::shared_ptr<CurlJob>> queued;
    {
      const std::lock_guard lock(mutex_);
      queued.swap(queue_);
      curl_multi_cleanup(std::exchange(multi_, nullptr));
    }
    for (auto& job : queued) Done(*job, Status::Error(kClosed));
  }

  void TakeQueued() {
    std::deque<std::shared_ptr<CurlJob>> queued;
    {
      const std::lock_guard lock(mutex_);
      queued.swap(queue_);
    }
    for (auto& job : queued) {
      if (job->abandoned) continue;
      auto transfer = std::make_unique<CurlTransfer>();
      transfer->job = std::move(job);
      had_sas_ = had_sas_ || transfer->job->has_sas;
      transfer->progress = &progress_;
      transfer->response.Use(std::move(transfer->job->spare));
      // A new handle per request. With a reused handle, libcurl 7.88 unfolds a header onto the last
      // header of the previous response, which it has freed.
      transfer->easy.reset(curl_easy_init());
      if (!transfer->easy) {
        Done(*transfer->job, Status::Error("libcurl has no memory for a request"));
        continue;
      }
      SetUpTransfer(*transfer);
      curl_multi_add_handle(multi_, transfer->easy.get());
      running_.push_back(std::move(transfer));
    }
  }

  void DropAbandoned() {
    std::erase_if(running_, [this](const auto& transfer) {
      if (!transfer->job->abandoned) return false;
      curl_multi_remove_handle(multi_, transfer->easy.get());
      return true;
    });
  }

  void Finish() {
    int left = 0;
    while (CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      CURL* const handle = message->easy_handle;
      const auto place = std::find_if(running_.begin(), running_.end(),
                                      [&](auto& t) { return t->easy.get() == handle; });
      const std::unique_ptr<CurlTransfer> transfer = std::move(*place);
      running_.erase(place);
      curl_multi_remove_handle(multi_, handle);
      Done(*transfer->job, OutcomeOf(*transfer, code));
    }
  }

  void Done(CurlJob& job, Outcome outcome) {
    progress_ = true;
    job.outcome.emplace(std::move(outcome));
    job.ended = std::chrono::steady_clock::now();
    job.done.store(true, std::memory_order_release);
    job.signal->Raise();
  }

  std::mutex mutex_;
  std::condition_variable wanted_;
  // Guarded by mutex_:
  std::deque<std::shared_ptr<CurlJob>> queue_;
  bool watching_ = false;  // the thread looks whether somebody drives
  bool driven_ = false;    // somebody has, since the thread looked
  Driver driver_ = Driver::kNobody;
  CurlSockets sockets_;               // its Wake() needs no lock
  CURLM* multi_ = curl_multi_init();  // null after Close(); the driver reads it without the lock

  // Used only by the driver.
  std::vector<std::unique_ptr<CurlTransfer>> running_;
  bool progress_ = false;  // a job has a head or is done
  bool had_sas_ = false;   // a job has, since the stack was wiped

  std::atomic<bool> stop_{false};
  BackgroundThread thread_{[this] { Run(); }, [this] { AskToEnd(); }};
};

}  // namespace

Result<std::shared_ptr<CurlIo>> StartCurlIo() {
  const ExitGate::Use use;
  if (!use.allowed()) return Status::Error("the process is exiting");
  static const bool ready = InitCrypto() && InitCurl();
  if (!ready) return Status::Error("libcurl cannot be initialized");
  auto io = std::make_shared<IoThread>();
  AZTABLES_RETURN_IF_ERROR(io->Start());
  return std::shared_ptr<CurlIo>(std::move(io));
}

}  // namespace aztables
