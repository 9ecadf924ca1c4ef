import type { Draw } from '../differential/draw.ts';
import { type JsonMap, toText } from '../differential/types.ts';
import { partialExpression, VARIABLES } from './expressions.ts';
import { type Evaluator, evaluatorOf, type Outcome } from './ours.ts';
import { completed, masked, textOfPath, type UnknownPath, type World, withoutWildcards, worldOf } from './worlds.ts';

/** How many values the unknown parts of each case get in turn. */
const COMPLETIONS = 6;

/** An expression with the values of its variables, what of them is unknown, and values for that. */
export interface Case {
  expression: string;
  evaluator: Evaluator;
  world: World;
  /** What is unknown, without wildcards. */
  paths: readonly UnknownPath[];
  completions: readonly JsonMap[];
}

interface PartialRun {
  variables: JsonMap;
  unknown: UnknownPath[];
}

export interface PartialQuestion {
  expression: string;
  names: readonly string[];
  runs: readonly PartialRun[];
}

export interface PartialAnswer {
  invalid?: string;
  panic?: string;
  outcomes?: readonly PartialOutcome[];
}

export type PartialOutcome = { value?: string; error?: string; unknown?: readonly (readonly (string | bigint)[])[] };

/** Draws a case; undefined for an expression that does not compile here. */
export const caseOf = (draw: Draw): Case | undefined => caseFrom(draw, partialExpression(draw), worldOf(draw));

/** Returns a case with random values for what is unknown. */
export function caseFrom(draw: Draw, expression: string, world: World): Case | undefined {
  const evaluator = evaluatorOf(expression);
  if (evaluator === undefined) return undefined;
  const paths = withoutWildcards(world);
  const completions = draw.times(COMPLETIONS, COMPLETIONS, () => completed(draw, world, paths));
  return { expression, evaluator, world, paths, completions };
}

/** Asks for the unknown parts, for those without wildcards, for the values as they are, and for each completion. */
export const questionOf = ({ expression, world, paths, completions }: Case): PartialQuestion => ({
  expression,
  names: Object.keys(VARIABLES),
  runs: [
    { variables: world.variables, unknown: [...world.unknown] },
    { variables: world.variables, unknown: [...paths] },
    { variables: world.variables, unknown: [] },
    ...completions.map((variables) => ({ variables, unknown: [] })),
  ],
});

export interface Difference {
  why: string;
  expression: string;
  variables: string;
  unknown: readonly string[];
  here: Outcome;
  there: PartialOutcome | undefined;
}

/** What a comparison comes to; with a difference it is a failure. */
interface Compared {
  verdict: string;
  difference?: Difference;
}

export function compare(one: Case, { panic, outcomes = [] }: PartialAnswer): Compared {
  const [withWildcards, theirs, known, ...completions] = outcomes;
  const here = one.evaluator.partial(masked(one.world.variables, one.paths));
  const differs = (why: string, there: PartialOutcome | undefined): Compared => ({
    verdict: why,
    difference: {
      why,
      expression: one.expression,
      variables: toText(one.world.variables),
      unknown: one.world.unknown.map(textOfPath),
      here,
      there,
    },
  });
  if (withWildcards === undefined || theirs === undefined || known === undefined) {
    // What compiles is compared by `npm run differential`.
    return { verdict: panic === undefined ? 'does not compile in cel-go' : 'cel-go panics' };
  }
  if ('isBudget' in here && here.isBudget) return { verdict: 'takes too many steps here' };
  const whole = [one.world.variables, ...one.completions].map((variables) =>
    one.evaluator.whole(masked(variables, [])),
  );
  if (![known, ...completions].every((there, index) => isSame(whole[index] as Outcome, there)))
    return { verdict: 'differs without unknown parts' };
  const broken = completions.find((there) => !mayBe(here, there));
  if (broken !== undefined) return differs('impossible for a value of the unknown parts', broken);
  const verdict = verdictOf(here, one.paths, withWildcards, theirs);
  return verdict === undefined ? differs('different', theirs) : { verdict };
}

/** Says how an outcome agrees with those of cel-go, with and without wildcards; undefined if it does not. */
export function verdictOf(
  here: Outcome,
  paths: readonly UnknownPath[],
  withWildcards: PartialOutcome,
  theirs: PartialOutcome,
): string | undefined {
  if (isSame(here, withWildcards)) return `same: ${kindOf(here)}`;
  if (isSame(here, theirs)) return 'same for the keys that are there: cel-go matches a wildcard with others';
  const isWhole = theirs.unknown?.some((trail) =>
    paths.some((path) => path.length > trail.length && leads(trail, path)),
  );
  return isWhole === true ? `reads a value with an unknown part in it: ${kindOf(here)} here` : undefined;
}

const leads = (trail: readonly (string | bigint)[], path: UnknownPath): boolean =>
  trail.every((step, at) => String(step) === String(path[at]));

const kindOf = (outcome: Outcome): string =>
  'value' in outcome ? 'value' : 'unknown' in outcome ? 'unknown' : 'error';

function isSame(here: Outcome, there: PartialOutcome): boolean {
  if ('value' in here) return here.value === there.value;
  if ('error' in here) return there.error !== undefined;
  if (there.unknown === undefined) return false;
  const trails = there.unknown.map((path) =>
    textOfPath(path.map((step) => (typeof step === 'bigint' ? Number(step) : step))),
  );
  return JSON.stringify([...new Set(trails)].sort()) === JSON.stringify([...new Set(here.unknown)].sort());
}

/** Reports whether what is said of a result holds for a completion. */
function mayBe(here: Outcome, there: PartialOutcome): boolean {
  if (!('unknown' in here)) return isSame(here, there);
  if (here.isCertain) return there.error !== undefined;
  const { results } = here;
  if (there.error !== undefined) return results.fails;
  if (there.value === 'true') return results.true;
  if (there.value === 'false') return results.false;
  // Another value counts as both.
  return results.true && results.false;
}
