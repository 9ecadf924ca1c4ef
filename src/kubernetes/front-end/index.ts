import {
  advise,
  askFor,
  type Collector,
  phrase,
  quotedHint,
  renameTo,
  reporterFor,
  shown,
} from '../../core/diagnostics/index.ts';
import { withoutBookkeeping } from '../../core/model/bookkeeping.ts';
import { MODE } from '../../core/model/keys.ts';
import { getOrCompute, lazily } from '../../core/model/lazily.ts';
import { MAX_RENDER_DEPTH } from '../../core/model/limits.ts';
import {
  annotationOf,
  type Document,
  groupVersionKind,
  type InputObject,
  isObserved,
  isPassthrough,
  type KubeObject,
} from '../../core/model/object.ts';
import type { Rendered, RenderInput } from '../../core/model/render.ts';
import { contentText, equal, getAt, type Path } from '../../core/model/value.ts';
import { nearest } from '../../core/text/nearest.ts';
import { flattenObjects } from '../../yaml/parse/index.ts';
import type { Api, FrontEnd, Package } from './front-end.ts';

/** The interface of a template language: kro's RGDs and Flux ResourceSets implement it. */

export { absentIn, isAbsent } from './absent.ts';
export * from './front-end.ts';

/** Returns the front ends with a replacement for the one of the same name. */
export const withFrontEnd = (other: FrontEnd, all: readonly FrontEnd[]): readonly FrontEnd[] =>
  all.map((one) => (one.name === other.name ? other : one));

type OneRendered = Pick<Rendered, 'object' | 'template'>;

/** Returns a function that converts rendered objects to inputs with the location of their template. */
export function renderedInputs(from: InputObject): (one: OneRendered, secret: InputObject['secret']) => InputObject {
  const sources = new Map<OneRendered['template'], InputObject['source']>();
  const sourceOf = (template: OneRendered['template']): InputObject['source'] =>
    getOrCompute(sources, template, () => {
      const { source } = template?.input ?? from;
      return source && { ...source, path: [...source.path, ...(template?.path ?? [])] };
    });
  return ({ object, template }, secret) => {
    return { object, source: sourceOf(template), secret };
  };
}

/** What an object is for any front end: a CRD, a live object, or one of the package. */
export type ObjectRole = 'crd' | 'observed' | 'other';

/** Returns the role of an object, for any front end. Live objects supply values and are never rendered. */
export function roleOf(object: KubeObject): ObjectRole {
  if (isObserved(object)) return 'observed';
  const { group, version, kind } = groupVersionKind(object);
  const isCrd = group === 'apiextensions.k8s.io' && version === 'v1' && kind === 'CustomResourceDefinition';
  return isCrd ? 'crd' : 'other';
}

/** Removes repeated inputs: the same file can be given twice. Annotations of runners make no difference. */
export function distinct(inputs: readonly InputObject[]): InputObject[] {
  const first = new Map<string, KubeObject>();
  const others = new Set<string>();
  return inputs.filter(({ object }) => {
    const identity = identityText(object);
    const known = first.get(identity);
    if (known === undefined) {
      first.set(identity, object);
      return true;
    }
    if (areDuplicates(known, object)) return false;
    const content = contentOf(object);
    if (others.has(content)) return false;
    others.add(content);
    return true;
  });
}

/** Metadata may have the wrong type. */
const identityText = (object: KubeObject): string => contentText(IDENTITY.map((path) => getAt(object, path) ?? null));
const IDENTITY: readonly Path[] = [['apiVersion'], ['kind'], ['metadata', 'name'], ['metadata', 'namespace']];

/** The mode of an object is a difference. */
const areDuplicates = (one: KubeObject, other: KubeObject): boolean =>
  equal(withoutBookkeeping(one), withoutBookkeeping(other)) && annotationOf(one, MODE) === annotationOf(other, MODE);

/** Returns a text that duplicates share. */
const contentOf = (object: KubeObject): string =>
  contentText([withoutBookkeeping(object), annotationOf(object, MODE) ?? null]);

