import { type Problem, phrase, shown } from '../../../core/diagnostics/index.ts';
import { onceFor } from '../../../core/model/lazily.ts';
import type { Path } from '../../../core/model/value.ts';
import { greatest } from '../../../core/text/extremes.ts';
import { byteLength } from '../../../core/text/utf8.ts';
import { partsOf, type Schema, type ValidationRule } from '../../../kubernetes/schema/index.ts';
import { type CheckedExpression, escapedFieldName } from '../../../languages/cel/index.ts';
import { type Estimate, itemSizeOf, maxCost, type Size, sizeOf, times, total, unionOf } from './estimate.ts';

/** The cost limits of one rule, and of a CRD (k8s.io/apiextensions-apiserver, StaticEstimatedCostLimit). */
const RULE_LIMIT = 10_000_000;
const CRD_LIMIT = 100_000_000;

/** Returns rules over the API server's budget; one that runs once is a warning, because kro's engine renders it. */
export function costProblems(
  root: Schema,
  path: Path,
  checkedOf: (rule: ValidationRule) => CheckedExpression | undefined,
): Problem[] {
  const problems: Problem[] = [];
  // A type that is used in many fields is measured once.
  const sized: SizeOf = onceFor((schema) => measure(schema, sized));
  let total = 0;
  const ruleCosts = onceFor((schema: Schema): number[] => {
    const size = sized(schema);
    return (schema['x-kubernetes-validations'] ?? []).map((rule) => {
      const checked = checkedOf(rule);
      return checked === undefined || size === undefined ? 0 : maxCost(checked, size);
    });
  });
  const hasRules: (schema: Schema) => boolean = onceFor(
    (schema) =>
      schema['x-kubernetes-validations'] !== undefined || partsOf(schema).some((part) => hasRules(part.schema)),
  );
  /** `often`: the maximum number of values, undefined without a limit. */
  const visit = (schema: Schema, at: Path, often: number | undefined): void => {
    if (!hasRules(schema)) return;
    ruleCosts(schema).forEach((cost, index) => {
      const all = times(cost, often ?? mostTimes(sized(schema)?.smallest ?? 0));
      total += all;
      if (all > RULE_LIMIT)
        problems.push({ ...overBudget(schema, index, all, at), severity: often === 1 ? 'warning' : 'error' });
    });
    for (const [name, property] of Object.entries(schema.properties ?? {})) visit(property, [...at, name], often);
    const { items, maxItems, additionalProperties } = schema;
    const most =
      maxItems === undefined || often === undefined ? undefined : times(often, Math.max(0, Number(maxItems)));
    if (items !== undefined) visit(items, at, most);
    if (typeof additionalProperties === 'object') visit(additionalProperties, at, undefined);
  };
  visit(root, path, 1);
  if (problems.length === 0 && total > CRD_LIMIT) {
    const message = phrase`all validation rules together may cost ${{ cost: timesOver(total, CRD_LIMIT) }} the budget of an API server`;
    problems.push({ code: 'crd-refused', message, path, severity: 'warning', hint: HINT });
  }
  return problems;
}

const HINT = phrase`bound the lists and texts around it: maxItems, maxLength; maps have no bound`;

function overBudget(schema: Schema, index: number, cost: number, path: Path): Problem {
  const rule = schema['x-kubernetes-validations']?.[index]?.rule;
  const message = phrase`the rule '${{ rule: shown(rule ?? '') }}' may cost ${{ cost: timesOver(cost, RULE_LIMIT) }} the budget of an API server`;
  return { code: 'crd-refused', message, path, hint: HINT };
}

function timesOver(cost: number, limit: number): string {
  const factor = cost / limit;
  return factor > 100 ? 'more than 100 times' : `${factor.toFixed(1)} times`;
}

/** The maximum content of a value of a schema (k8s.io/apiserver/pkg/cel/common, SchemaDeclType). */
export interface Sized {
  /** The maximum number of items, entries or bytes; 0 for others. */
  elements: number;
  /** The minimum number of bytes as JSON. */
  smallest: number;
  values?: Sized;
  keys?: Sized;
  fields?: ReadonlyMap<string, Sized>;
}

/** The maximum size of a request to an API server, in bytes. */
const REQUEST = 3 * 1024 * 1024;

