import { clipped } from '../text/clip.ts';
import type { Remedy } from '../text/hint.ts';
import type { ArgumentsOf } from './arguments.ts';
import type { Code, Problem, Report, Severity } from './diagnostic.ts';
import { composeText, format, type Message, phrase, phraseIf, type Text } from './message.ts';

/** Returns the texts of a problem, which may quote values of Secrets. */
export const worded = (message: string, hint?: string): Pick<Problem, 'message' | 'hint'> => ({
  message: phrase`${message}`,
  hint: phraseIf(hint),
});

/** The maximum length of a message: it may quote expressions, rules and values of any length. */
const MAX_MESSAGE = 2000;
const MAX_HINT = 4000;

/** Converts a problem, from which `redact` removed values of Secrets, to a report with texts of limited length. */
export const toReport = ({ message, hint, args, ...problem }: Problem): Report => ({
  ...problem,
  message: formatBriefly(message, MAX_MESSAGE),
  hint: hint && formatBriefly(hint, MAX_HINT),
  remedies: remediesOf(message, hint),
  ...(args && { args: briefly(args) }),
});

/** Returns a report about no object or field. */
export const unplaced = (code: Code, message: Text, hint?: Text, severity?: Severity): Report => ({
  code,
  message,
  path: [],
  ...(hint && { hint }),
  ...(severity && { severity }),
});

/** A warning that a package has nothing of what a command works on, although it succeeds. */
export const nothingFound = (message: Text): Report => unplaced('nothing-to-read', message, undefined, 'warning');

/** Returns what a program can do, by the hint and then by the message, as few problems have any. */
function remediesOf(message: Message, hint: Message | undefined): readonly Remedy[] | undefined {
  if (hint?.hasRemedies !== true && !message.hasRemedies) return undefined;
  return [...(hint?.remedies ?? []), ...message.remedies].filter(isShort);
}

/** A long argument is left out, as part of it would be another value. */
function briefly(args: ArgumentsOf<Message>): ArgumentsOf<string> {
  const texts = Object.entries(args).map(([name, argument]) => [name, format(argument)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text.length <= MAX_MESSAGE));
}

/** A shortened argument would be another one. */
const isShort = (remedy: Remedy): boolean => Object.values(remedy).every((argument) => argument.length <= MAX_HINT);

function formatBriefly(message: Message, most: number): Text {
  const whole = format(message);
  return whole.length <= most ? whole : composeText`${clipped(whole, most)}`;
}
