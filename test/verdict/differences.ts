import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type SurfaceName, surfaces } from './surfaces.ts';

/** The words of the docs for each surface. */
const NAMES: Readonly<Record<string, readonly SurfaceName[]>> = {
  '`validate`': ['validate', 'MCP'],
  "library's `validate`": ['library, validate'],
  '`render`': ['render'],
  '`diff`': ['diff'],
  '`test`': ['test'],
  library: ['library'],
  function: ['function'],
  plugin: ['plugin'],
  '`plan`': ['plan'],
  'language server': ['language server'],
  playground: ['page'],
};

const everywhere = Object.keys(surfaces) as SurfaceName[];

/** The sets of surfaces that may report a code, one for each row of the table. */
type Documented = ReadonlyMap<string, readonly ReadonlySet<SurfaceName>[]>;

/** Returns the surfaces that report a code, for each code in the table of docs/validate.md. */
export function documentedDifferences(): Documented {
  const text = readFileSync(fileURLToPath(new URL('../../docs/validate.md', import.meta.url)), 'utf8');
  const [, section = ''] = /## Differences between commands\n([\s\S]*?)\n## /.exec(text) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const documented = new Map<string, ReadonlySet<SurfaceName>[]>();
  for (const row of rows) {
    const [, codes = '', names = ''] = row.split('|').map((cell) => cell.trim());
    for (const [, code = ''] of codes.matchAll(/`([\w-]+)`/g))
      documented.set(code, [...(documented.get(code) ?? []), surfacesOf(names)]);
  }
  return documented;
}

function surfacesOf(text: string): ReadonlySet<SurfaceName> {
  const [, left] = /^all but the (.*)$/.exec(text) ?? [];
  const named = (left ?? text).split(', ').flatMap((word) => {
    const known = NAMES[word.replace(/^the /, '')];
    if (known === undefined) throw new Error(`docs/validate.md names '${word}', which is no surface`);
    return known;
  });
  return new Set(left === undefined ? named : everywhere.filter((one) => !named.includes(one)));
}

/** The codes of the errors of each surface; a surface that cannot take an input is missing. */
export type Verdicts = ReadonlyMap<SurfaceName, readonly string[]>;

/** Returns the codes that only some surfaces report and the docs do not name, with those surfaces. */
export function undocumented(verdicts: Verdicts, documented = documentedDifferences()): string[] {
  const asked = [...verdicts.keys()];
  const codes = [...new Set([...verdicts.values()].flat())].sort();
  return codes.flatMap((code) => {
    const reporters = asked.filter((name) => verdicts.get(name)?.includes(code));
    const isDocumented = (documented.get(code) ?? []).some(
      (names) => asked.filter((name) => names.has(name)).join() === reporters.join(),
    );
    const isMeant = reporters.length === asked.length || isDocumented;
    return isMeant ? [] : [`${code}: ${reporters.join(', ')}`];
  });
}
