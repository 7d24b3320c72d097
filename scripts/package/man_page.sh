#!/bin/sh
# Writes a compressed man page: TEMPLATE, with the output of COMMAND in place of its line "%help%".
#
# usage: man_page.sh TEMPLATE COMMAND... >PAGE.gz
set -eu
template=$1
shift
help=$(mktemp)
trap 'rm -f "$help"' EXIT
"$@" >"$help.raw"
sed -e 's/[\\-]/\\&/g' -e "s/^[.']/\\\\\&&/" "$help.raw" >"$help"
rm -f "$help.raw"
sed -e "/^%help%\$/{r $help" -e 'd}' "$template" | gzip -9n
