import { attempt } from '../../../core/model/attempt.ts';
import { getOrCompute } from '../../../core/model/lazily.ts';
import {
  compileRegex,
  compileWork,
  EvaluationError,
  type Match,
  matchesOf,
  noPatternPaid,
  outcomeOf,
  type PaidPatterns,
  type Regex,
} from '../../cel/index.ts';
import { fromBytesWithHalves as fromBytes, isUtf8, toBytesWithHalves as toBytes } from '../bytes.ts';
import { FunctionError } from '../fault.ts';
import type { Meter } from '../meter.ts';
import { type GoValue, nilList, strings } from '../values/values.ts';
import { both, type FunctionTable, fail, fixed } from './define.ts';

/** Patterns that an execution has paid for. */
const paidBy = new WeakMap<Meter, PaidPatterns>();

const paidPatterns = (meter: Meter): PaidPatterns => getOrCompute(paidBy, meter, noPatternPaid);

/** Steps of regular expressions are much smaller than those of templates. */
const STEPS = 10;

/** Look-ahead, look-behind and backreferences. */
const PERL = /\(\?<?[=!]|\\[1-9]/;

function compiled(pattern: string, meter: Meter): Regex {
  if (!isUtf8(pattern)) throw fail(`error parsing regexp: invalid UTF-8: \`${pattern}\``);
  const source = fromBytes(pattern);
  meter.spendSteps(compileWork(source, paidPatterns(meter)) / STEPS);
  const compiled = outcomeOf(() => compileRegex(source));
  if (!(compiled instanceof EvaluationError)) return compiled;
  throw fail(compiled.message, PERL.test(source) ? 'pattern-feature' : undefined);
}

/** Returns a text as characters, and its matches, which are counted. */
function search(regex: string, bytes: string, meter: Meter): { text: string; matches: Generator<Match> } {
  const pattern = compiled(regex, meter);
  const text = fromBytes(bytes);
  return { text, matches: matchesOf(pattern, text, (steps) => meter.spendSteps(steps / STEPS)) };
}

function findAll(regex: string, bytes: string, most: bigint, meter: Meter): GoValue {
  const { text, matches } = search(regex, bytes, meter);
  const found: string[] = [];
  if (most === 0n) return nilList('string');
  for (const { start, end } of matches) {
    meter.spendSteps(1);
    meter.spendItems(1);
    found.push(toBytes(text.slice(start, end)));
    if (BigInt(found.length) === most) break;
  }
  return found.length === 0 ? nilList('string') : strings(found);
}

function find(regex: string, bytes: string, meter: Meter): string {
  const { text, matches } = search(regex, bytes, meter);
  for (const { start, end } of matches) return toBytes(text.slice(start, end));
  return '';
}

function replace(regex: string, bytes: string, meter: Meter, by: (match: Match) => string): string {
  const { text, matches } = search(regex, bytes, meter);
  let out = '';
  let last = 0;
  for (const match of matches) {
    const replacement = by(match);
    meter.spendSteps(1);
    meter.spendBytes(replacement.length + match.start - last);
    out += text.slice(last, match.start) + replacement;
    last = match.end;
  }
  return toBytes(out + text.slice(last));
}

const REFERENCE = /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))?/gu;

/** Go's Expand: `$1`, `${1}`, `$name`; `$1x` is a name, and an unknown group is empty. */
function expand(template: string, match: Match, meter: Meter): string {
  meter.spendSteps(template.length / 8);
  return template.replace(REFERENCE, (whole, braced: string | undefined, bare: string | undefined) => {
    if (whole === '$$') return '$';
    const name = braced ?? bare;
    if (name === undefined) return '$';
    return (/^[0-9]+$/.test(name) ? match.group(Number(name)) : match.named(name)) ?? '';
  });
}

function split(regex: string, bytes: string, most: bigint, meter: Meter): GoValue {
  const { text, matches } = search(regex, bytes, meter);
  if (most === 0n) return nilList('string');
  if (regex !== '' && bytes === '') return strings(['']);
  const parts: string[] = [];
  let begin = 0;
  let end = 0;
  for (const match of matches) {
    if (most > 0n && BigInt(parts.length) === most - 1n) break;
    meter.spendSteps(1);
    meter.spendItems(1);
    end = match.start;
    if (match.end !== 0) parts.push(toBytes(text.slice(begin, end)));
    begin = match.end;
  }
  if (end !== text.length) parts.push(toBytes(text.slice(begin)));
  return strings(parts);
}

const matches = (regex: string, text: string, meter: Meter): boolean =>
  search(regex, text, meter).matches.next().done !== true;

export const regexFunctions: FunctionTable = {
  regexMatch: fixed(
    ['string', 'string'],
    (regex, text, meter) => attempt(() => matches(regex, text, meter), FunctionError) ?? false,
  ),
  mustRegexMatch: fixed(['string', 'string'], matches),
  ...both({
    regexFind: fixed(['string', 'string'], find),
    regexFindAll: fixed(['string', 'string', 'int'], (regex, text, most, meter) =>
      findAll(regex, text, most.value, meter),
    ),
    regexReplaceAll: fixed(['string', 'string', 'string'], (regex, text, by, meter) => {
      const template = fromBytes(by);
      return replace(regex, text, meter, (match) => expand(template, match, meter));
    }),
    regexReplaceAllLiteral: fixed(['string', 'string', 'string'], (regex, text, by, meter) => {
      const literal = fromBytes(by);
      return replace(regex, text, meter, () => literal);
    }),
    regexSplit: fixed(['string', 'string', 'int'], (regex, text, most, meter) => split(regex, text, most.value, meter)),
  }),
  regexQuoteMeta: fixed(['string'], (text, meter) => {
    meter.spendBytes(2 * text.length);
    return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
  }),
};
