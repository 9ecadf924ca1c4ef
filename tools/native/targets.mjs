/** The platforms of executables, the package with the runtime of each, and their names in Go. */
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

/** Returns the file name of an executable. */
export const fileOf = (target) => `render-rgd-${target}${targets[target].suffix ?? ''}`;

/** Returns the name of the archive of a release, by which aqua, mise and others find it. */
export function archiveOf(target, version) {
  const { os, arch, libc } = targets[target];
  return `${['render-rgd', version, os, arch, ...(libc === undefined ? [] : [libc])].join('_')}.tar.gz`;
}

/** Returns the target of this machine; undefined if there is none. */
export function hostTarget() {
  const system = { win32: 'windows' }[process.platform] ?? process.platform;
  const musl = process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
  const name = `${system}-${process.arch}${musl ? '-musl' : ''}`;
  return Object.hasOwn(targets, name) ? name : undefined;
}
