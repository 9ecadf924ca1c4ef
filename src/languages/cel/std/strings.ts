import { fn, matching, method, type Overload } from '../library.ts';
import { compileRegex } from '../regex.ts';
import { type Charge, matchesText } from '../regex-match.ts';
import { BOOL, STRING } from '../types.ts';
import { searchWork } from '../value/size.ts';

// The engine's startsWith and endsWith compare character by character: they take many times as long as comparing a
// copied part.

const startsWith = (text: string, part: string): boolean =>
  part.length <= text.length && text.slice(0, part.length) === part;

const endsWith = (text: string, part: string): boolean =>
  part.length <= text.length && text.slice(text.length - part.length) === part;

const matches = (charge: Charge, text: string, pattern: string): boolean =>
  matchesText(compileRegex(pattern), text, charge);

export const strings: readonly Overload[] = [
  method('contains', [STRING, STRING], BOOL, (text, part) => text.includes(part), {
    work: searchWork,
  }),
  method('endsWith', [STRING, STRING], BOOL, endsWith),
  method('startsWith', [STRING, STRING], BOOL, startsWith),
  matching(fn, 'matches', [STRING, STRING], BOOL, matches),
  matching(method, 'matches', [STRING, STRING], BOOL, matches),
];
