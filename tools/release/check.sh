#!/bin/sh
# Checks an archive of a release on its own system, from the root of the repository: its checksum, and an example that
# its executable renders. check.sh FOLDER ARCHIVE
set -eu
folder=$1 archive=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

grep " $archive\$" "$folder/checksums.txt" >"$work/checksum"
if command -v sha256sum >/dev/null; then
  (cd "$folder" && sha256sum -c -) <"$work/checksum"
else
  (cd "$folder" && shasum -a 256 -c -) <"$work/checksum"
fi
tar -xzf "$folder/$archive" -C "$work"
"$work/render-rgd" render examples/collections/input | tr -d '\r' >"$work/rendered.yaml"
tr -d '\r' <examples/collections/expected.yaml | diff - "$work/rendered.yaml"
echo "$archive renders the example"
