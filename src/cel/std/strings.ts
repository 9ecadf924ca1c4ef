import { fn, type Library, method } from '../library.ts';
import { compileRegex } from '../regex.ts';
import { BOOL, STRING } from '../types.ts';

const matches = (text: string, pattern: string): boolean => compileRegex(pattern).test(text);

export const strings: Library = {
  name: 'CEL strings',
  overloads: [
    method('contains', [STRING, STRING], BOOL, (text: string, part: string) => text.includes(part)),
    method('endsWith', [STRING, STRING], BOOL, (text: string, part: string) => text.endsWith(part)),
    method('startsWith', [STRING, STRING], BOOL, (text: string, part: string) => text.startsWith(part)),
    fn('matches', [STRING, STRING], BOOL, matches),
    method('matches', [STRING, STRING], BOOL, matches),
  ],
};