/** Reports whether nothing renders an object, and no controller is to. */
const isOrdinary = (object: KubeObject, frontEnds: readonly FrontEnd[]): boolean =>
  !isPassthrough(object) && roleOf(object) === 'other' && !frontEnds.some((one) => one.takes(object));

/**
 * Reports near misses of a front end: an unsupported version, a misspelled group or kind. They would be ordinary
 * objects. Those that are left to a controller, or whose kind an object among `known` defines, are not reported.
 */
export function reportNotKnown(
  objects: readonly InputObject[],
  known: readonly InputObject[],
  frontEnds: readonly FrontEnd[],
  reports: Collector,
): void {
  const described = lazily(() => describedKinds(known, frontEnds));
  const apis = frontEnds.flatMap((one) => one.apis);
  for (const input of objects) {
    const { group, version, kind } = groupVersionKind(input.object);
    for (const api of apis) {
      const renamed = group === api.group ? api.renamed?.(input.object) : undefined;
      const intended = renamed?.kind ?? suggestKind(api, group, kind);
      if (intended === undefined || !isOrdinary(input.object, frontEnds)) continue;
      if (described().has(`${kind}.${group}`)) continue;
      const path = [kind === intended ? 'apiVersion' : 'kind'];
      if (renamed !== undefined) {
        const message = phrase`${{ since: shown(renamed.since) }} renamed ${{ kind }} to ${{ expected: shown(renamed.kind) }}; nothing is rendered from it`;
        const hint = advise(phrase`write kind: ${shown(renamed.kind)}`, renameTo(shown(renamed.kind)));
        reporterFor(input, reports).report({ code: api.code, message, path, hint });
        continue;
      }
      const isVersion = kind === intended && group === api.group;
      const message = isVersion
        ? phrase`the version '${{ version }}' of ${{ kind: intended }} is not known`
        : phrase`${{ apiVersion: input.object.apiVersion }} ${{ kind }} is not known, and nothing is rendered from it`;
      const hint = quotedHint(askFor([kind === intended ? api.apiVersion : intended]));
      reporterFor(input, reports).report({ code: api.code, message, path, hint });
    }
  }
}

/** Returns the kinds, with their groups, that CRDs and objects of front ends define. */
function describedKinds(known: readonly InputObject[], frontEnds: readonly FrontEnd[]): Set<string> {
  const described = new Set<string>();
  for (const { object } of known) {
    if (roleOf(object) !== 'crd') continue;
    described.add(`${getAt(object, ['spec', 'names', 'kind'])}.${getAt(object, ['spec', 'group'])}`);
  }
  const defined = frontEnds.flatMap((one) => one.kindsIn(known.map(({ object }) => object)));
  for (const { kind, group } of defined) described.add(`${kind}.${group}`);
  return described;
}

/** Returns the kind of an API that an object was intended to be; `undefined` if it is that kind, or something else. */
function suggestKind(api: Api, group: string, kind: string): string | undefined {
  if (group === api.group) {
    if (api.kinds.includes(kind)) return api.oneVersion ? kind : undefined;
    return nearest(kind, api.kinds, 1)[0];
  }
  return api.kinds.includes(kind) && api.takesGroup(group) ? kind : undefined;
}

/** Reads a package. Reports objects whose apiVersion, kind or metadata has the wrong type, and near misses. */
export function readPackage(input: RenderInput, frontEnds: readonly FrontEnd[], reports: Collector): Package {
  const coerced = (document: Document): Document =>
    frontEnds.reduce((one, { coerce }) => coerce?.(one) ?? one, document);
  const objects = flattenObjects(input.objects.map(coerced), reports);
  const beside = flattenObjects((input.definitions ?? []).map(coerced), reports);
  const all = [...objects, ...beside];
  reportNotKnown(all, all, frontEnds, reports);
  return { objects, beside, observed: flattenObjects(input.observed ?? [], reports) };
}

export function reportTooDeep(input: InputObject, reports: Collector): void {
  const message = phrase`ResourceSets and RGDs render one another more than ${{ limit: shown(MAX_RENDER_DEPTH) }} deep`;
  reporterFor(input, reports).report({ code: 'nesting-too-deep', message, path: [] });
}
