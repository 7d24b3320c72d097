// A source, so that CMake has one to compile precompiled.h for.
#include "precompiled.h"
