// ForkCount: finds out whether the process is a child, after fork(), of the one that made an
// object. It costs no system call, unlike getpid(). vfork() and posix_spawn() are not counted: exec
// follows.
//
// Thread rule: any thread.
#pragma once

#include <cstdint>

namespace aztables {

// How many calls of fork() led from the first call of this function to this process. An object that
// keeps the number of its construction is in a child if the number differs.
uint64_t ForkCount();

}  // namespace aztables
