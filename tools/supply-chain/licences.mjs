/** What may be given on inside a bundle, with a notice. */
const BUNDLED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/**
 * What tools may have as well, which stay on the machine that builds: MPL-2.0 (lightningcss, of vite) asks for the
 * sources of changed files only, and nothing is changed; PSF-2.0 (argparse, of js-yaml's command) is permissive.
 */
const TOOLS = [...BUNDLED, 'MPL-2.0', 'PSF-2.0'];

/** Whether an SPDX expression, such as `(MIT OR Apache-2.0)`, can be met; nested parentheses are not looked into. */
export function isAllowed(expression, { bundled }) {
  const allowed = bundled ? BUNDLED : TOOLS;
  const bare = String(expression).replace(/^\((.*)\)$/, '$1');
  return bare.split(' OR ').some((choice) => choice.split(' AND ').every((id) => allowed.includes(id)));
}
