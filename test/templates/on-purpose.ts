import type { Verdict } from './judge.ts';
import type { Outcome } from './ours.ts';
import type { GeneratedTemplate } from './templates.ts';

/** A difference from Go, deliberate or without effect. */
export interface Purpose {
  reason: string;
  holds(template: GeneratedTemplate, ours: Outcome, theirs: Verdict): boolean;
}

const failsWith = (outcome: Outcome | Verdict, part: RegExp): boolean => 'error' in outcome && part.test(outcome.error);

/** A regular expression and a printed time, in one action. */
const PATTERN_OF_A_MOMENT = /[rR]egex(?:(?!<<|>>).)*\bprintf\b(?:(?!<<|>>).)*oDate/s;

export const purposes: readonly Purpose[] = [
  {
    reason: 'A moment printed with a verb for other values shows the insides of a struct in Go.',
    holds: ({ template }, ours, theirs) =>
      'text' in ours && 'text' in theirs && /oDate/.test(template) && /printf/.test(template),
  },
  {
    reason: 'Where such a text is the pattern of a regular expression, only one of the two may be one.',
    holds: ({ template }, ours, theirs) =>
      'text' in ours !== 'text' in theirs &&
      PATTERN_OF_A_MOMENT.test(template) &&
      [ours, theirs].some((outcome) => failsWith(outcome, /error parsing regexp/)),
  },
  {
    reason: 'Behind the end of a list Go may find what it has put there to grow, which is chance.',
    holds: (_, ours, theirs) => failsWith(ours, /slice index out of bounds$/) && 'text' in theirs,
  },
  {
    reason: 'From a moment to now is another time at each rendering, also where nothing of it is printed.',
    holds: (_, ours, theirs) => failsWith(ours, /there is no clock/) && 'text' in theirs,
  },
];

/** A value that is written differently as YAML. */
export const valuePurposes: readonly { reason: string; holds(value: string, theirs: Verdict): boolean }[] = [
  {
    reason: 'Go reads its own JSON as YAML, where U+0085 is a line break that becomes a blank.',
    holds: (value) => value.includes('\u0085'),
  },
  {
    reason: 'Go refuses to read its own JSON as YAML where it holds a control character that JSON does not escape.',
    holds: (_, theirs) => failsWith(theirs, /control characters are not allowed/),
  },
];
