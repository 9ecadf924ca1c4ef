import { fromPlain } from '../../src/api/plain.ts';
import type { JsonValue } from '../../src/api/types.ts';
import { parseJson } from '../../src/core/encoding/json.ts';
import { toJsonText } from '../../src/yaml/emit/json.ts';
import type { Verdict } from '../differential/compare.ts';
import type { GeneratedPackage } from '../differential/packages.ts';

/** A package with kro's verdict on it. */
export interface Judged {
  input: GeneratedPackage;
  verdict: Verdict;
}

export const writeJudged = (all: readonly Judged[]): string => toJsonText(fromPlain(all as unknown as JsonValue));
export const readJudged = (text: string): Judged[] => parseJson(text) as unknown as Judged[];
