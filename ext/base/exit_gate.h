// ExitGate: keeps exit() from destroying a library that a thread is using. exit() runs the
// destructors of libraries (OpenSSL's clean-up, simdjson's statics) while other threads run. A
// thread that uses such a library then crashes. So a thread holds a Use while it is in such a
// library. exit() closes the gate first and waits for the threads that hold a Use.
//
// Each file that uses such a library holds a CloseAtExit. It is constructed after the library has
// registered its own destructors, so the gate closes before they run.
//
// Thread rule: any thread, also in a child after fork().
#pragma once

namespace aztables {

class ExitGate {
 public:
  // REQUIRES: the code that holds a Use does not wait for another thread
  class Use {
   public:
    Use();
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    // False: the process is exiting, and the library must not be used.
    bool allowed() const { return allowed_; }

   private:
    const bool allowed_;
  };

  // The number of uses of other threads, for which exit() would wait.
  static int UsersOfOthers();

  // A static object; its destructor closes the gate.
  struct CloseAtExit {
    ~CloseAtExit();
  };
};

}  // namespace aztables
