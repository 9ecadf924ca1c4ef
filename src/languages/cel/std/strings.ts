import { costing, fn, type Library, matching, method } from '../library.ts';
import { compileRegex } from '../regex.ts';
import { type Charge, matchesText } from '../regex-match.ts';
import { endsWith, startsWith } from '../text/ends.ts';
import { BOOL, STRING } from '../types.ts';
import { searchWork } from '../value/work.ts';

const matches = (charge: Charge, text: string, pattern: string): boolean =>
  matchesText(compileRegex(pattern), text, charge);

export const strings: Library = {
  name: 'CEL strings',
  overloads: [
    costing(
      method('contains', [STRING, STRING], BOOL, (text: string, part: string) => text.includes(part)),
      searchWork,
    ),
    method('endsWith', [STRING, STRING], BOOL, endsWith),
    method('startsWith', [STRING, STRING], BOOL, startsWith),
    matching(fn('matches', [STRING, STRING], BOOL, matches)),
    matching(method('matches', [STRING, STRING], BOOL, matches)),
  ],
};
