import { type Problem, phrase, shown } from '../../../core/diagnostics/index.ts';
import { onceFor } from '../../../core/model/lazily.ts';
import type { Path } from '../../../core/model/value.ts';
import { greatest } from '../../../core/text/extremes.ts';
import { byteLength } from '../../../core/text/utf8.ts';
import { partsOf, type Schema, type ValidationRule } from '../../../kubernetes/schema/index.ts';
import { type CheckedExpression, escapedFieldName } from '../../../languages/cel/index.ts';
import { maxCost, times } from './estimate.ts';

/** The cost limits of one rule, and of a CRD (k8s.io/apiextensions-apiserver, StaticEstimatedCostLimit). */
const RULE_LIMIT = 10_000_000;
const CRD_LIMIT = 100_000_000;

/**
 * Returns the rules of a schema over the API server's budget. One that is evaluated for each of many values is an
 * error; one that is evaluated once is a warning, because kro's engine renders such RGDs.
 */
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
    const message = phrase`all validation rules together may cost ${timesOver(total, CRD_LIMIT)} the budget of an API server`;
    problems.push({ code: 'crd-refused', message, path, severity: 'warning', hint: HINT });
  }
  return problems;
}

const HINT = phrase`bound the lists and texts around it: maxItems, maxLength; maps have no bound`;

function overBudget(schema: Schema, index: number, cost: number, path: Path): Problem {
  const rule = schema['x-kubernetes-validations']?.[index]?.rule;
  const message = phrase`the rule '${shown(rule ?? '')}' may cost ${timesOver(cost, RULE_LIMIT)} the budget of an API server`;
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
