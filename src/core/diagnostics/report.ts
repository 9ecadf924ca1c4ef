import { clipped } from '../text/clip.ts';
import type { Remedy } from '../text/hint.ts';
import type { ArgumentsOf } from './arguments.ts';
import type { Code, Problem, Report, Severity } from './diagnostic.ts';
import { composeText, format, type Message, phrase, phraseIf, type Text, type Told } from './message.ts';

/** Returns the texts of a problem, which may quote values of Secrets. */
export const worded = (message: string, hint?: string): Pick<Problem, 'message' | 'hint'> => ({
  message: phrase`${message}`,
  hint: phraseIf(hint),
});

/** The maximum length of a message: it may quote expressions, rules and values of any length. */
const MAX_MESSAGE = 2000;
const MAX_HINT = 4000;

/** Converts a problem, from which `redact` removed values of Secrets, to a report with texts of limited length. */
export function toReport({ message, hint, args, ...problem }: Problem): Report {
  const all = argumentsOf(message, args);
  return {
    ...problem,
    message: formatBriefly(message, MAX_MESSAGE),
    hint: hint && formatBriefly(hint, MAX_HINT),
    remedies: remediesOf(message, hint),
    ...(all && { args: all }),
  };
}

/** Returns a report about no object or field. */
export const unplaced = (code: Code, message: Text | Told, hint?: Text, severity?: Severity): Report => ({
  code,
  ...(typeof message === 'string' ? { message } : message),
  path: [],
  ...(hint && { hint }),
  ...(severity && { severity }),
});

/** A warning that a package has nothing of what a command works on, although it succeeds. */
export const nothingFound = (message: Text | Told): Report =>
  unplaced('nothing-to-read', message, undefined, 'warning');

/** Returns what a program can do, by the hint and then by the message, as few problems have any. */
function remediesOf(message: Message, hint: Message | undefined): readonly Remedy[] | undefined {
  if (hint?.hasRemedies !== true && !message.hasRemedies) return undefined;
  return [...(hint?.remedies ?? []), ...message.remedies].filter(isShort);
}

/** Returns the named parts of a message and what else it says. A long one is left out, as part of it is another value. */
function argumentsOf(message: Message, more: Problem['args']): ArgumentsOf<string> | undefined {
  const named = message.args;
  if (named === undefined && more === undefined) return undefined;
  const texts = Object.entries(more ?? {}).map(([name, argument]) => [name, format(argument)] as const);
  const all = [...Object.entries(named ?? {}), ...texts];
  return Object.fromEntries(all.filter(([, text]) => text.length <= MAX_MESSAGE));
}

/** A shortened argument would be another one. */
const isShort = (remedy: Remedy): boolean => Object.values(remedy).every((argument) => argument.length <= MAX_HINT);

function formatBriefly(message: Message, most: number): Text {
  const whole = format(message);
  return whole.length <= most ? whole : composeText`${clipped(whole, most)}`;
}
