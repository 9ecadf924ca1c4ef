import { type Collector, reporterFor } from '../diagnostics/index.ts';
import { isPassthrough } from '../model/mode.ts';
import { groupVersionKind, type InputObject, type KubeObject } from '../model/object.ts';
import { getAt } from '../model/value.ts';
import { definedKind, groupKind, isRgd } from '../rgd/definition/index.ts';
import { isForCluster, isLocalConfig } from '../select/index.ts';
import type { Examined } from './examined.ts';

const PIPE = 'or pipe what it prints into render-rgd render - --all';

/** Reports each RGD and instance that would reach a cluster. Yields how many objects would, and were rendered. */
export function reportUnrendered(
  { objects, definitions, onPending }: Examined,
  reports: Collector,
): { all: number; rendered: number } {
  const all = objects.filter((input) => isForCluster({ role: 'other', input })).length;
  const rendered = objects.filter(({ object }) => wasRendered(object)).length;
  if (all === 0) {
    const hint = 'the command before the pipe may have failed';
    reports.add({ code: 'empty-output', message: 'there is no object to look at', path: [], hint });
  }
  const rgds = objects.filter(({ object }) => isRgd(object));
  const kinds = new Set([...rgds, ...definitions].map(({ object }) => definedKind(object)));
  const left = objects.filter(({ object }) => isSource(object, kinds) && !isLocalConfig(object));
  const asked = left.filter(({ object }) => isPassedThrough(object, rgds));
  const allowed = rendered > 0 && onPending === 'passthrough';
  let hint: string | undefined = hintFor(objects, rendered);
  for (const input of left) {
    if (allowed || asked.includes(input) || (asked.length > 0 && isRgd(input.object))) continue;
    const message = 'was not rendered';
    const problem = { code: 'not-rendered' as const, message, path: [] };
    reporterFor(input, reports).report(hint === undefined ? problem : { ...problem, hint });
    hint = undefined;
  }
  return { all, rendered };
}

/** What rendering starts from: an RGD, an object of a kind that one defines, or of kro's own group. */
function isSource(object: KubeObject, kinds: ReadonlySet<string>): boolean {
  const gvk = groupVersionKind(object);
  return gvk.group === 'kro.run' || isRgd(object) || kinds.has(groupKind(gvk));
}

const wasRendered = (object: KubeObject): boolean =>
  getAt(object, ['metadata', 'labels', 'app.kubernetes.io/managed-by']) === 'render-rgd' &&
  getAt(object, ['metadata', 'labels', 'kro.run/owned']) === 'true';

/** Whether an object, or the RGD of its kind, asks to be left to a kro controller. */
function isPassedThrough(object: KubeObject, rgds: readonly InputObject[]): boolean {
  const own = groupKind(groupVersionKind(object));
  const all = [object, ...rgds.filter((rgd) => definedKind(rgd.object) === own).map((rgd) => rgd.object)];
  return all.some(isPassthrough);
}

/** Why it happened, as far as the objects tell. */
function hintFor(objects: readonly InputObject[], rendered: number): string {
  if (objects.some(({ object }) => groupVersionKind(object).group === 'kpt.dev')) {
    return 'run kpt fn render --allow-exec, with render-rgd among the mutators of the Kptfile';
  }
  if (rendered > 0) {
    return `other objects are rendered, so the function ran: list it as a transformer in the layer of these too, ${PIPE}`;
  }
  if (objects.some(({ source }) => source?.file !== '-')) return 'render-rgd render PATH prints what is made of them';
  return (
    'kustomize skips exec functions without an error when --enable-exec is not beside --enable-alpha-plugins, and ' +
    `kubectl kustomize does not know that flag: use kustomize build with both, ${PIPE}`
  );
}
