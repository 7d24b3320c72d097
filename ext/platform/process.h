// The process: its environment, its children after fork(), the signals that end a server.
//
// Thread rule: any thread, if nothing else is stated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aztables {

// How many calls of fork() led from the first call of this function to this process. An object that
// keeps the number of its construction is in a child if the number differs. It costs no system
// call. vfork() and posix_spawn() are not counted: exec follows.
uint64_t ForkCount();

// Calls `function` in each child after fork(), before anything else runs there. False: there is no
// memory for it.
bool CallInChild(void (*function)());

// The names of the variables of the environment that have a value now. A value may be a secret, so
// none is copied.
std::vector<std::string> VariablesWithValue();

// For a program that waits to be stopped. The constructor runs before the first thread starts: all
// later threads leave SIGTERM and SIGINT to Wait(). A closed pipe and a file at its limit make a
// write fail.
class StopSignals {
 public:
  StopSignals();
  // Returns at the first signal. Later signals end the process as usual.
  void Wait();
};

// Lets this process open at least `count` files, if the system permits it.
void RaiseFileLimit(uint64_t count);

}  // namespace aztables
