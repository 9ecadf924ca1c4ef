const RULE = `\n${'-'.repeat(80)}\n\n`;

/** The text that whoever gets a bundle must get with it: what is in it, and under which terms. */
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
