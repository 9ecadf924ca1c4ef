import type { Path, Value } from '../model/value.ts';
import { shownSteps, stepsToSecret } from '../redaction/index.ts';
import { codes } from './codes.ts';
import type { Problem } from './diagnostic.ts';
import { format, type Message, phrase, shown } from './message.ts';

/** Why a message is shorter than usual. */
export const UNSAID = 'the reason is not shown: a Secret is involved';

/**
 * A problem without the values that it quotes. A message that only quotes becomes the meaning of its code, and a hint
 * that quotes a value is left out. `field` is what may be shown of the path, which still finds the place in the file.
 */
export function redact<P extends Problem>(problem: P, field: Path = problem.path): P {
  const { hint, ...rest } = problem;
  return {
    ...rest,
    message: hideValues(problem),
    ...(hint?.isReplaceable ? { hint: hint.hide() } : {}),
    ...(field === problem.path ? {} : { field }),
  } as P;
}

/** A problem with all the values that it quotes, because none of them comes from a Secret. */
export function show<P extends Problem>(problem: P): P {
  const { message, hint } = problem;
  return { ...problem, message: shown(format(message)), ...(hint === undefined ? {} : { hint: shown(format(hint)) }) };
}

/** The message of a problem without the values that it quotes. */
export const hideValues = ({ code, message }: Problem): Message =>
  message.hasWords ? message.hide() : phrase`${shown(codes[code].meaning.replace(/\.$/, ''))} (${shown(UNSAID)})`;

/** The problem of an object, or of a document, without what a Secret in it keeps where that is what it is about. */
export function redactSecrets<P extends Problem>(problem: P, root: Value): P {
  const steps = stepsToSecret(root, problem.path);
  return steps === undefined ? problem : redact(problem, shownSteps(root, problem.path, steps));
}
