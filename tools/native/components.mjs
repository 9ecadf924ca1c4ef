// What the runtime links, which no package manager knows: bun's own list (LICENSE.md of github.com/oven-sh/bun) with SPDX
// names. What the runtime says its version of is in `process.versions` of bun under `reported`.

const github = (path) => `https://github.com/${path}`;

/** Sorted by name. `only` restricts a library to the targets with these prefixes. */
const LINKED = [
  { name: 'base64', license: 'BSD-2-Clause', url: github('aklomp/base64') },
  {
    name: 'boringssl',
    reported: 'boringssl',
    license: 'Apache-2.0 AND ISC AND MIT AND OpenSSL',
    url: github('oven-sh/boringssl'),
  },
  { name: 'brotli', license: 'MIT', url: github('google/brotli') },
  { name: 'c-ares', reported: 'ares', license: 'MIT', url: github('c-ares/c-ares') },
  { name: 'highway', license: 'Apache-2.0', url: github('google/highway') },
  { name: 'icu', reported: 'icu', license: 'Unicode-3.0', url: github('unicode-org/icu') },
  {
    name: 'libarchive',
    reported: 'libarchive',
    license: 'BSD-2-Clause AND BSD-3-Clause',
    url: github('libarchive/libarchive'),
  },
  { name: 'libc++abi', license: 'Apache-2.0 WITH LLVM-exception', url: github('llvm/llvm-project') },
  { name: 'libdeflate', reported: 'libdeflate', license: 'MIT', url: github('ebiggers/libdeflate') },
  { name: 'libjpeg-turbo', license: 'IJG AND BSD-3-Clause AND Zlib', url: github('libjpeg-turbo/libjpeg-turbo') },
  { name: 'libspng', license: 'BSD-2-Clause', url: github('randy408/libspng') },
  { name: 'libuv', license: 'MIT', url: github('libuv/libuv'), only: 'windows' },
  { name: 'libwebp', license: 'BSD-3-Clause', url: github('webmproject/libwebp') },
  { name: 'llhttp', reported: 'llhttp', license: 'MIT', url: github('nodejs/llhttp') },
  { name: 'lol-html', reported: 'lolhtml', license: 'BSD-3-Clause', url: github('cloudflare/lol-html') },
  { name: 'ls-hpack', reported: 'lshpack', license: 'MIT', url: github('litespeedtech/ls-hpack') },
  { name: 'ls-qpack', license: 'MIT', url: github('litespeedtech/ls-qpack') },
  { name: 'lsquic', license: 'MIT AND BSD-3-Clause', url: github('litespeedtech/lsquic') },
  { name: 'mimalloc', reported: 'mimalloc', license: 'MIT', url: github('oven-sh/mimalloc') },
  { name: 'node-polyfills', license: 'MIT', url: github('oven-sh/bun') },
  { name: 'picohttpparser', reported: 'picohttpparser', license: 'MIT', url: github('h2o/picohttpparser') },
  { name: 'simdutf', license: 'Apache-2.0', url: github('simdutf/simdutf') },
  { name: 'sqlite', reported: 'sqlite', license: 'blessing', url: 'https://sqlite.org' },
  { name: 'tigerbeetle-io', license: 'Apache-2.0', url: github('tigerbeetle/tigerbeetle') },
  { name: 'tinycc', reported: 'tinycc', license: 'LGPL-2.1-or-later', url: github('oven-sh/tinycc') },
  { name: 'typescript', reported: 'typescript', license: 'Apache-2.0', url: github('microsoft/typescript-go') },
  { name: 'uSockets', reported: 'usockets', license: 'Apache-2.0', url: github('uNetworking/uSockets') },
  { name: 'uucode', license: 'MIT', url: github('jacobsandlund/uucode') },
  { name: 'uWebSockets', reported: 'uwebsockets', license: 'Apache-2.0', url: github('oven-sh/uWebSockets') },
  {
    name: 'WebKit',
    reported: 'webkit',
    license: 'LGPL-2.0-or-later AND BSD-2-Clause',
    url: github('oven-sh/WebKit'),
    what: 'JavaScriptCore, the engine',
  },
  { name: 'zlib', reported: 'zlib', license: 'Zlib', url: github('zlib-ng/zlib-ng') },
  { name: 'zstd', reported: 'zstd', license: 'BSD-3-Clause', url: github('facebook/zstd') },
];

/** Versions of bun that are not libraries: its own, those of its interfaces, and of its build tools. */
const NO_LIBRARY = ['bun', 'modules', 'napi', 'node', 'openssl', 'unicode', 'uv', 'v8', 'zig'];

/**
 * Returns the libraries in the runtime of a target, as `{ name, version, license, url, what }`; `versions` are those
 * that it reports. An unreported library has the version of the runtime.
 * @throws Error if it reports an unknown one
 */
export function linkedIn(target, versions) {
  const known = new Set([...NO_LIBRARY, ...LINKED.flatMap(({ reported }) => reported ?? [])]);
  const unknown = Object.keys(versions).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`tools/native/components.mjs does not know what ${unknown.join(', ')} is`);
  return LINKED.filter(({ only }) => only === undefined || target.startsWith(only)).map(
    ({ name, reported, license, url, what = 'linked into the runtime' }) => {
      const version = reported === undefined ? `bun-${versions.bun}` : versions[reported];
      if (version === undefined) throw new Error(`bun ${versions.bun} does not say its version of ${reported}`);
      return { name, version, license, url, what };
    },
  );
}

/** The SPDX names in an expression; an exception counts as one. */
export const idsIn = (expression) => expression.split(/ (?:AND|OR|WITH) /);
