import { Collector, phrase, reporterFor, shown } from '../../core/diagnostics/index.ts';
import { RENDERED } from '../../core/model/keys.ts';
import { type Document, type InputObject, titleOf } from '../../core/model/object.ts';
import type { Entry, RenderInput, RenderOptions } from '../../core/model/render.ts';
import type { FrontEnd } from '../../kubernetes/front-end/index.ts';
import { flattenObjects, objectsIn } from '../../yaml/parse/index.ts';
import { FRONT_ENDS } from '../front-ends.ts';
import { type RenderOutput, renderPackage } from '../pipeline.ts';
import { type Known, knownOf } from './known.ts';
import { definedKindAsOrigin, originKind, originLabel } from './origin.ts';
import { type Common, commonTo, doubtAbout } from './proof.ts';
import { isRendered } from './stamp.ts';

export { digestOf } from './digest.ts';
export { type Known, knownOf } from './known.ts';
export { definedKindAsOrigin, originKind, originLabel } from './origin.ts';
export { type Common, commonTo, type Doubt, doubtAbout } from './proof.ts';
export { functionName, originOf, stamped } from './stamp.ts';

/**
 * Renders a package that may contain output of a KRM function of any name. Earlier objects are set aside if their RGD
 * is in the package, so that they do not collide with their new version. They are not removed blindly: one whose
 * instance is not in the input may have been rendered elsewhere, and is an ordinary object.
 */
export function renderOverEarlier(input: RenderInput, options: RenderOptions, frontEnds = FRONT_ENDS): RenderOutput {
  const reports = new Collector();
  const objects = flattenObjects(input.objects, reports);
  const earlier = setAside(objects, input.definitions ?? [], frontEnds);
  if (earlier.size === 0) return renderPackage(input, options, frontEnds);
  const fresh = objects.filter((one) => !earlier.has(one));
  const output = renderPackage({ ...input, objects: fresh }, options, frontEnds);
  reports.addAll(output.reports);
  if (reports.hasErrors) return { ...output, entries: [], reports: reports.all };

  const known = knownOf(output, options);
  let shared: Common | undefined;
  const common = (): Common => {
    shared ??= commonTo(objects.map(({ object }) => object));
    return shared;
  };
  const entryOf = new Map(output.entries.map((entry) => [entry.input, entry]));
  const entries = objects.flatMap(
    (one) => entryOf.get(one) ?? (makesWay(one, known, common, reports) ? [] : plain(one)),
  );
  return { ...output, entries, reports: reports.all };
}

/** Returns a package without the objects that were rendered in it before. */
export function withoutEarlier(input: RenderInput, frontEnds = FRONT_ENDS): RenderInput {
  const objects = objectsIn(input.objects);
  const earlier = setAside(objects, input.definitions ?? [], frontEnds);
  return earlier.size === 0 ? input : { ...input, objects: objects.filter((one) => !earlier.has(one)) };
}

function setAside(
  objects: readonly InputObject[],
  definitions: readonly Document[],
  frontEnds: readonly FrontEnd[],
): Set<InputObject> {
  const stamped = objects.filter(({ object }) => isRendered(object));
  if (stamped.length === 0) return new Set();
  const all = [...objects, ...objectsIn(definitions)].map(({ object }) => object);
  const kinds = new Set(frontEnds.flatMap((one) => one.kindsIn(all)).map(definedKindAsOrigin));
  return new Set(stamped.filter(({ object }) => kinds.has(originKind(object))));
}

/**
 * Reports whether an earlier object is superseded: it is rendered again, or its instance is here and no longer renders
 * it.
 */
function makesWay(input: InputObject, known: Known, common: () => Common, reports: Collector): boolean {
  const { object } = input;
  if (known.again(object) !== undefined) return true;
  const { report } = reporterFor(input, reports);
  if (!known.answered(object)) {
    const from = `${originLabel(object, 'kind')}/${originLabel(object, 'name')}`;
    const message = phrase`was rendered earlier from ${from}, which is not in the input, so it is treated as your own object`;
    report({ code: 'earlier-elsewhere', message, path: [], severity: 'info' });
    return false;
  }
  if (doubtAbout(object, undefined, common) !== undefined) {
    const message = phrase`is no longer rendered, and is treated as your own object: it was changed after it was rendered`;
    const hint = phrase`remove it, or its annotation ${shown(RENDERED)}`;
    report({ code: 'earlier-doubtful', message, path: [], severity: 'warning', hint });
    return false;
  }
  const message = phrase`${titleOf(object)} is no longer rendered and was left out`;
  report({ code: 'earlier-removed', message, path: [], severity: 'info' });
  return true;
}

const plain = (input: InputObject): Entry => ({ input, role: 'other', rendered: [], passedThrough: false });
