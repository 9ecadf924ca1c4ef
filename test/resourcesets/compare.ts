import { render } from '../../src/api/index.ts';
import type { Answer, Outcome } from './on-purpose.ts';
import type { GeneratedSet } from './random.ts';

/** A set with the objects that the Flux operator renders; `null` if it rejects the set. */
export interface Recorded extends GeneratedSet {
  objects: object[] | null;
}

/** Renders a set here. */
export function renderHere({ set, providers }: GeneratedSet): Outcome {
  const objects = [set, ...providers].map((one, index) => ({ file: `${index}.yaml`, text: JSON.stringify(one) }));
  const output = render({ objects }, { maxSteps: 10_000_000 });
  const [error] = output.diagnostics.filter(({ severity }) => severity === 'error');
  return error === undefined ? { objects: output.objects } : { error: error.message, code: error.code };
}

/** Returns whether both render the same objects, or both reject the set. */
export function agree(ours: Outcome, theirs: Answer): boolean {
  if ('error' in ours) return theirs.error !== undefined;
  return theirs.error === undefined && canonical(ours.objects) === canonical(theirs.objects ?? []);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one) => {
    if (typeof one === 'bigint') return Number(one);
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
