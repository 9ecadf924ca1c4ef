import knownGaps from '../conformance/known-gaps.json' with { type: 'json' };
import { disagreement } from '../differential/compare.ts';
import { isToldByValidate, purposeOf } from '../differential/on-purpose.ts';
import type { Judged } from './batch.ts';
import type { ClusterCase } from './cases.ts';

/** The result of a case. */
export interface Outcome {
  kind: 'agreed' | 'on purpose' | 'open';
  faults: readonly string[];
  /** The number of dry runs, and how many of them the API server rejected: as expected, or not. */
  dry: { crds: number; objects: number; foreseen: number; unforeseen: number };
}

/** What an API server requires of its own kinds beyond their schemas: docs/fidelity.md. */
const beyondSchemas: readonly RegExp[] = [/\bService "[^"]*" is invalid: spec\.ports: Required value/];

const isBeyondSchemas = (refusal: string): boolean => beyondSchemas.some((one) => one.test(refusal));

const gaps = Object.keys(knownGaps);

const isKnownGap = (name: string): boolean => gaps.some((gap) => name.endsWith(`/${gap}`));

export function outcomeOf({ name, objects, observed }: ClusterCase, judged: Judged): Outcome {
  const { verdict, crds, objects: rendered, broken } = judged;
  const found = verdict && disagreement(verdict.ours, verdict.kro);
  // Cases of `beyond` and of known-gaps.json contain deliberate differences.
  const isListed = found && (purposeOf(found, { objects }) !== undefined || isBeyondSchemas(found.theirs));
  const isDocumented = name.includes('/beyond/') || isKnownGap(name) || isListed === true;
  const refused = [...crds.refused, ...rendered.refused];
  const isForeseen = (text: string): boolean =>
    purposeOf({ stages: ['', 'refused'], group: '', ours: 'ok', theirs: text }, { objects }) !== undefined ||
    isBeyondSchemas(text) ||
    isToldByValidate(text, { objects, observed });
  const unforeseen = isDocumented ? [] : refused.filter((text) => !isForeseen(text));
  const dry = {
    crds: crds.tried,
    objects: rendered.tried,
    foreseen: refused.length - unforeseen.length,
    unforeseen: unforeseen.length,
  };
  const faults = [
    ...(broken === undefined ? [] : [`nobody knows: ${broken}`]),
    ...(found === undefined ? [] : [`${found.group}\n    here: ${found.ours}\n    kro:  ${found.theirs}`]),
    ...unforeseen.map((text) => `the API server refuses ${text}`),
  ];
  if (faults.length === 0) return { kind: 'agreed', faults, dry };
  const isOnPurpose = broken === undefined && unforeseen.length === 0 && (isDocumented || refused.length > 0);
  return { kind: isOnPurpose ? 'on purpose' : 'open', faults, dry };
}
