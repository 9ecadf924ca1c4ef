/** Compares what an API server does with instances whose CRD changes with what `compat` says. */
import { formatPath, getAt, type Path, type ValueMap } from '../../../src/core/model/value.ts';
import { isSameSpec, type Judged, lostFields } from './ours.ts';
import type { Lived } from './server.ts';

/** The figures of all instances. */
export interface Figures {
  instances: number;
  /** Of them accepted by the older CRD: the others follow only these. */
  live: number;
  /** The newer CRD rejects the manifest, or drops a field of it. */
  rejected: number;
  /** A field of the manifest is no longer there when the instance is read. */
  losing: number;
  /** The API server rejects the live instance with another label, or the same manifest that is applied again. */
  seenInUpdate: number;
  seenInApply: number;
  /** It accepts both, although the newer CRD rejects the manifest: values that do not change are not validated. */
  ratcheted: number;
  open: number;
}

export const noFigures = (): Figures => ({
  instances: 0,
  live: 0,
  rejected: 0,
  losing: 0,
  seenInUpdate: 0,
  seenInApply: 0,
  ratcheted: 0,
  open: 0,
});

/** Compares one instance; returns what differs. */
export function compareInstance(lived: Lived, ours: Judged, figures: Figures): string[] {
  figures.instances += 1;
  const faults: string[] = [];
  const expect = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault);
  };
  const wasRejected = lived.rejectedBefore !== undefined;
  expect(wasRejected !== ours.isAcceptedBefore, `the older CRD: ${lived.rejectedBefore ?? 'accepted'}`);
  if (wasRejected || !ours.isAcceptedBefore) return counted(faults, figures);
  figures.live += 1;
  const isReported = ours.rejected.length > 0 || ours.unknown.length > 0;
  const isStrictlyRejected = lived.rejectedStrictly !== undefined;
  expect(isStrictlyRejected === isReported, `as a new object: ${lived.rejectedStrictly ?? 'accepted'}`);
  const isRejectedAsNew = lived.rejectedAsNew !== undefined;
  // With an unknown field, validation rules are not evaluated here.
  if (ours.unknown.length === 0 || ours.rejected.length > 0) {
    expect(
      isRejectedAsNew === ours.rejected.length > 0,
      `without unknown fields: ${lived.rejectedAsNew ?? 'accepted'}`,
    );
  }
  const lost = lostFields(lived.stored.spec, lived.read.spec, ['spec']);
  expect(isSameLoss(lost, ours.unknownStored, ours.rejectedStored), `lost when read: ${pathTexts(lost).join(', ')}`);
  const lostOfManifest = lostFields(lived.manifest.spec, lived.read.spec, ['spec']);
  const droppedOfManifest = ours.unknown.filter((path) => getAt(lived.manifest, path) !== null);
  expect(isSameLoss(lostOfManifest, droppedOfManifest, ours.rejected), 'other fields of the manifest are lost');
  expect(isSameSpec(lived.stored, ours.stored), 'stored otherwise');
  if (ours.read !== undefined) expect(isSameSpec(lived.read, ours.read), 'read otherwise');
  const mayBeRejected = isReported || ours.rejectedStored.length > 0;
  const isSeenInUpdate = lived.rejectedUpdate !== undefined;
  expect(!isSeenInUpdate || mayBeRejected, `an update is rejected: ${lived.rejectedUpdate}`);
  const isSeenInApply = lived.rejectedApply !== undefined;
  expect(!isSeenInApply || mayBeRejected, `an apply is rejected: ${lived.rejectedApply}`);
  if (isStrictlyRejected) figures.rejected += 1;
  if (lostOfManifest.length > 0) figures.losing += 1;
  if (isSeenInUpdate) figures.seenInUpdate += 1;
  if (isSeenInApply) figures.seenInApply += 1;
  if (isRejectedAsNew && !isSeenInUpdate && !isSeenInApply) figures.ratcheted += 1;
  return counted(faults, figures);
}

function counted(faults: string[], figures: Figures): string[] {
  if (faults.length > 0) figures.open += 1;
  return faults;
}

/**
 * Reports whether the lost fields are those that the newer schema does not have. An API server also drops what a value of
 * a wrong type contains, which is reported as rejected.
 */
function isSameLoss(lost: readonly Path[], unknown: readonly Path[], rejected: readonly Path[]): boolean {
  const isBelowRejected = (path: Path): boolean =>
    rejected.some((outer) => outer.length < path.length && outer.every((step, at) => step === path[at]));
  const own = (paths: readonly Path[]): string[] => pathTexts(paths.filter((path) => !isBelowRejected(path)));
  return sameTexts(own(lost), own(unknown));
}

const pathTexts = (paths: readonly Path[]): string[] => paths.map((path) => formatPath(path)).sort();

const sameTexts = (some: readonly string[], others: readonly string[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others);

/** Returns the manifests that the older CRD accepts, and that the newer one rejects or that lose a field. */
export function brokenBy(lives: readonly Lived[]): ValueMap[] {
  const live = lives.filter(({ rejectedBefore }) => rejectedBefore === undefined);
  return live.filter(({ rejectedStrictly }) => rejectedStrictly !== undefined).map(({ manifest }) => manifest);
}
