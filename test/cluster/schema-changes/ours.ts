/** What `compat` and the schemas of both versions say of instances. */
import { comparePackages, type Verdict } from '../../../src/compare/compat/index.ts';
import type { Problem } from '../../../src/core/diagnostics/index.ts';
import type { Document, KubeObject } from '../../../src/core/model/object.ts';
import { equal, isMap, mapItems, type Path, type Value, type ValueMap } from '../../../src/core/model/value.ts';
import type { Graph } from '../../../src/kro/compile/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';

/** What the schemas of two versions say of one instance. */
export interface Judged {
  isAcceptedBefore: boolean;
  /** The fields of the manifest that the newer schema does not have. */
  unknown: readonly Path[];
  /** The values that the newer schema rejects, or requires and the manifest lacks. */
  rejected: readonly Path[];
  /** The instance as an API server stores it with the older version. */
  stored: ValueMap;
  /** What the newer version says of the stored one. */
  unknownStored: readonly Path[];
  rejectedStored: readonly Path[];
  /** What is read with the newer version; undefined if it rejects the stored one. */
  read: ValueMap | undefined;
}

export function judged([before, after]: readonly [Graph, Graph], manifest: ValueMap): Judged {
  const was = admitted(before, manifest);
  const is = admitted(after, manifest);
  const later = admitted(after, was.object);
  return {
    isAcceptedBefore: was.problems.length === 0,
    unknown: unknownFields(is.problems),
    rejected: rejectedFields(is.problems),
    stored: was.object,
    unknownStored: unknownFields(later.problems),
    rejectedStored: rejectedFields(later.problems),
    read: later.problems.length === 0 ? later.object : undefined,
  };
}

function admitted({ admission }: Graph, object: ValueMap): { object: ValueMap; problems: readonly Problem[] } {
  const { object: stored, problems } = admission.admit(object as KubeObject);
  return { object: stored as ValueMap, problems };
}

const isUnknown = ({ code }: Problem): boolean => code === 'instance-unknown-field';

const unknownFields = (problems: readonly Problem[]): Path[] => problems.filter(isUnknown).map(({ path }) => path);

const rejectedFields = (problems: readonly Problem[]): Path[] =>
  problems.filter((one) => !isUnknown(one)).map(({ path }) => path);

/** Returns the verdict of `compat` about the RGD, with these instances. */
export function verdictOf(before: ValueMap, after: ValueMap, manifests: readonly ValueMap[]): Verdict | undefined {
  const input = (object: ValueMap) => ({ objects: [{ object }] as Document[] });
  const others = manifests.map((object) => ({ object })) as Document[];
  const { verdicts } = comparePackages(input(before), input(after), others, {
    ...defaultRenderOptions,
    conservative: false,
  });
  return verdicts()[0];
}

/** Returns the fields that a value has and another one lacks: only the outermost ones. A null is dropped in any case. */
export function lostFields(before: Value | undefined, after: Value | undefined, path: Path = []): Path[] {
  if (before === undefined || before === null) return [];
  if (after === undefined) return [path];
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.flatMap((item, index) => lostFields(item, after[index], [...path, index]));
  }
  if (!isMap(before) || !isMap(after)) return [];
  return Object.entries(before).flatMap(([key, value]) => lostFields(value, after[key], [...path, key]));
}

/** Reports whether the specs of two objects are equal. The API server writes a whole number without a fraction. */
export const isSameSpec = (one: ValueMap, other: ValueMap): boolean =>
  equal(plainNumbers(one.spec ?? null), plainNumbers(other.spec ?? null));

/** Returns a value as it is read from a file: a whole number is an integer. */
export function plainNumbers(value: Value): Value {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return mapItems(value, plainNumbers);
}
