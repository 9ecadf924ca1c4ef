import { ownValue } from '../../core/model/value.ts';
import { smallest } from '../../core/text/extremes.ts';
import { parse, tokenize } from '../../languages/cel/index.ts';

/** A token of an expression, by its offsets in the source. */
export interface SpacedToken {
  start: number;
  end: number;
  /** The canonical space before it. */
  space: '' | ' ';
  /** The precedence of a binary operator, from 1 for `?` and `:`; 0 for others. */
  level: number;
  kind: 'open' | 'close' | 'other';
}

const LEVELS: Readonly<Record<string, number>> = {
  '||': 2,
  '&&': 3,
  ...Object.fromEntries(['==', '!=', '<', '<=', '>', '>=', 'in'].map((text) => [text, 4])),
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};
/** Operators from here on share lines. */
const SUM = 5;

/** Returns the tokens of an expression; `undefined` if it is invalid or has comments. */
export function spacedTokens(source: string): SpacedToken[] | undefined {
  if (!parse(source).ok) return undefined;
  const tokens = tokenize(source).slice(0, -1);
  const spaced: SpacedToken[] = [];
  /** The number of `?` without their `:`, by bracket. */
  const questions = [0];
  let afterOperand = false;
  let isTight = true;
  let at = 0;
  for (const { kind, text, offset: start } of tokens) {
    if (source.slice(at, start).trim() !== '') return undefined;
    const end = start + text.length + (kind === 'quoted' ? 2 : 0);
    const token: SpacedToken = { start, end, space: isTight ? '' : ' ', level: 0, kind: 'other' };
    const follows = afterOperand;
    at = end;
    isTight = false;
    afterOperand = kind !== 'op' || ['true', 'false', 'null', ')', ']', '}'].includes(text);
    if (kind !== 'op' || afterOperand) {
      if (')]}'.includes(text)) {
        Object.assign(token, { space: '', kind: 'close' });
        questions.pop();
      }
    } else if ('([{'.includes(text)) {
      if (follows) token.space = '';
      token.kind = 'open';
      questions.push(0);
      isTight = true;
    } else if (text === '.') {
      if (follows) token.space = '';
      isTight = true;
    } else if (text === ',' || (text === ':' && questions.at(-1) === 0)) token.space = '';
    else if (follows) {
      token.level = ownValue(LEVELS, text) ?? 1;
      if (token.level === 1) questions.push((questions.pop() ?? 0) + (text === '?' ? 1 : -1));
    } else isTight = true;
    spaced.push(token);
  }
  return source.slice(at).trim() === '' ? spaced : undefined;
}

export const celText = (source: string, tokens: readonly SpacedToken[]): string =>
  tokens.map(({ start, end, space }, index) => (index === 0 ? '' : space) + source.slice(start, end)).join('');

/** Returns the tokens on lines of at most `room`, broken before the outermost operators that bind least. */
export function celLines(source: string, tokens: readonly SpacedToken[], room: number): string[] {
  const whole = celText(source, tokens);
  if (whole.length <= room) return [whole];
  const outer = outermost(tokens);
  const level = smallest(outer.map((index) => tokens[index]?.level ?? 0));
  const cuts = outer.filter((index) => tokens[index]?.level === level);
  const parts = [...cuts, tokens.length].map((end, index) => tokens.slice(cuts[index - 1] ?? 0, end));
  if (parts.length === 1) return [whole];
  const lines: string[] = [];
  for (const part of parts) {
    for (const [index, line] of celLines(source, part, room).entries()) {
      const last = lines.at(-1);
      const fits = index === 0 && level >= SUM && last !== undefined && last.length + 1 + line.length <= room;
      if (fits) lines.splice(-1, 1, `${last} ${line}`);
      else lines.push(line);
    }
  }
  return lines;
}

/** Returns the indexes of the operators in the fewest brackets, except for one at the start. */
function outermost(tokens: readonly SpacedToken[]): number[] {
  let depth = 0;
  let least = Number.POSITIVE_INFINITY;
  let found: number[] = [];
  for (const [index, { kind, level }] of tokens.entries()) {
    if (kind === 'open') depth += 1;
    else if (kind === 'close') depth -= 1;
    else if (level > 0 && index > 0 && depth <= least) {
      if (depth < least) found = [];
      least = depth;
      found.push(index);
    }
  }
  return found;
}
