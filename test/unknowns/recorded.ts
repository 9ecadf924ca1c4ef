import { parseJson } from '../../src/core/encoding/json.ts';
import { type Json, type JsonMap, toText } from '../differential/types.ts';
import type { Case, PartialAnswer, PartialOutcome } from './compare.ts';
import type { UnknownPath } from './worlds.ts';

/** How many answers are written: those that are unknown, and as many others. Those by hand come first. */
const EACH = 150;

/** A case that cel-go answered earlier. */
export interface RecordedCase {
  expression: string;
  variables: JsonMap;
  unknown: readonly UnknownPath[];
  withWildcards: PartialOutcome;
  without: PartialOutcome;
}

/** Writes a case with its answers, if cel-go gave both. */
export function recordOf({ expression, world }: Case, { outcomes = [] }: PartialAnswer): string | undefined {
  const [withWildcards, without] = outcomes;
  if (withWildcards === undefined || without === undefined) return undefined;
  const { variables, unknown } = world;
  const one: RecordedCase = {
    expression,
    variables,
    unknown,
    withWildcards: kept(withWildcards),
    without: kept(without),
  };
  return toText(one as unknown as Json);
}

/** The words of an error are not compared. */
const kept = (outcome: PartialOutcome): PartialOutcome => (outcome.error === undefined ? outcome : { error: 'fails' });

/** Returns the lines of a file of answers. */
export function linesOf(recorded: readonly (string | undefined)[]): string {
  const all = recorded.filter((line): line is string => line !== undefined);
  const isUnknown = (line: string): boolean => line.includes('"without":{"unknown"');
  const unknown = all.filter(isUnknown).slice(0, EACH);
  const others = all.filter((line) => !isUnknown(line)).slice(0, EACH);
  return `${[...unknown, ...others].join('\n')}\n`;
}

export const readRecorded = (text: string): RecordedCase[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => parseJson(line) as unknown as RecordedCase);
