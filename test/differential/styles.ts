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
