import type { Path, Value } from '../model/value.ts';
import { shownSteps, stepsToSecret } from '../redaction/index.ts';
import { codes } from './codes.ts';
import type { Problem } from './diagnostic.ts';

/** Why a message is shorter than usual. */
export const UNSAID = 'the reason is not shown: a Secret is involved';

/**
 * A problem without the values that it quotes: what its author says for that case, else what the code means. `field` is
 * what may be shown of the path, which still finds the place in the file.
 */
export function redact<P extends Problem>(problem: P, field: Path = problem.path): P {
  const { hint: _, withoutValues: __, ...rest } = problem;
  return { ...rest, ...withoutValuesOf(problem), ...(field === problem.path ? {} : { field }) } as P;
}

/** The words that say nothing of a value. */
export const withoutValuesOf = ({ code, withoutValues }: Problem): { message: string; hint?: string } =>
  withoutValues ?? { message: `${codes[code].meaning.replace(/\.$/, '')} (${UNSAID})` };

/** The problem of an object, or of a document, without what a Secret in it keeps where that is what it is about. */
export function redactSecrets<P extends Problem>(problem: P, root: Value): P {
  const steps = stepsToSecret(root, problem.path);
  return steps === undefined ? problem : redact(problem, shownSteps(root, problem.path, steps));
}

/** A problem whose words are those of the program and of types: it can be told whatever it is about. */
export const markPublic = <P extends Problem>(problem: P): P => ({
  ...problem,
  withoutValues: { message: problem.message, ...(problem.hint === undefined ? {} : { hint: problem.hint }) },
});
