import type { Draw } from './draw.ts';
import type { Json, JsonMap } from './types.ts';

/** A way of writing an expression that changes nothing. */
type Style = (expression: string) => string;

const STYLES: readonly Style[] = [
  (expression) => ` ${expression} `,
  (expression) => `\n  ${expression}\n`,
  (expression) => `${expression} // as drawn\n`,
  (expression) => `// drawn\n${expression}`,
  (expression) => `(${expression})`,
  (expression) => withTexts(expression, (text) => `'${text}'`),
  (expression) => withTexts(expression, (text) => `r"${text}"`),
  (expression) => withTexts(expression, (text) => `"""${text}"""`),
  (expression) => withTexts(expression, (text) => `R'${text}'`),
  (expression) =>
    expression.replace(/(?<![\w.")-])(\d{1,9})(?![\w."])/g, (digits) => `0x${Number(digits).toString(16)}`),
];

/** Writes the string literals without escapes and braces in another way, if no literal has others. */
const withTexts = (expression: string, write: Style): string =>
  /[\\'{}$]/.test(expression) ? expression : expression.replace(/"([^"]*)"/g, (_, text: string) => write(text));

/** Returns an RGD in which some expressions are written in another way. */
export function restyled(draw: Draw, rgd: JsonMap): JsonMap {
  const styled = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(styled);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, styled(member)]));
    // One expression, without another one in it or after it.
    if (typeof value !== 'string' || !/^\$\{.*\}$/s.test(value) || value.indexOf('${', 2) > 0 || !draw.chance(50))
      return value;
    return `\${${draw.pick(STYLES)(value.slice(2, -1))}}`;
  };
  return { ...rgd, spec: styled(rgd.spec ?? null) };
}

/** Returns an RGD in which some expressions of templates and of the status omit their field, or may do so. */
export function withOmissions(draw: Draw, rgd: JsonMap): JsonMap {
  const omitting = (value: Json, key: string): Json => {
    if (Array.isArray(value)) return value.map((item) => omitting(item, key));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, omitting(member, name)]));
    const isKept = UNOMITTED.has(key) && !draw.chance(5);
    if (typeof value !== 'string' || !/^\$\{.*\}$/s.test(value) || value.indexOf('${', 2) > 0) return value;
    if (isKept || !draw.chance(15)) return value;
    const body = value.slice(2, -1);
    return draw.pick([
      `\${schema.metadata.name == "one" ? omit() : ${body}}`,
      `\${schema.metadata.name == "two" ? omit() : ${body}}`,
      '${omit()}',
      `\${has(schema.metadata.labels) ? ${body} : omit()}`,
    ]);
  };
  return { ...rgd, spec: omitting(rgd.spec ?? null, '') };
}

/** Fields without which there is no object. */
const UNOMITTED: ReadonlySet<string> = new Set(['name', 'namespace', 'includeWhen', 'readyWhen', 'it0', 'it1', 'it2']);
