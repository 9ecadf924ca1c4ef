import { DIGEST, KRO_LABEL, MANAGED_BY, RENDERED } from '../../core/model/keys.ts';
import {
  annotationOf,
  type Document,
  type GroupVersionKind,
  groupKind,
  groupVersionKind,
  isKubeObject,
  type KubeObject,
  nameOf,
} from '../../core/model/object.ts';
import { get, getAt, listOf, textAt } from '../../core/model/value.ts';
import { isInputProvider, isResourceSet } from '../../flux/index.ts';
import { isGraph } from '../../graph/index.ts';
import { addTrace } from '../../kro/admit/index.ts';
import { definedKind, isRgd, kindOfRgd } from '../../kro/definition/index.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { builtinKinds, pluralize } from '../../kubernetes/schema/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { isPolicyKind } from '../policies/index.ts';

/** The relation of a document to the others of its package. Kinds without a version are written `Kind.group`. */
export interface DocumentFacts {
  /** All of them as a text: a package whose documents have the same facts is divided in the same way. */
  key: string;
  /** The kinds that its RGDs define. */
  defines: readonly string[];
  /** The kinds that its CRDs describe. */
  describes: readonly string[];
  /** The kinds of its objects that are neither RGDs nor CRDs. */
  objects: readonly string[];
  /** The kinds of the templates and references of its RGDs. */
  templates: readonly string[];
  /** All of these kinds. */
  kinds: readonly string[];
  /** The kinds of its objects that Kubernetes does not have in their versions. */
  foreignObjects: readonly string[];
  /** The kinds of the templates and references of its RGDs that Kubernetes does not have in their versions. */
  foreignTemplates: readonly string[];
  /** The kinds of which it shows that their objects have to be rendered. */
  traces: readonly string[];
  /** The names of its RGDs, and of the CRDs that these generate: RGDs that share one are compared with each other. */
  names: readonly string[];
  /** It contains output of an earlier rendering, which is reported once for each file. */
  isOutput: boolean;
  /** It contains an object with the annotation of an earlier rendering. */
  isStamped: boolean;
  /** It may concern any object: a policy, a quota, a live object, or one of a front end other than kro's. */
  isForAll: boolean;
}

const known = new WeakMap<object, DocumentFacts>();

/** Returns the facts of a document; those of one parsed value are computed once. */
export function documentFacts(document: Document): DocumentFacts {
  const { object } = document;
  if (typeof object !== 'object' || object === null) return NONE;
  const before = known.get(object);
  if (before !== undefined) return before;
  const read = factsOf(document);
  const facts = { ...read, key: JSON.stringify(read) };
  known.set(object, facts);
  return facts;
}

const NONE: DocumentFacts = {
  key: '',
  defines: [],
  describes: [],
  objects: [],
  templates: [],
  kinds: [],
  foreignObjects: [],
  foreignTemplates: [],
  traces: [],
  names: [],
  isOutput: false,
  isStamped: false,
  isForAll: false,
};

function factsOf(document: Document): Omit<DocumentFacts, 'key'> {
  const objects = objectsIn([document]).map(({ object }) => object);
  const rgds = objects.filter((object) => roleOf(object) === 'other' && isRgd(object));
  const crds = objects.filter((object) => roleOf(object) === 'crd');
  const others = objects.filter((object) => !rgds.includes(object) && !crds.includes(object));
  const templates = rgds.flatMap(templateKinds);
  const written = others.map(groupVersionKind);
  const names = {
    defines: rgds.map(definedKind),
    describes: crds.map(describedKind),
    objects: written.map(groupKind),
    templates: templates.map(groupKind),
    traces: objects.flatMap(tracedKinds),
  };
  return {
    ...names,
    kinds: [...new Set(Object.values(names).flat())],
    foreignObjects: written.filter(isForeign).map(groupKind),
    foreignTemplates: templates.filter(isForeign).map(groupKind),
    names: rgds.flatMap((rgd) => [`RGD ${nameOf(rgd)}`, `CRD ${crdNameOf(rgd)}`]),
    isOutput: others.some(isOutput),
    isStamped: objects.some(isStamped),
    isForAll: objects.some(isForAll) || templates.some(isForAllKind),
  };
}

const isForeign = (kind: GroupVersionKind): boolean => builtinKinds.find(kind) === undefined;

const isStamped = (object: KubeObject): boolean =>
  annotationOf(object, RENDERED) !== undefined || annotationOf(object, DIGEST) !== undefined;

function templateKinds(rgd: KubeObject): GroupVersionKind[] {
  return listOf(getAt(rgd, ['spec', 'resources'])).flatMap((resource) =>
    [get(resource, 'template'), get(resource, 'externalRef')].flatMap((template) =>
      isKubeObject(template) ? groupVersionKind(template) : [],
    ),
  );
}

function describedKind(crd: KubeObject): string {
  const kind = String(getAt(crd, ['spec', 'names', 'kind']) ?? '');
  return groupKind({ kind, group: String(getAt(crd, ['spec', 'group']) ?? '') });
}

function tracedKinds(object: KubeObject): string[] {
  const traces = new Map();
  if (!isRgd(object)) addTrace(object, '', traces);
  return [...traces.keys()];
}

/** The name of the CRD of an RGD, as far as another RGD may take it. */
function crdNameOf(rgd: KubeObject): string {
  const { kind, group } = kindOfRgd(rgd);
  const plural = textAt(getAt(rgd, ['spec', 'schema']) ?? null, 'plural');
  return `${plural || pluralize(kind.toLowerCase())}.${group}`;
}

const isOutput = (object: KubeObject): boolean =>
  getAt(object, ['metadata', 'labels', MANAGED_BY]) !== undefined ||
  getAt(object, ['metadata', 'labels', KRO_LABEL.instanceId]) !== undefined;

const isForAll = (object: KubeObject): boolean =>
  roleOf(object) === 'observed' ||
  isResourceSet(object) ||
  isInputProvider(object) ||
  isGraph(object) ||
  isForAllKind(groupVersionKind(object));

const FOR_ALL: ReadonlySet<string> = new Set([
  'ResourceQuota.',
  'ResourceSet.fluxcd.controlplane.io',
  'ResourceSetInputProvider.fluxcd.controlplane.io',
  'Graph.kro.run',
]);

/** Reports whether the objects of a kind may concern any other, also those that an RGD renders. */
const isForAllKind = (kind: GroupVersionKind): boolean => isPolicyKind(kind) || FOR_ALL.has(groupKind(kind));
