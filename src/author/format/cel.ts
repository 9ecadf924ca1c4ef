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
  const spacing = new Spacing();
  const spaced: SpacedToken[] = [];
  let at = 0;
  for (const { kind, text, offset: start } of tokenize(source).slice(0, -1)) {
    if (source.slice(at, start).trim() !== '') return undefined;
    at = start + text.length + (kind === 'quoted' ? 2 : 0);
    spaced.push({ start, end: at, ...spacing.next(kind === 'op', text) });
  }
  return source.slice(at).trim() === '' ? spaced : undefined;
}

const OPERAND_ENDS: readonly string[] = ['true', 'false', 'null', ')', ']', '}'];

/** What is known of the tokens so far: it decides the spaces of the next one. */
class Spacing {
  /** The number of `?` without their `:`, by bracket. */
  readonly #questions = [0];
  #isAfterOperand = false;
  /** No space follows. */
  #isTight = true;

  next(isOperator: boolean, text: string): Omit<SpacedToken, 'start' | 'end'> {
    const isAfterOperand = this.#isAfterOperand;
    const space = this.#isTight ? '' : ' ';
    const isOperand = !isOperator || OPERAND_ENDS.includes(text);
    this.#isAfterOperand = isOperand;
    this.#isTight = false;
    if (isOperand) return this.#operand(text, space);
    if ('([{'.includes(text)) {
      this.#questions.push(0);
      this.#isTight = true;
      return { space: isAfterOperand ? '' : space, level: 0, kind: 'open' };
    }
    if (text === '.') {
      this.#isTight = true;
      return { space: isAfterOperand ? '' : space, level: 0, kind: 'other' };
    }
    if (text === ',' || (text === ':' && this.#questions.at(-1) === 0)) return { space: '', level: 0, kind: 'other' };
    if (isAfterOperand) return { space, level: this.#binary(text), kind: 'other' };
    // A sign or a negation.
    this.#isTight = true;
    return { space, level: 0, kind: 'other' };
  }

  #operand(text: string, space: SpacedToken['space']): Omit<SpacedToken, 'start' | 'end'> {
    if (!')]}'.includes(text)) return { space, level: 0, kind: 'other' };
    this.#questions.pop();
    return { space: '', level: 0, kind: 'close' };
  }

  /** Returns the precedence of a binary operator; those of a condition are counted. */
  #binary(text: string): number {
    const level = ownValue(LEVELS, text) ?? 1;
    if (level === 1) this.#questions.push((this.#questions.pop() ?? 0) + (text === '?' ? 1 : -1));
    return level;
  }
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
