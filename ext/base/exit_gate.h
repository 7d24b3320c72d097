// ExitGate: exit() runs the destructors of libraries (OpenSSL's clean-up, simdjson's statics) while
// other threads go on, and one that is using such a library then crashes. A thread holds a Use
// while it is in such a library. exit() closes the gate first, and waits for those that are in.
//
// Each file that uses such a library holds a CloseAtExit, made after the library has registered
// its own destructors, so that the gate is closed before they run.
//
// Thread rule: any thread, also in a child after fork().
#pragma once

namespace aztables {

class ExitGate {
 public:
  // REQUIRES: what is done with it waits for nobody
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

  // How many uses other threads have, for which exit() would wait.
  static int UsersOfOthers();

  // A static object; its destructor closes the gate.
  struct CloseAtExit {
    ~CloseAtExit();
  };
};

}  // namespace aztables
