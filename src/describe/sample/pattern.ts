import samples from '../../../data/regex-samples.json';
import { attempt } from '../../core/model/attempt.ts';
import { ownValue } from '../../core/model/value.ts';

/** Returns short texts that may match a regular expression of a common form; the caller tests them. */
export const matchFor = (pattern: string, least: number): string[] =>
  attempt(() => [0, 1, least, 3, 8].map((count) => textFor(pattern, count)), RangeError) ?? [];

/** A class, a group with its flags or name, a count, or a character. */
const TOKEN =
  /\[\^?(?:\[:\w+:\]|\\.|[^\\])(?:\[:\w+:\]|\\.|[^\]\\])*\]|\((?:\?(?:[imsU-]*[:)]|P?<\w+>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|\\?./gsu;

/** An open group. Of several choices the first one is taken. */
interface Group {
  text: string;
  /** What a count repeats: the last part of the text. */
  last?: string;
  isChosen: boolean;
}

/** Returns the text in which everything that may occur any number of times occurs `count` times. */
function textFor(pattern: string, count: number): string {
  const groups: Group[] = [{ text: '', isChosen: false }];
  for (const [token] of pattern.matchAll(TOKEN)) {
    const closed = token === ')' ? groups.pop() : undefined;
    const group = groups.at(-1);
    if (group === undefined) throw new RangeError('a group that is not open is closed');
    if (token === '|') group.isChosen = true;
    else if (token.startsWith('(') && !token.endsWith(')')) groups.push({ text: '', isChosen: false });
    else if (group.isChosen) continue;
    else if (/^(?:[*+?]|\{\d)/.test(token)) repeat(group, times(token, count));
    else {
      group.last = closed?.text ?? atom(token);
      group.text += group.last;
    }
  }
  if (groups.length > 1) throw new RangeError('a group is not closed');
  return groups[0]?.text ?? '';
}

function repeat(group: Group, count: number): void {
  const { text, last } = group;
  if (last === undefined) throw new RangeError('a count repeats nothing');
  if (count > 10_000 || text.length + last.length * count > 10_000) throw new RangeError('the text is too long');
  group.text = text.slice(0, text.length - last.length) + last.repeat(count);
}

function times(token: string, count: number): number {
  const [, first, more, last] = /^\{(\d+)(,(\d*))?/.exec(token) ?? [];
  if (first === undefined) return token[0] === '?' ? Math.min(count, 1) : token[0] === '+' ? Math.max(count, 1) : count;
  const most = more === undefined ? Number(first) : last === '' ? Number.POSITIVE_INFINITY : Number(last);
  return Math.min(Math.max(Number(first), count), most);
}

function atom(token: string): string {
  if (token === '^' || token === '$' || token.startsWith('(')) return '';
  if (token === '[') throw new RangeError('a class is not closed');
  if (token.startsWith('[')) return memberOf(token);
  return token === '.' ? 'a' : escaped(token);
}

/** Returns a letter of a class, or the first character outside of a negated one. */
function memberOf(token: string): string {
  const negated = token[1] === '^';
  const parts = token.slice(negated ? 2 : 1, -1).matchAll(/\[:(\w+):\]|(\\?.)(?:-\\?.)?/gsu);
  const members = [...parts].map(([, name, char = '']) => {
    const member = name === undefined ? escaped(char) : ownValue(NAMED, name);
    if (member === undefined) throw new RangeError('not a form that is known');
    return member;
  });
  if (!negated) return members.find((member) => /[a-z0-9]/.test(member)) ?? members[0] ?? '';
  return ['a', '1', '-', '_'].find((char) => !members.includes(char)) ?? 'a';
}

const NAMED: Readonly<Record<string, string>> = samples.classes;
const ESCAPES: Readonly<Record<string, string>> = samples.escapes;
const escaped = (token: string): string =>
  token[0] === '\\' ? (ownValue(ESCAPES, token.slice(1)) ?? token.slice(1)) : token;
