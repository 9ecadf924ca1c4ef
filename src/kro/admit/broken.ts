import { type Collector, reporterFor } from '../../core/diagnostics/index.ts';
import type { Limits } from '../../core/model/limits.ts';
import { groupVersionKind, type InputObject } from '../../core/model/object.ts';
import { createBudget } from '../../languages/cel/index.ts';
import { admissionOf, type Graphs } from '../compile/index.ts';
import { definedKinds, groupKind } from '../definition/index.ts';
import type { RgdPackage } from '../read/index.ts';

/** The instances of RGDs that do not compile, and all other objects that may be instances. */
export interface InstancesOfBroken {
  candidates: readonly InputObject[];
  /** Validates the instances against the valid parts of the schemas of their RGDs. */
  check(): void;
}

/** Separates the instances of broken RGDs, whose kind is not reported as undefined. */
export function instancesOfBroken(
  pack: RgdPackage,
  graphs: Graphs,
  limits: Limits,
  reports: Collector,
): InstancesOfBroken {
  const isWhole = graphs.size === pack.rgds.length;
  const defined = isWhole ? [] : definedKinds(pack.rgds).map((kind) => `${kind.kind}.${kind.group}`);
  const broken = new Set(defined.filter((kind) => !graphs.has(kind)));
  const isOfBroken = ({ object }: InputObject): boolean => broken.has(groupKind(groupVersionKind(object)));
  const held = broken.size === 0 ? [] : pack.candidates.filter(isOfBroken);
  return {
    candidates: held.length === 0 ? pack.candidates : pack.candidates.filter((one) => !isOfBroken(one)),
    check: () => {
      for (const definition of pack.definitions) {
        const own = held.filter(({ object }) => groupKind(groupVersionKind(object)) === groupKind(definition));
        const admission = own.length === 0 ? undefined : admissionOf(definition, reports);
        for (const input of admission === undefined ? [] : own) {
          const { report } = reporterFor(input, reports);
          const admitted = admission?.admit(input.object, createBudget(limits), !reports.limitReached);
          for (const problem of admitted?.problems ?? []) report(problem);
        }
      }
    },
  };
}
