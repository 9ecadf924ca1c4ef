/** The platforms that executables are built for, the package that has the runtime of each, and what Go calls them. */
export const targets = {
  'linux-x64': { runtime: '@oven/bun-linux-x64', bun: 'bun-linux-x64', os: 'linux', arch: 'amd64' },
  'linux-arm64': { runtime: '@oven/bun-linux-aarch64', bun: 'bun-linux-arm64', os: 'linux', arch: 'arm64' },
  'linux-x64-musl': {
    runtime: '@oven/bun-linux-x64-musl',
    bun: 'bun-linux-x64-musl',
    os: 'linux',
    arch: 'amd64',
    libc: 'musl',
  },
  'linux-arm64-musl': {
    runtime: '@oven/bun-linux-aarch64-musl',
    bun: 'bun-linux-arm64-musl',
    os: 'linux',
    arch: 'arm64',
    libc: 'musl',
  },
  'darwin-x64': { runtime: '@oven/bun-darwin-x64', bun: 'bun-darwin-x64', os: 'darwin', arch: 'amd64' },
  'darwin-arm64': { runtime: '@oven/bun-darwin-aarch64', bun: 'bun-darwin-arm64', os: 'darwin', arch: 'arm64' },
  'windows-x64': {
    runtime: '@oven/bun-windows-x64',
    bun: 'bun-windows-x64',
    suffix: '.exe',
    os: 'windows',
    arch: 'amd64',
  },
};

/** The file name of an executable. */
export const fileOf = (target) => `render-rgd-${target}${targets[target].suffix ?? ''}`;

/** The name of the archive of a release, by which aqua, mise and others find that of a platform. */
export function archiveOf(target, version) {
  const { os, arch, libc } = targets[target];
  return `${['render-rgd', version, os, arch, ...(libc === undefined ? [] : [libc])].join('_')}.tar.gz`;
}

/** The target that runs here; undefined where there is none. */
export function hostTarget() {
  const system = { win32: 'windows' }[process.platform] ?? process.platform;
  const musl = process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
  const name = `${system}-${process.arch}${musl ? '-musl' : ''}`;
  return Object.hasOwn(targets, name) ? name : undefined;
}
