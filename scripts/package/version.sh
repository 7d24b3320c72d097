#!/bin/sh
# Prints the version of the project, which include/aztables.h states.
sed -n 's/^#define AZTABLES_VERSION "\(.*\)"$/\1/p' "$(dirname "$0")/../../include/aztables.h"
