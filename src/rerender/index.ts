import { Collector, reporterFor } from '../diagnostics/index.ts';
import { type Document, type InputObject, titleOf } from '../model/object.ts';
import type { Entry, RenderInput, RenderOptions } from '../model/render.ts';
import { flattenObjects, objectsIn } from '../parse/index.ts';
import { type RenderOutput, renderPackage } from '../pipeline.ts';
import { isRgd, outlineOf } from '../rgd/definition/index.ts';
import { RENDERED } from './digest.ts';
import { type Known, knownOf } from './known.ts';
import { definedKindAsOrigin, originKind, originLabel, RESOURCE_SET } from './origin.ts';
import { type Common, commonTo, doubtAbout } from './proof.ts';
import { isRendered } from './stamp.ts';

export { digestOf, RENDERED } from './digest.ts';
export { type Known, knownOf } from './known.ts';
export { definedKindAsOrigin, originKind, originLabel } from './origin.ts';
export { type Common, commonTo, type Doubt, doubtAbout } from './proof.ts';
export { originOf, type Renderer, stamped } from './stamp.ts';

/**
 * Renders a package that may hold what a KRM function rendered in it before, whatever the function was called. Such
 * objects are set aside where the RGD that made them is here too, so nothing collides with its own earlier self. They
 * are not taken away blindly: one whose instance is not in the input may have been rendered elsewhere, and stays an
 * object like any other.
 */
export function renderOverEarlier(input: RenderInput, options: RenderOptions): RenderOutput {
  const reports = new Collector();
  const objects = flattenObjects(input.objects, reports);
  const earlier = setAside(objects, input.definitions ?? []);
  if (earlier.size === 0) return renderPackage(input, options);
  const fresh = objects.filter((one) => !earlier.has(one));
  const output = renderPackage({ ...input, objects: fresh }, options);
  reports.addAll(output.reports);
  if (reports.hasErrors) return { ...output, entries: [], reports: reports.all };

  const known = knownOf(output, options);
  let shared: Common | undefined;
  const common = (): Common => {
    shared ??= commonTo(objects.map(({ object }) => object));
    return shared;
  };
  const made = new Map(output.entries.map((entry) => [entry.input, entry]));
  const entries = objects.flatMap((one) => made.get(one) ?? (makesWay(one, known, common, reports) ? [] : plain(one)));
  return { ...output, entries, reports: reports.all };
}

/** A package as it is without what was rendered in it before. */
export function withoutEarlier(input: RenderInput): RenderInput {
  const objects = objectsIn(input.objects);
  const earlier = setAside(objects, input.definitions ?? []);
  return earlier.size === 0 ? input : { ...input, objects: objects.filter((one) => !earlier.has(one)) };
}

function setAside(objects: readonly InputObject[], definitions: readonly Document[]): Set<InputObject> {
  const stamped = objects.filter(({ object }) => isRendered(object));
  if (stamped.length === 0) return new Set();
  const rgds = [...objects, ...objectsIn(definitions)].filter(({ object }) => isRgd(object));
  const kinds = new Set(rgds.map(({ object }) => definedKindAsOrigin(outlineOf(object))));
  kinds.add(definedKindAsOrigin(RESOURCE_SET));
  return new Set(stamped.filter(({ object }) => kinds.has(originKind(object))));
}

/** Whether an earlier object makes way: it is rendered again, or its instance is here and does not make it any more. */
function makesWay(input: InputObject, known: Known, common: () => Common, reports: Collector): boolean {
  const { object } = input;
  if (known.again(object) !== undefined) return true;
  const { report } = reporterFor(input, reports);
  if (!known.answered(object)) {
    const from = `${originLabel(object, 'kind')}/${originLabel(object, 'name')}`;
    const message = `was rendered earlier from ${from}, which is not here, so it is an object like any other`;
    report({ code: 'earlier-elsewhere', message, path: [], severity: 'info' });
    return false;
  }
  if (doubtAbout(object, undefined, common) !== undefined) {
    const message = 'is no longer rendered, and is an object like any other: it was changed since it was rendered';
    const hint = `remove it, or its annotation ${RENDERED}`;
    report({ code: 'earlier-doubtful', message, path: [], severity: 'warning', hint });
    return false;
  }
  const message = `${titleOf(object)} is no longer rendered and was left out`;
  report({ code: 'earlier-removed', message, path: [], severity: 'info' });
  return true;
}

const plain = (input: InputObject): Entry => ({ input, role: 'other', rendered: [], passedThrough: false });
