#!/bin/sh
# ci/render.sh: renders every folder of apps/ with the RGDs of platform/ to rendered/. Errors and warnings are in
# diagnostics/ in the format of JUnit, and the exit code is 1 if there is an error.
mkdir -p rendered diagnostics
status=0
for app in apps/*/; do
  name=$(basename "$app")
  render-rgd render "$app" --definitions platform --all --strict --report junit \
    >"rendered/$name.yaml" 2>"diagnostics/$name.xml" || status=1
done
exit "$status"
