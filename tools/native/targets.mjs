/** The platforms that executables are built for, and the package that has the runtime of each. */
export const targets = {
  'linux-x64': { runtime: '@oven/bun-linux-x64', bun: 'bun-linux-x64' },
  'linux-arm64': { runtime: '@oven/bun-linux-aarch64', bun: 'bun-linux-arm64' },
  'linux-x64-musl': { runtime: '@oven/bun-linux-x64-musl', bun: 'bun-linux-x64-musl' },
  'linux-arm64-musl': { runtime: '@oven/bun-linux-aarch64-musl', bun: 'bun-linux-arm64-musl' },
  'darwin-x64': { runtime: '@oven/bun-darwin-x64', bun: 'bun-darwin-x64' },
  'darwin-arm64': { runtime: '@oven/bun-darwin-aarch64', bun: 'bun-darwin-arm64' },
  'windows-x64': { runtime: '@oven/bun-windows-x64', bun: 'bun-windows-x64', suffix: '.exe' },
};

/** The file name of an executable. */
export const fileOf = (target) => `render-rgd-${target}${targets[target].suffix ?? ''}`;

/** The target that runs here; undefined where there is none. */
export function hostTarget() {
  const system = { win32: 'windows' }[process.platform] ?? process.platform;
  const musl = process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
  const name = `${system}-${process.arch}${musl ? '-musl' : ''}`;
  return Object.hasOwn(targets, name) ? name : undefined;
}