const scalar = (elements: number, smallest: number): Sized => ({ elements, smallest });
const text = (elements: number): Sized => scalar(elements, 2);

/** Returns how often data of so many bytes fits into a request, each followed by a comma. */
const mostTimes = (smallest: number): number => Math.floor(REQUEST / (smallest + 1));

/** Returns undefined for types that expressions cannot see. */
type SizeOf = (schema: Schema) => Sized | undefined;

function measure(schema: Schema, sized: SizeOf): Sized | undefined {
  switch (schema.type) {
    case 'array':
      return listSize(schema, sized);
    case 'object':
      return typeof schema.additionalProperties === 'object' ? mapSize(schema, sized) : structSize(schema, sized);
    case 'string':
      return text(textSize(schema));
    case 'boolean':
      return scalar(0, 4);
    case 'integer':
    case 'number':
      return scalar(0, 1);
    default:
      return undefined;
  }
}

function listSize({ items, maxItems }: Schema, sized: SizeOf): Sized | undefined {
  const values = items && sized(items);
  if (values === undefined) return undefined;
  const elements = maxItems === undefined ? Math.floor((REQUEST - 2) / (values.smallest + 1)) : positive(maxItems);
  return { elements, smallest: 2, values };
}

function mapSize({ additionalProperties }: Schema, sized: SizeOf): Sized | undefined {
  const values = sized(additionalProperties as Schema);
  if (values === undefined) return undefined;
  // A key takes two quotes, a colon, a comma and two bytes.
  return { elements: Math.floor((REQUEST - 2) / (values.smallest + 6)), smallest: 2, values, keys: text(0) };
}

function structSize(schema: Schema, sized: SizeOf): Sized {
  const fields = new Map<string, Sized>();
  let smallest = 2;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const size = sized(property);
    if (size === undefined) continue;
    const escaped = escapedFieldName(name);
    if (escaped !== undefined) fields.set(escaped, size);
    const isThere = schema.required?.includes(name) && property.default === undefined;
    if (isThere) smallest += name.length + size.smallest + 4;
  }
  return { elements: 0, smallest, fields };
}

/** A code point takes up to four bytes. */
function textSize({ maxLength, enum: values }: Schema): number {
  if (maxLength !== undefined) return positive(maxLength) * 4;
  if (values === undefined || values.length === 0) return REQUEST - 2;
  return greatest(values.map((value) => (typeof value === 'string' ? byteLength(value) : 0)));
}

const positive = (count: bigint): number => Math.max(0, Number(count));

/** The cost of a call without its parts, and the maximum size of its result if it is known. */
interface CallCost {
  cost: number;
  size?: Size | undefined;
}

const perCharacter = (size: number, factor = 0.1): number => Math.ceil(times(size, factor));

/**
 * Returns the cost of a call, including its arguments but not its target: k8s.io/apiserver/pkg/cel/library
 * CostEstimator.EstimateCallCost, then cel-go's coster.functionCost.
 */
export function callCost(name: string, target: Estimate | undefined, args: readonly Estimate[]): CallCost {
  const [first, second, third] = args;
  if (name === '_&&_' || name === '_||_') return { cost: total(args) };
  if (name === '_?_:_' && first && second && third)
    return { cost: first.cost + Math.max(second.cost, third.cost), size: unionOf([second, third]) };
  const sizes = { text: sizeOf(target), one: sizeOf(first), two: sizeOf(second) };
  const { cost, size } = OWN.get(name)?.({ target, first, second, ...sizes }) ?? { cost: 1 };
  return { cost: cost + total(args), size };
}

/** The target and the arguments of a call, with their sizes: 0 for those that are absent. */
interface Operands {
  target: Estimate | undefined;
  first: Estimate | undefined;
  second: Estimate | undefined;
  text: Size;
  one: Size;
  two: Size;
}

/** Returns the cost without that of the arguments; `undefined` for another function of the name. */
type OwnCost = (operands: Operands) => CallCost | undefined;

const ofFirst: OwnCost = ({ one }) => ({ cost: perCharacter(one.max) });
const ofItems: OwnCost = ({ target }) => target && { cost: overItems(target) };
const ofText: OwnCost = ({ target, text }) => target && { cost: perCharacter(text.max), size: text };
const found: OwnCost = ({ text, one }) => ({ cost: matching(text, one), size: { min: 0, max: text.max } });
const compared: OwnCost = ({ one, two }) => ({ cost: perCharacter(Math.min(one.max, two.max)) });

