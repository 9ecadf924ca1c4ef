import { isMap, type Value } from '../../core/model/value.ts';

/**
 * Matches a text that names a field like an expression: `{schema.spec.name}`, `$(schema.spec.name)`, `{{
 * schema.spec.name }}`. Texts of other languages may contain such names too, so only these forms count.
 */
const PLAIN_REFERENCE =
  /(?<!\$)(?:\{\{\s*\.?|\$\(\s*|\{\s*)((?:[A-Za-z]\w*)\.(?:spec|metadata|status|data)(?:\.\w+|\[\w+\])+)\s*[)}]/;

export function plainReferenceIn(text: string): { name: string; offset: number } | undefined {
  const found = PLAIN_REFERENCE.exec(text);
  return found === null ? undefined : { name: found[1] ?? '', offset: found.index };
}

export const dollarHint = (name: string): string => `an expression needs a $ before the brace: \${${name}}`;

/** Returns the expression that YAML read as a map because of its braces: `name: {schema.spec.name}`. */
export function bracedExpression(value: Value): string | undefined {
  if (!isMap(value)) return undefined;
  const [key = '', ...others] = Object.keys(value);
  return others.length === 0 && value[key] === null && /^[A-Za-z]\w*(\.\w+|\[\w+\])+$/.test(key) ? key : undefined;
}
