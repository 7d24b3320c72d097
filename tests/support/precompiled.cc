// CMake needs a source file to compile precompiled.h.
#include "precompiled.h"
