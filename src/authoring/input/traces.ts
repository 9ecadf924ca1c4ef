import { Collector } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, type InputObject } from '../../core/model/object.ts';
import type { RenderInput, Trace } from '../../core/model/render.ts';
import { getAt } from '../../core/model/value.ts';
import { isResourceSet } from '../../flux/index.ts';
import { addTrace, isOfProject } from '../../kro/admit/index.ts';
import { isRgd, outlineOf } from '../../kro/definition/index.ts';
import { builtinKinds } from '../../kubernetes/schema/index.ts';
import { objectsIn, readStreams, type TextStream } from '../../yaml/parse/index.ts';

/**
 * Returns the input with what shows, in the texts around it, that objects of its kinds have to be rendered: an RGD that
 * is not part of the input, its CRD, or rendered objects. Reads nothing if an RGD or a schema is known for every kind.
 */
export function withTracesIn(input: RenderInput, around: () => Iterable<TextStream>): RenderInput {
  const wanted = kindsWithoutRgd(input);
  if (wanted.size === 0) return input;
  const names = [...wanted].map((kind) => kind.slice(0, kind.indexOf('.')));
  const traces = new Map<string, Trace>();
  for (const { file, text } of around()) {
    if (!SIGNS.test(text) || !names.some((name) => text.includes(name))) continue;
    for (const { object } of objectsIn(readStreams([{ file, text }], new Collector()))) {
      addTrace(object, `in ${file}`, traces, isRgd(object) ? `read it with definitions: ${file}` : undefined);
    }
  }
  const found = [...traces].filter(([kind]) => wanted.has(kind));
  return found.length === 0 ? input : { ...input, traces: new Map([...(input.traces ?? []), ...found]) };
}

const SIGNS = /ResourceGraphDefinition|kro\.run\/(?:instance-kind|owned|resource-graph-definition)/;

/** Returns the kinds, as `Kind.group`, of objects and templates that no RGD of the input and no built-in type defines. */
function kindsWithoutRgd({ objects, definitions = [] }: RenderInput): Set<string> {
  const own = objectsIn(objects);
  const defined = new Set<string>();
  const kinds = new Set<string>();
  for (const { object } of [...own, ...objectsIn(definitions)]) {
    if (!isRgd(object)) continue;
    const { kind, group, nodes } = outlineOf(object);
    defined.add(groupKind({ kind, group }));
    for (const node of nodes) addKind({ ...node, version: '' }, kinds);
  }
  for (const { object } of own) {
    addKind(groupVersionKind(object), kinds);
    if (isResourceSet(object)) for (const kind of templateKinds(object)) addKind(kind, kinds);
  }
  return new Set([...kinds].filter((kind) => !defined.has(kind)));
}

const templateKinds = (object: InputObject['object']) => {
  const resources = getAt(object, ['spec', 'resources']);
  return (Array.isArray(resources) ? resources : []).map((one) => {
    const [apiVersion, kind] = ['apiVersion', 'kind'].map((key) => String(getAt(one, [key]) ?? ''));
    return groupVersionKind({ apiVersion: apiVersion ?? '', kind: kind ?? '' });
  });
};

function addKind(gvk: ReturnType<typeof groupVersionKind>, kinds: Set<string>): void {
  if (!gvk.group.includes('.') || isOfProject(gvk.group) || gvk.group.endsWith('.k8s.io')) return;
  if (builtinKinds.find(gvk) === undefined) kinds.add(groupKind(gvk));
}
