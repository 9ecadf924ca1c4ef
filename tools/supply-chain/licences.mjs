/** Licences that may be distributed inside a bundle, with a notice. */
const BUNDLED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/**
 * What tools may have as well, which stay on the machine that builds: MPL-2.0 (lightningcss, of vite) asks for the
 * sources of changed files only, and nothing is changed; PSF-2.0 (argparse, of js-yaml's command) and BlueOak-1.0.0
 * (graceful-fs, of dependency-cruiser) are permissive. LGPL-3.0 (rollup-plugin-dts) is about the tool, which
 * is run as it is: the declarations that it puts together are ours.
 */
const TOOLS = [...BUNDLED, 'BlueOak-1.0.0', 'LGPL-3.0-only', 'MPL-2.0', 'PSF-2.0'];

/**
 * What the runtime of the executables may link as well. The LGPL asks for its text, for the sources of the library, and
 * that a user can build the executable with a changed one (docs/native.md).
 */
const RUNTIME = [
  ...BUNDLED,
  'Apache-2.0 WITH LLVM-exception',
  'IJG',
  'LGPL-2.0-or-later',
  'LGPL-2.1-or-later',
  'OpenSSL',
  'Unicode-3.0',
  'Zlib',
  'blessing',
];

/**
 * Reports whether an SPDX expression, such as `(MIT OR Apache-2.0)`, is satisfied; nested parentheses are not parsed.
 */
export function isAllowed(expression, { bundled, runtime = false }) {
  const allowed = runtime ? RUNTIME : bundled ? BUNDLED : TOOLS;
  const bare = String(expression).replace(/^\((.*)\)$/, '$1');
  return bare.split(' OR ').some((choice) => choice.split(' AND ').every((id) => allowed.includes(id)));
}
