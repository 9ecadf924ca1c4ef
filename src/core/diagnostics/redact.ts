// Removes values of Secrets from problems.
import type { Path, Value } from '../model/value.ts';
import { shownSteps, stepsToSecret } from '../redaction/index.ts';
import type { ArgumentsOf } from './arguments.ts';
import { codes, type Problem } from './diagnostic.ts';
import { type Message, phrase, shown } from './message.ts';

export const UNSAID = 'the reason is not shown: a Secret is involved';

/**
 * Removes the values that a problem quotes. A message that only quotes becomes the meaning of its code, and a hint that
 * quotes a value is removed. `field` is the public part of the path, which still locates the position in the file.
 */
export function redact<P extends Problem>(problem: P, field: Path = problem.path): P {
  const { hint, args, ...rest } = problem;
  return {
    ...rest,
    message: hideValues(problem),
    hint: hint?.isReplaceable ? hint.hide() : undefined,
    ...(args && { args: withoutQuotes(args) }),
    ...(field === problem.path ? {} : { field }),
  } as P;
}

/** Returns the arguments that no Secret can have written. */
const withoutQuotes = (args: ArgumentsOf<Message>): ArgumentsOf<Message> =>
  Object.fromEntries(Object.entries(args).filter(([, argument]) => !argument.hasQuotes));

export function show<P extends Problem>(problem: P): P {
  const { message, hint, args } = problem;
  const shownArgs = args && Object.fromEntries(Object.entries(args).map(([name, one]) => [name, one.show()]));
  return { ...problem, message: message.show(), hint: hint?.show(), ...(shownArgs && { args: shownArgs }) };
}

export const hideValues = ({ code, message }: Problem): Message =>
  message.hasWords ? message.hide() : phrase`${shown(codes[code].meaning.replace(/\.$/, ''))} (${shown(UNSAID)})`;

/** Redacts the problem of an object, or of a document, if it is about a Secret in it. */
export function redactSecrets<P extends Problem>(problem: P, root: Value): P {
  const steps = stepsToSecret(root, problem.path);
  return steps === undefined ? problem : redact(problem, shownSteps(root, problem.path, steps));
}
