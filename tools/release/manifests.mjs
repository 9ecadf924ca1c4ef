// The manifests with which package managers install a release. An archive is `{ os, arch, libc, suffix, file, sha256
// }`.

const SHORT = 'Render kro RGDs and Flux ResourceSets without a cluster';
const LONG = `Renders kro ResourceGraphDefinitions and Flux ResourceSets into plain Kubernetes objects, and shows what a
    change does to every application of a repository. It needs no cluster.`;

/** Returns the manifests of a release as files: their names and texts. */
export function manifestsOf(release) {
  return [
    { name: 'render-rgd.krew.yaml', text: krewManifest(release) },
    { name: 'render-rgd.rb', text: homebrewFormula(release) },
    { name: 'rgd.yaml', text: fluxManifest(release) },
  ];
}

/** Returns one archive for each system and architecture: of two C libraries, glibc. */
const oneForEach = ({ archives }) => archives.filter(({ libc }) => libc === undefined);

/** `kubectl krew install` (https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest/). */
function krewManifest(release) {
  const platforms = oneForEach(release).map(
    ({ os, arch, suffix, file, sha256 }) => `    - selector:
        matchLabels: { os: ${os}, arch: ${arch} }
      uri: ${release.url}/${file}
      sha256: ${sha256}
      bin: render-rgd${suffix}
`,
  );
  return `apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: render-rgd
spec:
  version: v${release.version}
  homepage: ${release.homepage}
  shortDescription: ${SHORT}
  description: |
    ${LONG}
  platforms:
${platforms.join('')}`;
}

/** `brew install` (https://docs.brew.sh/Formula-Cookbook). */
function homebrewFormula(release) {
  const cpus = { amd64: 'intel', arm64: 'arm' };
  const blocks = [
    ['macos', 'darwin'],
    ['linux', 'linux'],
  ].flatMap(([block, system]) => {
    const archives = oneForEach(release).filter(({ os }) => os === system);
    const lines = archives.map(
      ({ arch, file, sha256 }) => `    on_${cpus[arch]} do
      url "${release.url}/${file}"
      sha256 "${sha256}"
    end
`,
    );
    return archives.length === 0 ? [] : [`  on_${block} do\n${lines.join('')}  end\n`];
  });
  return `class RenderRgd < Formula
  desc "${SHORT}"
  homepage "${release.homepage}"
  version "${release.version}"
  license "${release.license}"

${blocks.join('\n')}
  def install
    bin.install "render-rgd"
    generate_completions_from_executable(bin/"render-rgd", "completion", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/render-rgd --version")
  end
end
`;
}

/** `flux plugin install rgd`, which installs it as flux-rgd: the schema cli.fluxcd.io/v1beta1. */
function fluxManifest(release) {
  const platforms = oneForEach(release).map(
    ({ os, arch, suffix, file, sha256 }) => `      - os: ${os}
        arch: ${arch}
        url: ${release.url}/${file}
        checksum: sha256:${sha256}
        extractPath: render-rgd${suffix}
`,
  );
  return `apiVersion: cli.fluxcd.io/v1beta1
kind: Plugin
name: rgd
description: ${SHORT}
homepage: ${release.homepage}
source: ${release.homepage}
bin: flux-rgd
versions:
  - version: ${release.version}
    platforms:
${platforms.join('')}`;
}

/** A plugin of Helm 4 that runs render-rgd of the PATH after a chart. */
export const helmPlugin = (version) => `apiVersion: v1
type: postrenderer/v1
name: render-rgd
version: ${version}
runtime: subprocess
runtimeConfig:
  platformCommand:
    - command: render-rgd
      args: [render, "-", --all]
`;
