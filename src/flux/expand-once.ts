import { type Collector, type Report, reportAgain } from '../core/diagnostics/index.ts';
import type { InputObject, KubeObject } from '../core/model/object.ts';
import type { RenderOptions } from '../core/model/render.ts';
import { getAt } from '../core/model/value.ts';
import type { TemplateCost } from '../languages/gotemplate/index.ts';
import { type ExpandedSet, expandSet, type ResourceSetContext } from './expand.ts';
import { RenderBudget } from './render/templates.ts';

/** The last rendering of a ResourceSet, and its cost. */
interface Cached {
  expanded: ExpandedSet;
  reports: readonly Report[];
  options: RenderOptions;
  isNamedFile: boolean;
  cost: TemplateCost;
}

/**
 * The last rendering of each ResourceSet that reads no other objects, by the parsed object, which is never changed. Two
 * versions of a package share such objects.
 */
const cache = new WeakMap<KubeObject, Cached>();

export const renderBudget = (options: RenderOptions): RenderBudget => new RenderBudget(options);

/** Renders a ResourceSet, or returns the cached rendering if it cannot have changed. */
export function expandSetOnce(
  input: InputObject,
  around: ResourceSetContext,
  options: RenderOptions,
  reports: Collector,
): ExpandedSet {
  const { meter } = around.budget;
  // After earlier errors, its own may have been cut off.
  if (!readsOnlyItself(input, around) || reports.hasErrors) return expandSet(input, around, options, reports);
  const known = cache.get(input.object);
  const isSame = known?.options === options && known.isNamedFile === around.isNamedFile;
  if (known !== undefined && isSame && meter.replay(known.cost)) {
    reportAgain(known.reports, input, reports);
    return { ...known.expanded, input };
  }
  const before = meter.state;
  const own = reports.part();
  const expanded = expandSet(input, around, options, own);
  const isWithin = meter.steps.left >= 0 && meter.bytes.left >= 0;
  // Other locations are in the text that was read then.
  if (isWithin && own.all.every(({ related }) => related === undefined)) {
    const { isNamedFile } = around;
    cache.set(input.object, { expanded, reports: own.all, options, isNamedFile, cost: meter.costSince(before) });
  }
  return expanded;
}

function readsOnlyItself({ object, secret }: InputObject, { inputs }: ResourceSetContext): boolean {
  const from = getAt(object, ['spec', 'inputsFrom']);
  return (
    inputs === undefined && secret === undefined && (from === undefined || (Array.isArray(from) && from.length === 0))
  );
}
