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

function ownCost({ name, target, args }: Call, estimator: Estimator): CallCost {
  const [first, second] = args;
  const size = (expr: Expr | undefined): Size => (expr === undefined ? fixed(0) : estimator.sizeOf(expr));
  const ofTarget = size(target);
  const kind = (expr: Expr | undefined): string => (expr === undefined ? '' : (estimator.typeOf(expr)?.kind ?? 'dyn'));
  switch (name) {
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      if (target === undefined) break;
      return { cost: overItems(target, estimator) };
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      if (target === undefined) break;
      return { cost: perCharacter(ofTarget.max), size: ofTarget };
    case 'replace':
      return { cost: perCharacter(ofTarget.max, 0.2), size: replaced(ofTarget, size(first), size(second)) };
    case 'split':
      return { cost: perCharacter(ofTarget.max, 0.2), size: { min: 0, max: limitOf(second) ?? ofTarget.max } };
    case 'join': {
      if (target === undefined) break;
      const items = times(ofTarget.max, estimator.itemSizeOf(target).max);
      const separators = times(size(first).max, Math.max(0, ofTarget.max - 1));
      return { cost: perCharacter(items + separators), size: { min: 0, max: items + separators } };
    }
    case 'find':
    case 'findAll':
      return { cost: matching(ofTarget, size(first)), size: { min: 0, max: ofTarget.max } };
    case 'matches':
      if (target === undefined) break;
      return { cost: matching(ofTarget, size(first)) };
    case 'contains':
      return { cost: times(perCharacter(ofTarget.max), perCharacter(size(first).max)) };
    case 'startsWith':
    case 'endsWith':
      return { cost: perCharacter(size(first).max) };
    case 'url':
      return { cost: perCharacter(size(first).max), size: size(first) };
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return { cost: perCharacter(size(first).max) };
    case 'ip':
      return { cost: first === undefined ? 1 : perCharacter(size(first).max) };
    case 'ip.isCanonical':
      return { cost: perCharacter(size(first).max, 0.2) };
    case 'validate':
      return { cost: perCharacter(perCharacter(size(first).max), 128 * 0.25) };
    case 'string':
    case 'bytes':
      if (kind(first) !== (name === 'string' ? 'bytes' : 'string')) break;
      return { cost: perCharacter(size(first).max), size: name === 'string' ? size(first) : scaled(size(first), 4) };
    case '@in':
      if (kind(second) === 'map') break;
      return { cost: size(second).max };
    case '_+_':
      return added(kind(first), size(first), size(second));
    case '_==_':
    case '_!=_':
      return { cost: perCharacter(Math.min(size(first).max, size(second).max)) };
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_': {
      const isText =
        ['string', 'bytes', 'dyn'].includes(kind(first)) && ['string', 'bytes', 'dyn'].includes(kind(second));
      if (!isText) break;
      const compared = perCharacter(Math.min(size(first).max, size(second).max));
      return { cost: kind(first) === 'dyn' || kind(second) === 'dyn' ? Math.max(1, compared) : compared };
    }
  }
  return { cost: 1 };
}

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
