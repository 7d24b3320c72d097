#!/usr/bin/env bash
# Builds a current SQLite under build/current_sqlite if it is missing. Debian's python3 and sqlite3 shell
# load this library instead of their own if LD_LIBRARY_PATH names its folder. The only output line is that
# folder, whose name begins with SQLite's version.
#
# usage: folder=$(scripts/current_sqlite.sh)
#
# The source is from the pinned npm package (tests/support/current_sqlite); nothing else of it is used.
# The options are those of Debian's library, since its shell needs some of them. The shell also requires
# the source id that it was built with, so this library reports that id, but its true version. Once it is
# built, this script uses no network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=(-O2 -fPIC -DHAVE_ISNAN)
for option in ENABLE_{COLUMN_METADATA,DBSTAT_VTAB,FTS3,FTS3_PARENTHESIS,FTS3_TOKENIZER,FTS4,FTS5} \
  ENABLE_{LOAD_EXTENSION,MATH_FUNCTIONS,PREUPDATE_HOOK,RTREE,SESSION,STMTVTAB,UNLOCK_NOTIFY} \
  ENABLE_UPDATE_DELETE_LIMIT LIKE_DOESNT_MATCH_BLOBS MAX_DEFAULT_PAGE_SIZE=32768 \
  MAX_VARIABLE_NUMBER=250000 OMIT_LOOKASIDE SECURE_DELETE SOUNDEX THREADSAFE=1 USE_URI; do
  options+=("-DSQLITE_$option")
done

home=build/current_sqlite
source=$(scripts/npm_install.sh tests/support/current_sqlite "$home" \
  node_modules/better-sqlite3/deps/sqlite3/sqlite3.c)
exec 9>"$home/.build.lock" # a concurrent run waits and finds it done
flock 9

version=$(sed -n 's/^#define SQLITE_VERSION  *"\(.*\)"$/\1/p' "$source")
shell_id=$(sqlite3 --version | cut -d ' ' -f 2-4)
key=$(printf '%s\n' "$shell_id" "${options[@]}" | cat - "$home/installed.lock" | sha256sum)
folder=$PWD/$home/$version-${key:0:12}

if [[ ! -f $folder/libsqlite3.so.0 ]]; then
  echo "current_sqlite: compiling SQLite $version, about a minute" >&2
  mkdir -p "$folder"
  sed "s/^\(#define SQLITE_SOURCE_ID \).*/\1\"$shell_id\"/" "$source" |
    cc -x c "${options[@]}" -shared -Wl,-soname,libsqlite3.so.0 - -o "$folder/new.so" -lm >&2
  mv "$folder/new.so" "$folder/libsqlite3.so.0"
fi

echo "$folder"
