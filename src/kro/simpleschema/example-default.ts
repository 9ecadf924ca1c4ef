/** Defaults of SimpleSchema by the beginning of a type. */
const DEFAULTS: readonly (readonly [RegExp, string])[] = [
  [/^\[\]/, '[]'],
  [/^(map\[|object$)/, '{}'],
  [/^string$/, '""'],
  [/^integer$/, '0'],
  [/^float$/, '0.0'],
  [/^boolean$/, 'false'],
];

/**
 * Returns a field of SimpleSchema with a default, as it is written in YAML: `"[]Volume | default=[]"`. Returns
 * `undefined` for other types.
 */
export function withDefault(written: string): string | undefined {
  const [type = '', markers] = written.split('|').map((part) => part.trim());
  const value = DEFAULTS.find(([pattern]) => pattern.test(type))?.[1];
  if (value === undefined) return undefined;
  const declared = `${type} | ${markers === undefined ? '' : `${markers} `}default=${value}`;
  return type.startsWith('[') ? `"${declared}"` : declared;
}
