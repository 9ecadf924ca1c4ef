import {
  type Collector,
  composeText,
  counted,
  phrase,
  reporterFor,
  type Text,
  told,
} from '../../core/diagnostics/index.ts';
import { KRO_LABEL, MANAGED_BY } from '../../core/model/keys.ts';
import { groupKind, groupKindOf, type InputObject, isPassthrough, type KubeObject } from '../../core/model/object.ts';
import type { OnPending } from '../../core/model/render.ts';
import { get, getAt, isMap } from '../../core/model/value.ts';
import { isResourceSet } from '../../flux/index.ts';
import { definedKind, isRgd } from '../../kro/definition/index.ts';
import { ownerOf } from '../../kubernetes/label/index.ts';
import { isForCluster, isLocalConfig } from '../../kubernetes/select/index.ts';
import type { TextStream } from '../../yaml/parse/index.ts';

export const PIPE = 'or pipe what it prints into render-rgd render - --all';

interface RenderedCount {
  /** The objects that would reach a cluster. */
  all: number;
  rendered: number;
}

/** Reports each RGD and instance that would reach a cluster. Returns how many objects would, and were rendered. */
export function reportUnrendered({ objects, definitions, onPending }: Examined, reports: Collector): RenderedCount {
  const all = objects.filter((input) => isForCluster({ role: 'other', input })).length;
  const rendered = objects.filter(({ object }) => wasRendered(object)).length;
  if (all === 0) {
    const hint = composeText`the command before the pipe may have failed`;
    reports.add({ code: 'empty-output', message: composeText`no objects found`, path: [], hint });
  }
  const { left, asked } = sourcesOf(objects, definitions);
  const allowed = rendered > 0 && onPending === 'passthrough';
  let hint: Text | undefined = hintFor(objects, rendered);
  for (const input of left) {
    if (allowed || asked.has(input) || (asked.size > 0 && isRgd(input.object))) continue;
    const message = phrase`was not rendered`;
    const problem = { code: 'not-rendered' as const, message, path: [] };
    reporterFor(input, reports).report(hint === undefined ? problem : { ...problem, hint: phrase`${hint}` });
    hint = undefined;
  }
  if (all > 0 && rendered === 0 && left.length === 0) {
    const message = told`nothing was rendered: none of ${counted(all, 'object')} has the labels of a rendered one`;
    reports.add({ code: 'not-rendered', ...message, path: [], hint: hintFor(objects, rendered) });
  }
  return { all, rendered };
}

interface Sources {
  /** RGDs, instances and ResourceSets that were not rendered. */
  left: InputObject[];
  /** Those of them that are left to a controller on request. */
  asked: ReadonlySet<InputObject>;
}

/** Returns the objects to be rendered, and those that are left to a kro controller. */
export function sourcesOf(objects: readonly InputObject[], definitions: readonly InputObject[]): Sources {
  const rgds = objects.filter(({ object }) => isRgd(object));
  const kinds = new Set([
    ...[...rgds, ...definitions].map(({ object }) => definedKind(object)),
    ...objects.flatMap(({ object }) => instanceKind(object) ?? []),
  ]);
  const left = objects.filter(({ object }) => isSource(object, kinds) && !isLocalConfig(object));
  const passedThrough = new Set(rgds.flatMap(({ object }) => (isPassthrough(object) ? definedKind(object) : [])));
  // An object is left to a kro controller, or the RGD of its kind is.
  const isAsked = ({ object }: InputObject): boolean => isPassthrough(object) || passedThrough.has(groupKindOf(object));
  return { left, asked: new Set(left.filter(isAsked)) };
}

/** Reports whether an object is to be rendered: an RGD, an object of a kind that one defines, or of kro's own group. */
function isSource(object: KubeObject, kinds: ReadonlySet<string>): boolean {
  const isOfKro = object.apiVersion.startsWith('kro.run/');
  return isOfKro || isResourceSet(object) || isRgd(object) || kinds.has(groupKindOf(object));
}

function instanceKind(object: KubeObject): string | undefined {
  const [kind, group] = [KRO_LABEL.instanceKind, KRO_LABEL.instanceGroup].map((label) =>
    getAt(object, ['metadata', 'labels', label]),
  );
  return wasRendered(object) && typeof kind === 'string' && typeof group === 'string'
    ? groupKind({ kind, group })
    : undefined;
}

function wasRendered(object: KubeObject): boolean {
  const labels = getAt(object, ['metadata', 'labels']);
  // The Flux operator writes the same labels, so they do not affect other checks.
  if (isMap(labels) && ownerOf(labels) !== undefined) return true;
  // Others replace `managed-by`, as kustomize does with buildMetadata; only kro writes its own name.
  return get(labels, KRO_LABEL.owned) === 'true' && get(labels, MANAGED_BY) !== 'kro';
}

function hintFor(objects: readonly InputObject[], rendered: number): Text {
  if (objects.some(({ object }) => object.apiVersion.startsWith('kpt.dev/'))) {
    return composeText`run kpt fn render --allow-exec, with render-rgd among the mutators of the Kptfile`;
  }
  if (rendered > 0) {
    return composeText`other objects are rendered, so the function ran: list it as a transformer in the layer of these too, ${PIPE}`;
  }
  if (objects.some(({ source }) => source?.file !== '-'))
    return composeText`render-rgd render PATH prints what is made of them`;
  return composeText`kustomize skips exec functions without an error when --enable-exec is not beside --enable-alpha-plugins, and kubectl kustomize does not know that flag: use kustomize build with both, ${PIPE}`;
}

export interface Examined {
  streams: readonly TextStream[];
  objects: readonly InputObject[];
  definitions: readonly InputObject[];
  onPending: OnPending;
}
