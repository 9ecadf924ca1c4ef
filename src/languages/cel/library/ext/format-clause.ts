import data from '../../../../../data/cel-format.json';
import { MAX_INT64 } from '../../../../core/text/go-numbers.ts';
import { utf8 } from '../../../../core/text/utf8.ts';
import { children, type Expr } from '../../ast.ts';
import { type CelType, typeName } from '../../types.ts';
import { EvaluationError, failure, outcomeOf } from '../../value/values.ts';

/** The clauses of `string.format` and their syntax, for formatting and for the check of literal calls. */

export type Clause = 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';

/** A piece of a format string: text to copy, or a clause for the next argument. */
export type FormatPiece = string | { clause: Clause; precision: number };

const DEFAULT_PRECISION = 6;
const MAX_PRECISION = 100;

/** The values that each clause accepts, by run-time type names, and cel-go's message for others. */
export type ClauseRules = Readonly<Record<Clause, { takes: string; only: string }>>;

const LATEST: ClauseRules = data.latest;
/** For the versions before 4. */
export const VERSION_2: ClauseRules = data.version2;

/** Before evaluation a text is accepted, because it may be `NaN`. */
const orText = (rule: ClauseRules['f']): ClauseRules['f'] => ({ ...rule, takes: `${rule.takes} string` });
export const VERSION_2_TYPES: ClauseRules = { ...VERSION_2, f: orText(VERSION_2.f), e: orText(VERSION_2.e) };

const isClause = (char: string): char is Clause => Object.hasOwn(LATEST, char);

/** Returns why a clause cannot format a value of the named type; `undefined` if it can. */
export function clauseFault(clause: Clause, typeName: string, rules: ClauseRules = LATEST): string | undefined {
  const { takes, only } = rules[clause];
  return takes.split(' ').includes(typeName) ? undefined : `error during formatting: ${only}, was given ${typeName}`;
}

/** Parses a format string piece by piece, so that errors are found in order. @throws EvaluationError (failure) */
export function* formatPieces(format: string, count: number): Generator<FormatPiece> {
  let argument = 0;
  let at = 0;
  while (at < format.length) {
    const percent = format.indexOf('%', at);
    if (percent !== at) yield format.slice(at, percent < 0 ? format.length : percent);
    if (percent < 0) return;
    if (format[percent + 1] === '%') {
      yield '%';
      at = percent + 2;
      continue;
    }
    if (percent + 1 >= format.length)
      throw failure(argument < count ? 'unexpected end of string' : outOfRange(argument));
    if (argument >= count) throw failure(outOfRange(argument));
    const piece = readClause(format, percent + 1);
    yield piece.value;
    at = piece.end;
    argument++;
  }
}

const outOfRange = (argument: number): string => `index ${argument} out of range`;

function readClause(format: string, start: number): { value: FormatPiece; end: number } {
  const [written] = /^\.[0-9]*/.exec(format.slice(start)) ?? [''];
  const at = start + written.length;
  const precision = written === '' ? DEFAULT_PRECISION : readPrecision(written.slice(1), at >= format.length);
  const clause = format.charAt(at);
  if (!isClause(clause)) {
    // Go reads the first UTF-8 byte of the character.
    const byte = utf8(String.fromCodePoint(format.codePointAt(at) ?? 0))[0] ?? 0;
    throw failure(`could not parse formatting clause: unrecognized formatting clause "${String.fromCharCode(byte)}"`);
  }
  return { value: { clause, precision }, end: at + 1 };
}

function readPrecision(digits: string, ended: boolean): number {
  const refuse = (message: string): Error =>
    failure(`could not parse formatting clause: error while parsing precision: ${message}`);
  if (ended) throw refuse('could not find end of precision specifier');
  const problem = digits === '' ? 'invalid syntax' : BigInt(digits) > MAX_INT64 ? 'value out of range' : undefined;
  if (problem !== undefined) {
    throw refuse(`error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${problem}`);
  }
  const precision = Number(digits);
  if (precision > MAX_PRECISION) {
    throw refuse(`precision ${precision} exceeds maximum allowed precision ${MAX_PRECISION}`);
  }
  return precision;
}

/** Checks `format` calls whose format string and argument list are literals, as cel-go's validator does. */

type Problem = { message: string; offset?: number } | undefined;

/** Returns the first error of `format.format([arguments])`, `undefined` if there is none. */
export function checkFormat(
  format: string,
  args: readonly Expr[],
  typeOf: (expr: Expr) => CelType,
  rules?: ClauseRules,
): Problem {
  /** `%s` checks list and map literals recursively. */
  const check = (clause: Clause, argument: Expr): Problem => {
    const type = typeOf(argument);
    const isKnown = type.kind !== 'dyn' && type.kind !== 'param';
    const message = isKnown ? clauseFault(clause, typeName(type), rules) : undefined;
    if (message !== undefined) return { message, offset: argument.offset };
    if (clause !== 's' || (argument.kind !== 'list' && argument.kind !== 'map')) return undefined;
    for (const part of children(argument)) {
      const problem = check(clause, part);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  const checked = outcomeOf((): Problem => {
    let next = 0;
    for (const piece of formatPieces(format, args.length)) {
      const problem = typeof piece === 'string' ? undefined : check(piece.clause, args[next++] as Expr);
      if (problem !== undefined) return problem;
    }
    if (args.length === next) return undefined;
    return { message: `too many arguments supplied to string.format (expected ${next}, got ${args.length})` };
  });
  return checked instanceof EvaluationError ? { message: checked.message } : checked;
}
