import { greatest, smallest } from '../../../core/text/extremes.ts';
import type { Expr } from '../../../languages/cel/index.ts';
import { type Estimator, fixed, type Size, times } from './estimate.ts';

/** A call, with the cost of its arguments. */
export interface Call {
  name: string;
  target: Expr | undefined;
  args: readonly Expr[];
  costs: readonly number[];
}

/**
 * The cost of a call, including its arguments but not its target, and the maximum size of its result if it is known.
 */
export interface CallCost {
  cost: number;
  size?: Size | undefined;
}

const perCharacter = (size: number, factor = 0.1): number => Math.ceil(times(size, factor));

/**
 * Returns the cost of a call: k8s.io/apiserver/pkg/cel/library CostEstimator.EstimateCallCost, then cel-go's
 * coster.functionCost.
 */
export function callCost(call: Call, estimator: Estimator): CallCost {
  const { name, costs } = call;
  const [a = 0, b = 0, c = 0] = costs;
  if (name === '_&&_' || name === '_||_') return { cost: total(costs) };
  if (name === '_?_:_') {
    const [, second, third] = call.args;
    const sizes = [second, third].flatMap((arg) => (arg === undefined ? [] : estimator.sizeOf(arg)));
    const size = { min: smallest(sizes.map(({ min }) => min)), max: greatest(sizes.map(({ max }) => max)) };
    return { cost: a + Math.max(b, c), size };
  }
  const cost = ownCost(call, estimator);
  return { ...cost, cost: cost.cost + total(costs) };
}

const total = (costs: readonly number[]): number => costs.reduce((sum, one) => sum + one, 0);

/** The target and the arguments of a call. */
interface Operands extends Pick<Call, 'target'> {
  first: Expr | undefined;
  second: Expr | undefined;
  /** The sizes of the target, and of both arguments; 0 for those that are absent. */
  text: Size;
  one: Size;
  two: Size;
  estimator: Estimator;
}

/** Returns the cost without that of the arguments; `undefined` for another function of the name. */
type OwnCost = (operands: Operands) => CallCost | undefined;

const ofFirst: OwnCost = ({ one }) => ({ cost: perCharacter(one.max) });
const ofItems: OwnCost = ({ target, estimator }) => target && { cost: overItems(target, estimator) };
const ofText: OwnCost = ({ target, text }) => target && { cost: perCharacter(text.max), size: text };
const found: OwnCost = ({ text, one }) => ({ cost: matching(text, one), size: { min: 0, max: text.max } });
const compared: OwnCost = ({ one, two }) => ({ cost: perCharacter(Math.min(one.max, two.max)) });

const ordered: OwnCost = (operands) => {
  const kinds = [operands.first, operands.second].map((expr) => kindOf(expr, operands.estimator));
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
    join: ({ target, text, one, estimator }) => {
      if (target === undefined) return undefined;
      const items = times(text.max, estimator.itemSizeOf(target).max);
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
    string: ({ first, one, estimator }) =>
      kindOf(first, estimator) === 'bytes' ? { cost: perCharacter(one.max), size: one } : undefined,
    bytes: ({ first, one, estimator }) =>
      kindOf(first, estimator) === 'string' ? { cost: perCharacter(one.max), size: scaled(one, 4) } : undefined,
    '@in': ({ second, two, estimator }) => (kindOf(second, estimator) === 'map' ? undefined : { cost: two.max }),
    '_+_': ({ first, one, two, estimator }) => added(kindOf(first, estimator), one, two),
    '_==_ _!=_': compared,
    '_<_ _<=_ _>_ _>=_': ordered,
  }).flatMap(([names, cost]) => names.split(' ').map((name) => [name, cost] as const)),
);

function ownCost({ name, target, args }: Call, estimator: Estimator): CallCost {
  const [first, second] = args;
  const [text, one, two] = [target, first, second].map((expr) =>
    expr === undefined ? fixed(0) : estimator.sizeOf(expr),
  ) as [Size, Size, Size];
  return OWN.get(name)?.({ target, first, second, text, one, two, estimator }) ?? { cost: 1 };
}

const kindOf = (expr: Expr | undefined, estimator: Estimator): string =>
  expr === undefined ? '' : (estimator.typeOf(expr)?.kind ?? 'dyn');

/** The length of a pattern represents its states. */
const matching = (text: Size, pattern: Size): number =>
  times(perCharacter(text.max + 1), perCharacter(pattern.max, 0.25));

function overItems(target: Expr, estimator: Estimator): number {
  const type = estimator.typeOf(target);
  const { max } = estimator.sizeOf(target);
  if (type?.kind !== 'list') return perCharacter(max);
  const isText = type.element.kind === 'string' || type.element.kind === 'bytes';
  return times(max, 1 + (isText ? perCharacter(estimator.itemSizeOf(target).max) : 0));
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

const limitOf = (expr: Expr | undefined): number | undefined =>
  expr?.kind === 'literal' && expr.literal.type === 'int' ? Number(expr.literal.value) : undefined;
