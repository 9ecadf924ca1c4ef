import { isMap, type Value } from '../../core/model/value.ts';

const FIELD = String.raw`([A-Za-z]\w*\.(?:spec|metadata|status|data)(?:\.\w+|\[\w+\])+)`;
const PLAIN_REFERENCE = new RegExp(String.raw`(?<!\$)(?:(?:\{\{\s*\.?|\$\(\s*|\{\s*)${FIELD}\s*[)}]+|\$${FIELD})`);

/** A text that names a field like an expression, but is none. */
interface PlainReference {
  name: string;
  written: string;
  offset: number;
  hint: string;
}

/**
 * Returns the first text of the form `{schema.spec.name}`, `$(schema.spec.name)`, `{{ schema.spec.name }}` or
 * `$schema.spec.name`. Texts of other languages may contain such names too, so only these forms count.
 */
export function plainReferenceIn(text: string): PlainReference | undefined {
  const found = PLAIN_REFERENCE.exec(text);
  if (found === null) return undefined;
  const [written, braced, bare = ''] = found;
  const name = braced ?? bare;
  const hint = braced === undefined ? `an expression needs braces: \${${name}}` : dollarHint(name);
  return { name, written, offset: found.index, hint };
}

const HELM = /\{\{[^{}]*?(?:\.(Values|Release|Chart|Capabilities)\b(?:\.([\w.]+))?|\binclude\s+")[^{}]*\}\}/;

/** Returns the first action of a Helm template in a text; other languages have braces too, so it must name Helm's objects. */
export function helmTemplateIn(text: string): { written: string; hint: string } | undefined {
  const found = HELM.exec(text);
  if (found === null) return undefined;
  const [written, root, field] = found;
  const name =
    root === 'Values' && field !== undefined
      ? `schema.spec.${field}`
      : root === 'Release'
        ? 'schema.metadata.name'
        : undefined;
  return { written, hint: `an expression of an RGD is \${${name ?? '...'}}, and reads schema or another node` };
}

export const dollarHint = (name: string): string => `an expression needs a $ before the brace: \${${name}}`;

/** Returns the expression that YAML read as a map because of its braces: `name: {schema.spec.name}`. */
export function bracedExpression(value: Value): string | undefined {
  if (!isMap(value)) return undefined;
  const [key = '', ...others] = Object.keys(value);
  return others.length === 0 && value[key] === null && /^[A-Za-z]\w*(\.\w+|\[\w+\])+$/.test(key) ? key : undefined;
}
