import { expect, it } from 'vitest';
import { findings } from '../../../tools/lint/regexps.mjs';

/** Sources with a regular expression that may take more than linear time, and the rule that finds it. */
const WRONG: readonly (readonly [source: string, rule: string])[] = [
  ['export const is = (text: string): boolean => / +$/.test(text);', 'regexp/no-super-linear-move'],
  ["export const cut = (text: string): string => text.replace(/[.\\s]+$/, '');", 'regexp/no-super-linear-move'],
  ['export const is = (text: string): boolean => /^(a*)*$/.test(text);', 'regexp/no-super-linear-backtracking'],
  ['export const is = (text: string): boolean => /^(?:a+|b)+$/.test(text);', 'regexp/no-super-linear-backtracking'],
  [
    'export const is = (text: string): boolean => /^\\s*\\S*\\s*.*x$/.test(text);',
    'regexp/no-super-linear-backtracking',
  ],
  ['export const is = (text: string): boolean => /a.*b/.test(text);', 'own/tried-again'],
  ['export const is = (text: string): boolean => /\\$\\{[^}]*\\}/.test(text);', 'own/tried-again'],
  ['export const is = (text: string): boolean => /\\[.*?\\]\\(/.test(text);', 'own/tried-again'],
  ['export const is = (text: string): boolean => /^#.*!$/m.test(text);', 'own/tried-again'],
  // It is tried at each position.
  ['export const blank = / *\\n/y;', 'own/tried-again'],
  ['export const quoted = /"(?:[^"\\\\]|\\\\.)*"/y;', 'own/tried-again'],
];

/** Sources with regular expressions that take linear time. */
const RIGHT: readonly string[] = [
  'export const is = (text: string): boolean => /^[a-z]+$/.test(text);',
  'export const is = (text: string): boolean => /^a.*b/.test(text);',
  'export const is = (text: string): boolean => /\\$\\{[^${}]{0,20}\\}/.test(text);',
  'export const is = (text: string): boolean => / $/.test(text);',
  'export const word = /[a-z]+/y;',
  'export const quoted = /"[^"]*"/y;',
  // These look only at a part of a text.
  'export const is = (text: string): boolean => / +$/.test(lastPart(text));',
  'export const is = (text: string): boolean => /a.*b/.test(firstPart(text));',
];

it.each(WRONG)('finds a regular expression that may take more than linear time: %s', (source, rule) => {
  expect(findings(source).map((one) => one.rule)).toContain(rule);
});

it.each(RIGHT)('accepts a regular expression that takes linear time: %s', (source) => {
  expect(findings(source)).toEqual([]);
});

it('names the regular expression as it is written', () => {
  const [found] = findings('export const is = (text: string): boolean => / +$/.test(text);');
  expect(found?.literal).toBe('/ +$/');
});

it('fails for a source that cannot be read', () => {
  expect(() => findings('export const = ;')).toThrow();
});
