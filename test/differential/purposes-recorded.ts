import { readFileSync, writeFileSync } from 'node:fs';
import { parseJson } from '../../src/core/encoding/json.ts';
import { compared, type Disagreement, type Verdict } from './compare.ts';
import type { Judge } from './judge.ts';
import { type Purpose, purposes } from './on-purpose.ts';

/** kro's verdicts on the samples of the deliberate differences, by reason, for tests that run without kro. */
const FILE = new URL('purposes.json', import.meta.url);
/** Where a bundle of this program writes it. */
const WRITTEN = 'test/differential/purposes.json';

export async function recordPurposes(judge: Judge): Promise<void> {
  const verdicts = await judge.ask(purposes.map(({ sample }) => sample));
  const recorded = purposes.map(({ reason }, index) => [reason, { ...verdicts[index], id: '' }]);
  const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
  writeFileSync(WRITTEN, `${JSON.stringify(Object.fromEntries(recorded), plain, 2)}\n`);
}

/** Returns the disagreement of the sample of a deliberate difference, by kro's recorded verdict. */
export function recordedDisagreement({ reason, sample }: Purpose): Disagreement | undefined {
  const all = parseJson(readFileSync(FILE, 'utf8')) as unknown as Record<string, Verdict>;
  const verdict = all[reason];
  return verdict && compared(sample, verdict);
}
