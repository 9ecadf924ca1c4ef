import names from '../../../data/cel-aliases.json';

/** The names of CEL's functions, by their names in other languages. */
export const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries(names).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
);

const NO_TEXT = 'leave it out: an expression yields a value, which is written as YAML afterwards';

/** Functions of other languages that CEL has no counterpart of. */
const ABSENT: ReadonlyMap<string, string> = new Map([
  ['now', 'expressions have no clock'],
  ['today', 'expressions have no clock'],
  ['lookup', 'read other objects with a node that has an externalRef'],
  ['env', 'expressions have no environment'],
  ['getenv', 'expressions have no environment'],
  ['uuid', 'derive a name with random.seededString(LENGTH, SEED)'],
  ['uuidv4', 'derive a name with random.seededString(LENGTH, SEED)'],
  ...['quote', 'squote', 'toyaml', 'indent', 'nindent'].map((name) => [name, NO_TEXT] as const),
]);

/** Returns what to do without a function of other languages; `undefined` if CEL has one or the name is unknown. */
export const functionWithout = (name: string): string | undefined => ABSENT.get(name.toLowerCase());

/** Returns a read with a fallback: `schema.spec.?image.orValue(FALLBACK)`. */
export const withFallback = (read: string | undefined, fallback: string): string =>
  `${read?.includes('.') === true ? read.replace(/\.(?=[^.]*$)/, '.?') : 'OBJECT.?FIELD'}.orValue(${fallback})`;

/** Returns how to call a function that is written after a pipe, as in templates of Go: `image | default "x"`. */
export function pipeHint(before: string, rest: string): string | undefined {
  const [, piped, argument] = /^\|\s*([A-Za-z_]\w*)\s*\(?\s*("[^"]*"|'[^']*'|[\w.]+)?/.exec(rest) ?? [];
  if (piped === undefined) return undefined;
  const alias = aliases.get(piped.toLowerCase());
  const read = /(?:^|\s)([A-Za-z_]\w*(?:\.\w+)+)\s*$/.exec(before)?.[1];
  if (alias === 'orValue') return `write ${withFallback(read, argument ?? 'OTHER')}`;
  return functionWithout(piped) ?? `write || for a logical or; functions are called: ${alias ?? piped}(...)`;
}
