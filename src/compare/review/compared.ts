import { isError, isPending, type Report, shownTitleOf } from '../../core/diagnostics/index.ts';
import {
  groupKind,
  groupKindOf,
  type InputObject,
  identityOf,
  isPassthrough,
  type KubeObject,
  placeOfSource,
} from '../../core/model/object.ts';
import type { Entry, RenderInput, RenderOptions } from '../../core/model/render.ts';
import type { OnExpression } from '../../kro/compile/index.ts';
import { FRONT_ENDS } from '../../render/front-ends.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { type Reviewed, renderVersion, type Version } from './version.ts';

/** An object of the package, and what is rendered from it, or itself. */
export interface Unit {
  input: InputObject;
  role: Entry['role'];
  objects: readonly Reviewed[];
}

/** One version of a package, rendered as far as it has no error. */
export interface ComparedVersion {
  version: Version;
  /** The objects of the package that are applied or rendered, without those that failed. */
  units: readonly Unit[];
  /** The objects of the package that failed: nothing is known of what is rendered from them. */
  failed: readonly InputObject[];
  /** Without those of values that only a cluster has. */
  reports: readonly Report[];
  /** The values that only a cluster has: each is compared by its expression, or its node is not compared. */
  pending: readonly Report[];
}

/**
 * Renders one version of a package to compare it with another one. Pending values never hide the rest: an object is
 * rendered with the expression in their place. An error hides only the objects of the instance that has it.
 */
export function renderCompared(
  input: RenderInput,
  options: RenderOptions & { all: boolean },
  onExpression?: OnExpression,
  frontEnds = FRONT_ENDS,
  keeps?: boolean,
): ComparedVersion {
  const asked = options.onPending === 'passthrough' ? options : { ...options, ...MARKED };
  const version = renderVersion(input, asked, onExpression, frontEnds, keeps);
  const hasFailed = failureTest(input, version, frontEnds);
  const units: Unit[] = [];
  const failed: InputObject[] = [];
  for (const entry of version.partial()) {
    if (hasFailed(entry)) failed.push(entry.input);
    else units.push({ input: entry.input, role: entry.role, objects: version.reviewed(entry) });
  }
  const reports = version.reports.filter((one) => !isPending(one));
  return { version, units, failed, reports, pending: version.reports.filter(isPending) };
}

/** Pending values are marked in what is compared, and never hide the rest of an object. */
export const MARKED = { onPending: 'skip', marksPending: true } as const;

/** Returns a test for objects with an error, and for instances whose RGD has one. */
function failureTest(
  { objects, definitions = [] }: RenderInput,
  { reports, rendering }: Version,
  frontEnds: typeof FRONT_ENDS,
): (entry: Entry) => boolean {
  const errors = reports.filter(isError);
  if (errors.length === 0) return () => false;
  const places = new Set(errors.flatMap(({ source, instance }) => [placeOfSource(source), placeOfSource(instance)]));
  const titles = new Set(errors.flatMap(({ source, instance, object }) => (source || instance ? [] : [object])));
  const given = objectsIn([...objects, ...definitions]).map(({ object }) => object);
  const defined = new Set(frontEnds.flatMap((one) => one.kindsIn(given)).map(groupKind));
  const isRendered = (object: KubeObject): boolean => rendering.sessions.some(({ outcomes }) => outcomes.has(object));
  return ({ input }) => {
    const { object, source } = input;
    const place = placeOfSource(source);
    if (place === '' ? titles.has(shownTitleOf(input)) : places.has(place)) return true;
    return defined.has(groupKindOf(object)) && !isRendered(object) && !isPassthrough(object);
  };
}

/** Returns the key of an object of the package, by which the versions of it are matched. */
export const unitKey = ({ object }: InputObject): string => identityOf(object);
