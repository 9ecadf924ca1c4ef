import { getAt, isMap, type Value } from '../../../core/model/value.ts';
import type { InstanceRun } from '../../expand/index.ts';
import {
  conditionReads,
  EACH,
  keyOf,
  landingsOf,
  type ReadTarget,
  type ResolvedRead,
  type Step,
  type Survey,
  type SurveyedNode,
  templateReads,
} from '../reads/index.ts';
import { referencedBy } from './references.ts';
import { addField, type NeededFields, noFields } from './trim.ts';

/** What a package reads of one object beyond what it renders itself. */
export interface Need {
  target: ReadTarget;
  /** The fields read of an object that is rendered here, from the live object under it. */
  under: NeededFields | undefined;
  /** The fields read through references, for which a live object replaces the package's object. */
  instead: NeededFields | undefined;
}

/** Returns everything that a package reads of objects, by identity. Objects with a pending identity are omitted. */
export function needsOf(survey: Survey): Map<string, Need> {
  const needs = new Map<string, Need>();
  const note = (target: ReadTarget, path: readonly Step[], whole: boolean): void => {
    const key = keyOf(target);
    if (key === undefined) return;
    const need = needs.get(key) ?? { target, under: undefined, instead: undefined };
    needs.set(key, need);
    if (target.referenced) {
      need.instead ??= noFields();
      addField(need.instead, path, whole);
    } else if (!isCovered(target, path, whole)) {
      need.under ??= noFields();
      addField(need.under, path, whole);
    }
  };
  for (const [run, nodes] of survey.runs) {
    for (const node of nodes) {
      for (const { target, path, whole } of landingsIn(node, run, survey)) if (target) note(target, path, whole);
      if (node.skipped) continue;
      const { targets, labels } = referencedBy(node, run, survey);
      for (const target of targets) {
        // A reference first reads that the object exists.
        note(target, [], false);
        for (const label of labels) note(target, ['metadata', 'labels', label], true);
      }
    }
  }
  return needs;
}

function landingsIn(node: SurveyedNode, run: InstanceRun, survey: Survey): ResolvedRead[] {
  const reads = node.skipped ? conditionReads(node.node) : [...conditionReads(node.node), ...templateReads(node.node)];
  return reads.flatMap((one) => one.reads.flatMap((read) => landingsOf(read, run, survey)));
}

/**
 * Reports whether a read needs no live object: rendered values win over observed ones, except for maps, which are
 * merged. The same applies to fields that will be rendered once their pending values exist.
 */
function isCovered({ own, holes }: ReadTarget, path: readonly Step[], whole: boolean): boolean {
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
