import { getAt, isMap, type Value } from '../../model/value.ts';
import type { InstanceRun } from '../../rgd/expand/index.ts';
import {
  type Carrier,
  conditionReads,
  EACH,
  keyOf,
  type Landing,
  landingsOf,
  type Step,
  type Survey,
  type SurveyedNode,
  templateReads,
} from '../reads/index.ts';
import { referencedBy } from './references.ts';
import { type Kept, keep, nothingKept } from './trim.ts';

/** What a package reads of one object beyond what it renders itself. */
export interface Need {
  carrier: Carrier;
  /** Read of the object that is rendered here, where a live one lies under it. */
  under: Kept | undefined;
  /** Read through references, for which a live object stands in the place of whatever the package has. */
  instead: Kept | undefined;
}

/** Everything that a package reads of objects, by their identity. Objects whose identity waits are left out. */
export function needsOf(survey: Survey): Map<string, Need> {
  const needs = new Map<string, Need>();
  const note = (carrier: Carrier, path: readonly Step[], whole: boolean): void => {
    const key = keyOf(carrier);
    if (key === undefined) return;
    const need = needs.get(key) ?? { carrier, under: undefined, instead: undefined };
    needs.set(key, need);
    if (carrier.referenced) {
      need.instead ??= nothingKept();
      keep(need.instead, path, whole);
    } else if (!isCovered(carrier, path, whole)) {
      need.under ??= nothingKept();
      keep(need.under, path, whole);
    }
  };
  for (const [run, nodes] of survey.runs) {
    for (const node of nodes) {
      for (const { carrier, path, whole } of landingsIn(node, run, survey)) if (carrier) note(carrier, path, whole);
      if (node.skipped) continue;
      const { carriers, labels } = referencedBy(node, run, survey);
      for (const carrier of carriers) {
        // That it is there is what a reference reads first.
        note(carrier, [], false);
        for (const label of labels) note(carrier, ['metadata', 'labels', label], true);
      }
    }
  }
  return needs;
}

function landingsIn(node: SurveyedNode, run: InstanceRun, survey: Survey): Landing[] {
  const reads = node.skipped ? conditionReads(node.node) : [...conditionReads(node.node), ...templateReads(node.node)];
  return reads.flatMap((one) => one.reads.flatMap((read) => landingsOf(read, run, survey)));
}

/**
 * What is rendered wins over what is observed, unless it is a map, which takes in what the observed one has besides:
 * such reads need no live object. So do those of fields that will be rendered once what they wait for is there.
 */
function isCovered({ own, holes }: Carrier, path: readonly Step[], whole: boolean): boolean {
  if (holes.some((hole) => hole.every((step, index) => step === path[index]))) return true;
  let value: Value | undefined = own;
  for (const step of path) {
    if (value === undefined) return false;
    if (!isMap(value)) return true;
    if (step === EACH) return false;
    value = getAt(value, [step]);
  }
  return value !== undefined && !(whole && isMap(value));
}
