import type { JsonValue } from '../../src/api/types.ts';
import { children, DYN, type Expr, formatType, type InspectedExpression } from '../../src/languages/cel/index.ts';
import type { CelStep } from './protocol.ts';

export type Variables = readonly (readonly [name: string, value: JsonValue])[];
type Evaluate = (source: string, variables: Variables) => { readonly value?: string; readonly fault?: string };

/** The maximum number of steps, and of items of a list for which the body of a macro is shown. */
const MOST = 60;
const ITEMS = 4;

/** Returns the parts of an expression with their types and values, each before its own parts. */
export function stepsOf(inspected: InspectedExpression, variables: Variables, evaluate: Evaluate): CelStep[] {
  const textOf = ({ start, end }: Expr): string => inspected.parsed.source.slice(start, end);
  const steps: CelStep[] = [];
  const visit = (expr: Expr, depth: number, scopes: readonly Variables[]): void => {
    if (steps.length >= MOST || expr.kind === 'literal') return;
    const text = textOf(expr);
    const results = scopes.map((scope) => evaluate(text, scope));
    const values = results.map(({ value, fault }) => value ?? fault ?? '');
    steps.push({
      depth,
      text,
      type: withoutNames(formatType(inspected.types.get(expr.id) ?? DYN), variables),
      values,
      ...(results.some(({ fault }) => fault !== undefined) ? { isFault: true } : {}),
    });
    if (expr.kind !== 'comprehension') {
      for (const child of children(expr)) visit(child, depth + 1, scopes);
      return;
    }
    visit(expr.range, depth + 1, scopes);
    const inner = scopes.flatMap((scope) => {
      const { value } = evaluate(textOf(expr.range), scope);
      return value === undefined ? [] : itemsOf(JSON.parse(value)).map((item) => [...scope, ...bound(expr, item)]);
    });
    for (const body of bodiesOf(expr)) visit(body, depth + 1, inner.slice(0, ITEMS));
  };
  visit(inspected.parsed.root, 0, [variables]);
  return steps;
}

/** Objects of variables have types without a name that says something. */
const withoutNames = (type: string, variables: Variables): string =>
  variables.reduce(
    (text, [name]) => text.replace(new RegExp(`(?<![\\w.])${name}(?:\\.[\\w@]+)*`, 'g'), 'object'),
    type,
  );

type Comprehension = Extract<Expr, { kind: 'comprehension' }>;

const itemsOf = (value: JsonValue): (readonly [JsonValue, JsonValue])[] =>
  Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : typeof value === 'object' && value !== null
      ? Object.entries(value as { [name: string]: JsonValue })
      : [];

/** A macro with one variable reads the items of a list, or the keys of a map. */
function bound({ variable, variable2 }: Comprehension, [key, item]: readonly [JsonValue, JsonValue]): Variables {
  if (variable2 !== undefined)
    return [
      [variable, key],
      [variable2, item],
    ];
  return [[variable, typeof key === 'number' ? item : key]];
}

/** Returns the parts of a macro that read its variables. */
const bodiesOf = ({ filter, body, variable, variable2 }: Comprehension): Expr[] =>
  [filter, body].filter(
    (part) =>
      part !== undefined && part.kind !== 'ident' && namesIn(part).some((name) => [variable, variable2].includes(name)),
  ) as Expr[];

const namesIn = (expr: Expr): string[] =>
  expr.kind === 'ident' ? [expr.name] : children(expr).flatMap((child) => namesIn(child));
