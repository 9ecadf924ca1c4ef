#!/bin/sh
# guard.sh FOLDER LOG COMMAND...: runs a command until standard input closes, which it does too when whoever holds its other
# end is killed; then ends the command at once, since nothing of it is kept, and removes FOLDER (unless it is empty text).
folder=$1 log=$2
shift 2
"$@" >"$log" 2>&1 </dev/null &
child=$!
cat >/dev/null
kill -9 "$child" 2>/dev/null
wait "$child"
[ -z "$folder" ] || rm -rf "$folder"
