import { createBudget } from '../cel/index.ts';
import { type Collector, reporterFor } from '../diagnostics/index.ts';
import type { Limits } from '../model/limits.ts';
import { groupVersionKind, type InputObject } from '../model/object.ts';
import type { Package } from '../read/index.ts';
import { admissionOf, type Graphs } from '../rgd/compile/index.ts';
import { definedKinds, groupKind } from '../rgd/definition/index.ts';

/** The instances of the RGDs that could not be compiled, and all other objects that may be instances. */
export interface InstancesOfBroken {
  candidates: readonly InputObject[];
  /** Holds the instances against the schemas of their RGDs, as far as these are right. */
  check(): void;
}

/** Sorts out the instances of broken RGDs: they are not told that nothing defines their kind. */
export function instancesOfBroken(
  pack: Package,
  graphs: Graphs,
  limits: Limits,
  reports: Collector,
): InstancesOfBroken {
  const defined = definedKinds(pack.rgds).map((kind) => `${kind.kind}.${kind.group}`);
  const broken = new Set(defined.filter((kind) => !graphs.has(kind)));
  const isOfBroken = ({ object }: InputObject): boolean => broken.has(groupKind(groupVersionKind(object)));
  const held = pack.candidates.filter(isOfBroken);
  return {
    candidates: held.length === 0 ? pack.candidates : pack.candidates.filter((one) => !isOfBroken(one)),
    check: () => {
      for (const definition of pack.definitions) {
        const own = held.filter(({ object }) => groupKind(groupVersionKind(object)) === groupKind(definition));
        const admission = own.length === 0 ? undefined : admissionOf(definition, reports);
        for (const input of admission === undefined ? [] : own) {
          const { report } = reporterFor(input, reports);
          const admitted = admission?.admit(input.object, createBudget(limits), !reports.hasEnough);
          for (const problem of admitted?.problems ?? []) report(problem);
        }
      }
    },
  };
}
