import { type Estimate, itemSizeOf, type Size, sizeOf, times, total, unionOf } from './estimate.ts';

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
