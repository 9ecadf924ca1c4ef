import words from '../../../data/plural.json';

/**
 * An English noun. An entry of the table is `singular plural [other plural]`. `=` marks a word that matches as a whole
 * only (the others also end compound words), `>` one whose plural does not mark a plural.
 */
interface Noun {
  singular: string;
  plural: string;
  other: string | undefined;
  whole: boolean;
  oneWay: boolean;
}

const nouns: readonly Noun[] = words.nouns.map((entry) => {
  const [singular = '', plural = '', other] = entry.replace(/^[=>]+/, '').split(' ');
  const marks = /^[=>]*/.exec(entry)?.[0] ?? '';
  return { singular, plural, other, whole: marks.includes('='), oneWay: marks.includes('>') };
});

const pluralOf = new Map(nouns.map(({ singular, plural }) => [singular, plural]));

const plurals = new Set(
  nouns.flatMap(({ plural, other, oneWay }) => (oneWay ? [] : other ? [plural, other] : [plural])),
);

/** Later words come first, then the endings in their order, as `ending plural-ending`: the first match wins. */
const endings: readonly (readonly [string, string])[] = [
  ...nouns
    .filter(({ whole }) => !whole)
    .map(({ singular, plural }) => [singular, plural] as const)
    .reverse(),
  ...words.endings.map((entry) => entry.split(' ') as [string, string]),
];

/**
 * Abbreviations of flect whose ending looks like that of a noun with a rule. It converts them to upper case, where only
 * the ending S has a rule, and then does not find that ending in the lower-case kind: `dns` becomes `dnsDNSes`.
 */
const abbreviations = new Set('aes bss cmos des dns eia ess fcs https ids ips mpls pots ssh tia'.split(' '));

/** Returns the plural of a lower-case kind, as kro and controller-gen compute it (flect.Pluralize). */
export function pluralize(kind: string): string {
  const known = pluralOf.get(kind);
  if (known !== undefined) return known;
  if (plurals.has(kind)) return kind;
  if (abbreviations.has(kind)) return kind.endsWith('s') ? `${kind}${kind.toUpperCase()}es` : `${kind}s`;
  for (const [singular, plural] of endings) {
    if (kind.endsWith(plural)) return kind;
    if (kind.endsWith(singular)) return kind.slice(0, kind.length - singular.length) + plural;
  }
  return kind.endsWith('s') ? kind : `${kind}s`;
}
