#!/usr/bin/env bash
# Publishes a release, from the root of the repository: publish.sh VERSION FOLDER. It stays a draft until the npm package
# and the images are there. Needs gh, npm and docker with credentials; IMAGE names the image.
set -euo pipefail
version=$1 folder=$2 tag=v$1
revision=$(git rev-parse HEAD)

# The LGPL asks that the sources of JavaScriptCore are had where the executables are (docs/native.md).
bill=$(echo "$folder"/render-rgd_*_linux_amd64.cdx.json)
component() { jq -er ".components[] | select($1) | .version" "$bill"; }
fetch() { curl -fsSL -o "$folder/$1" "https://github.com/oven-sh/$2"; }
fetch sources-webkit.tar.gz "WebKit/archive/$(component '.name == "WebKit"').tar.gz"
fetch sources-tinycc.tar.gz "tinycc/archive/$(component '.name == "tinycc"').tar.gz"
fetch sources-bun.tar.gz "bun/archive/refs/tags/bun-v$(component '.type == "platform"').tar.gz"

gh release create "$tag" --verify-tag --draft --notes-file CHANGELOG.md
gh release upload "$tag" "$folder"/*
chmod +x dist/render-rgd.js
(cd dist && npm pkg set "repository.url=git+https://github.com/$GITHUB_REPOSITORY.git")
npm publish ./dist --provenance --access public
for target in function plugin plugin-full; do
  suffix=$([[ $target == function ]] || echo "-$target")
  docker buildx build --target "$target" --platform linux/amd64,linux/arm64 --provenance=mode=max --sbom=true \
    --build-arg "VERSION=$version" --build-arg "REVISION=$revision" \
    --tag "${IMAGE,,}:$tag$suffix" --push .
done
gh release edit "$tag" --draft=false