const ordered: OwnCost = (operands) => {
  const kinds = [operands.first, operands.second].map(kindOf);
  if (!kinds.every((kind) => ['string', 'bytes', 'dyn'].includes(kind))) return undefined;
  const { cost = 0 } = compared(operands) ?? {};
  return { cost: kinds.includes('dyn') ? Math.max(1, cost) : cost };
};

const OWN: ReadonlyMap<string, OwnCost> = new Map(
  Object.entries<OwnCost>({
    'isSorted sum max min indexOf lastIndexOf': ofItems,
    'lowerAscii upperAscii substring trim': ofText,
    replace: ({ text, one, two }) => ({ cost: perCharacter(text.max, 0.2), size: replaced(text, one, two) }),
    split: ({ text, second }) => ({
      cost: perCharacter(text.max, 0.2),
      size: { min: 0, max: limitOf(second) ?? text.max },
    }),
    join: ({ target, text, one }) => {
      if (target === undefined) return undefined;
      const items = times(text.max, itemSizeOf(target).max);
      const separators = times(one.max, Math.max(0, text.max - 1));
      return { cost: perCharacter(items + separators), size: { min: 0, max: items + separators } };
    },
    'find findAll': found,
    matches: ({ target, text, one }) => target && { cost: matching(text, one) },
    contains: ({ text, one }) => ({ cost: times(perCharacter(text.max), perCharacter(one.max)) }),
    'startsWith endsWith cidr isIP isCIDR quantity isQuantity semver isSemver': ofFirst,
    url: ({ one }) => ({ cost: perCharacter(one.max), size: one }),
    ip: ({ first, one }) => ({ cost: first === undefined ? 1 : perCharacter(one.max) }),
    'ip.isCanonical': ({ one }) => ({ cost: perCharacter(one.max, 0.2) }),
    validate: ({ one }) => ({ cost: perCharacter(perCharacter(one.max), 128 * 0.25) }),
    string: ({ first, one }) => (kindOf(first) === 'bytes' ? { cost: perCharacter(one.max), size: one } : undefined),
    bytes: ({ first, one }) =>
      kindOf(first) === 'string' ? { cost: perCharacter(one.max), size: scaled(one, 4) } : undefined,
    '@in': ({ second, two }) => (kindOf(second) === 'map' ? undefined : { cost: two.max }),
    '_+_': ({ first, one, two }) => added(kindOf(first), one, two),
    '_==_ _!=_': compared,
    '_<_ _<=_ _>_ _>=_': ordered,
  }).flatMap(([names, cost]) => names.split(' ').map((name) => [name, cost] as const)),
);

const kindOf = (value: Estimate | undefined): string => (value === undefined ? '' : (value.type?.kind ?? 'dyn'));

/** The length of a pattern represents its states. */
const matching = (text: Size, pattern: Size): number =>
  times(perCharacter(text.max + 1), perCharacter(pattern.max, 0.25));

function overItems(target: Estimate): number {
  const { type } = target;
  const { max } = sizeOf(target);
  if (type?.kind !== 'list') return perCharacter(max);
  const isText = type.element.kind === 'string' || type.element.kind === 'bytes';
  return times(max, 1 + (isText ? perCharacter(itemSizeOf(target).max) : 0));
}

function added(kind: string, first: Size, second: Size): CallCost {
  const size = { min: first.min + second.min, max: first.max + second.max };
  if (kind === 'string' || kind === 'bytes') return { cost: perCharacter(size.max), size };
  if (kind === 'list') return { cost: 1, size };
  return kind === 'dyn' ? { cost: Math.max(1, perCharacter(size.max)), size } : { cost: 1 };
}

function replaced(text: Size, from: Size, to: Size): Size {
  if (from.min === 0) return { min: 0, max: times(text.max + 1, to.max) + text.max };
  if (to.max <= from.min) return { min: 0, max: text.max };
  return { min: 0, max: times(Math.ceil(text.max / from.min), to.max) };
}

const scaled = ({ min, max }: Size, by: number): Size => ({ min, max: times(max, by) });

const limitOf = (value: Estimate | undefined): number | undefined =>
  value?.expr.kind === 'literal' && value.expr.literal.type === 'int' ? Number(value.expr.literal.value) : undefined;
