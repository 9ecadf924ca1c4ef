const RULE = `\n${'-'.repeat(80)}\n\n`;

/** Returns the text that must be distributed with a bundle: its content, and the licences. */
export function noticesOf({ manifest, packages, data }) {
  const head = `${manifest.name} ${manifest.version} is ${manifest.license}; see LICENSE. Its bundles contain what follows.\n`;
  const parts = [
    ...packages.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`),
    ...data.map(
      ({ name, version, license, text, what }) =>
        `Data made from ${name} ${version} (${license}): ${what}\n\n${text}\n`,
    ),
  ];
  return [head, ...parts].join(RULE);
}

/**
 * Returns the same for executables: `runtime` is the runtime of the bundle in them, `texts` has the licences by their
 * SPDX names.
 */
export function runtimeNoticesOf({ name, version, license, linked }, texts) {
  const lines = linked.map((library) => `- ${library.name} ${library.version} (${library.license}): ${library.url}`);
  const [webkit] = linked.filter((library) => library.name === 'WebKit');
  const head = `The executables contain ${name} ${version} (${license}, https://github.com/oven-sh/bun), which links:

${lines.join('\n')}

WebKit (JavaScriptCore) and tinycc are under the GNU Lesser General Public License, whose text follows. Their sources are
at the addresses above; that of WebKit is commit ${webkit.version}. You may change these libraries: build bun with your
changes, then build the executable with it from the sources of this release: npm run native -- --runtime PATH.
`;
  return [head, ...[...texts].map(([id, text]) => `${id}\n\n${text}\n`)].join(RULE);
}
