# docker build --target function|plugin|plugin-full .
# With --build-arg ENGINE=node the same targets run the bundle on Node in place of the executable.
ARG ENGINE=native
ARG NODE_IMAGE=node:24-bookworm-slim
# Nothing but the C library: no shell, no package manager.
ARG RUNTIME_IMAGE=gcr.io/distroless/base-nossl-debian12:nonroot
ARG KUSTOMIZE_IMAGE=registry.k8s.io/kustomize/kustomize:v5.8.2
ARG HELM_IMAGE=alpine/helm:3.22.0

# The executable of another platform is put together here, on the platform that builds.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
ARG TARGETARCH=amd64
WORKDIR /build
COPY package.json package-lock.json tsconfig.json .npmrc LICENSE ./
RUN npm ci --no-audit --no-fund
COPY data data
COPY src src
COPY tools tools
RUN node tools/build.mjs --no-types && node tools/native.mjs --target "linux-$TARGETARCH" --name render-rgd

# Nothing is written at run time: the root file system may be read-only.
FROM ${RUNTIME_IMAGE} AS base-native
COPY --from=build --chmod=755 /build/dist-native/render-rgd /usr/local/bin/render-rgd
COPY --from=build /build/dist-native/render-rgd.notices.txt /build/dist-native/render-rgd.cdx.json /usr/share/doc/render-rgd/

FROM ${NODE_IMAGE} AS base-node
COPY --from=build --chmod=755 /build/dist/render-rgd.js /usr/local/bin/render-rgd
COPY --from=build /build/dist/THIRD_PARTY_NOTICES.txt /build/dist/sbom.cdx.json /usr/share/doc/render-rgd/
# Node keeps compiled code for each user, and a start takes a sixth less with it (docs/performance.md).
ENV NODE_ENV=production NODE_COMPILE_CACHE=/var/cache/render-rgd
RUN install -d -o 999 -g 999 "$NODE_COMPILE_CACHE"

# hadolint ignore=DL3006
FROM base-${ENGINE} AS base
ARG VERSION=0.0.0-dev
ARG REVISION=unknown
LABEL org.opencontainers.image.title="render-rgd" \
      org.opencontainers.image.description="Renders kro ResourceGraphDefinitions and Flux ResourceSets without a cluster" \
      org.opencontainers.image.source="https://github.com/render-rgd/render-rgd" \
      org.opencontainers.image.documentation="https://github.com/render-rgd/render-rgd/tree/main/docs" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY LICENSE /usr/share/doc/render-rgd/LICENSE
ENV HOME=/tmp
# The user that Argo CD runs sidecars as; a number, so that Kubernetes can tell that it is not root.
USER 999:999
WORKDIR /tmp
# Runs the executable of the target: a build for another platform needs an emulator (QEMU) registered for this line.
RUN --mount=type=bind,source=examples/collections/input,target=/input ["/usr/local/bin/render-rgd", "render", "/input"]

# The KRM function: a ResourceList on stdin.
FROM base AS function
ENTRYPOINT ["render-rgd"]

FROM ${KUSTOMIZE_IMAGE} AS kustomize
FROM ${HELM_IMAGE} AS helm

# The sidecar of argocd-repo-server with kustomize and helm, for the parameter `build`.
FROM base AS plugin-full
COPY --from=kustomize /app/kustomize /usr/local/bin/kustomize
COPY --from=helm /usr/bin/helm /usr/local/bin/helm
COPY plugin.yaml /home/argocd/cmp-server/config/plugin.yaml
ENTRYPOINT ["/var/run/argocd/argocd-cmp-server"]

# The sidecar. Argo CD brings argocd-cmp-server in a volume.
FROM base AS plugin
COPY plugin.yaml /home/argocd/cmp-server/config/plugin.yaml
ENTRYPOINT ["/var/run/argocd/argocd-cmp-server"]
