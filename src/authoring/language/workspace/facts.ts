import { Collector } from '../../../core/diagnostics/index.ts';
import {
  type Document,
  groupKind,
  groupVersionKind,
  isKubeObject,
  type KubeObject,
} from '../../../core/model/object.ts';
import { getAt, isMap, type Value } from '../../../core/model/value.ts';
import { isInputProvider, isResourceSet } from '../../../flux/index.ts';
import { definedKind, isRgd } from '../../../kro/definition/index.ts';
import { roleOf } from '../../../kubernetes/front-end/index.ts';
import { FUNCTION_CONFIG } from '../../../render/options/index.ts';
import { flattenObjects } from '../../../yaml/parse/index.ts';
import { type DocumentTree, treeValue } from '../../../yaml/tree/index.ts';
import { type DefinitionOverride, definitionOverridesOf } from './definition-overrides.ts';

/** The relation of a file to its workspace. */
export interface Facts {
  /** The kinds that it defines, as `Kind.group`. */
  defines: ReadonlySet<string>;
  /** The kinds of its objects, and those that its RGDs render and read. */
  uses: ReadonlySet<string>;
  /** The kinds of its own objects only. */
  kinds: ReadonlySet<string>;
  /** It contains an RGD, a ResourceSet, a provider or a functionConfig, whatever kinds the workspace defines. */
  isOurs: boolean;
  /** Its RGDs, including incomplete ones: the kind of each, and its document. */
  rgds: readonly { kind: string; document: number }[];
  /** It contains only the expectation of a test. */
  isTest: boolean;
  /** The locations of definitions that it defines for packages. */
  overrides: readonly DefinitionOverride[];
}

/** A file with its content. */
export interface FileText {
  uri: string;
  text: string;
  trees: readonly DocumentTree[];
  read: { documents: readonly Document[]; carried: ReadonlyMap<number, Document> };
}

/** Matches the probable kind of a document that does not parse. */
const OURS =
  /^[ \t]*["']?(?:kind["']?: *["']?(?:ResourceGraphDefinition|ResourceSet|ResourceSetInputProvider|RenderRGD)\b|apiVersion["']?: *["']?(?:kro\.run|fluxcd\.controlplane\.io)\/)/m;

export function factsOf(file: FileText): Facts {
  const { documents, carried } = file.read;
  const objects = objectsOf([...documents, ...carried.values()]);
  const defines = new Set(objects.flatMap(definedBy));
  const kinds = new Set(objects.map((one) => groupKind(groupVersionKind(one))));
  const uses = new Set([...kinds, ...objects.flatMap(usedBy)]);
  return {
    defines,
    uses,
    kinds,
    rgds: OURS.test(file.text) ? rgdsIn(file) : [],
    isOurs: OURS.test(file.text) || objects.some(isOurs),
    isTest: isTestFile(file.uri),
    overrides: definitionOverridesOf(file.uri, documents, objects),
  };
}

/** Those of valid documents, and of others as far as possible. */
function rgdsIn({ text, trees, read }: FileText): Facts['rgds'] {
  const good = new Map(read.documents.map(({ object, source }) => [source?.document, object]));
  return trees.flatMap((tree) => {
    const object = good.get(tree.index) ?? rgdIn(text, tree);
    return isKubeObject(object) && isRgd(object) ? [{ kind: definedKind(object), document: tree.index }] : [];
  });
}

/** Returns the RGD in a document, complete or not. Others, which may be long, are not read. */
export function rgdIn(text: string, tree: DocumentTree): KubeObject | undefined {
  if (!text.slice(tree.start, tree.end).includes('ResourceGraphDefinition')) return undefined;
  const value = treeValue(text, tree.root);
  return isKubeObject(value) && isRgd(value) ? value : undefined;
}

/** Returns the objects of documents, lists flattened. */
const objectsOf = (documents: readonly Document[]): KubeObject[] =>
  flattenObjects(documents, new Collector()).map(({ object }) => object);

const isOurs = (object: KubeObject): boolean =>
  isRgd(object) ||
  isResourceSet(object) ||
  isInputProvider(object) ||
  (object.apiVersion === FUNCTION_CONFIG.apiVersion && object.kind === FUNCTION_CONFIG.kind);

function definedBy(object: KubeObject): string[] {
  if (isRgd(object)) return [definedKind(object)];
  if (roleOf(object) !== 'crd') return [];
  const kind = getAt(object, ['spec', 'names', 'kind']);
  const group = getAt(object, ['spec', 'group']);
  return typeof kind === 'string' && typeof group === 'string' ? [groupKind({ kind, group })] : [];
}

/** Returns the kinds of the templates and references of an RGD, and those of the templates of a ResourceSet. */
function usedBy(object: KubeObject): string[] {
  const resources = isRgd(object) || isResourceSet(object) ? getAt(object, ['spec', 'resources']) : undefined;
  if (!Array.isArray(resources)) return [];
  if (isResourceSet(object)) return resources.flatMap(kindOf);
  return resources.flatMap((resource) =>
    ['template', 'externalRef'].flatMap((part) => kindOf(getAt(resource, [part]))),
  );
}

function kindOf(object: Value | undefined): string[] {
  if (!isMap(object) || typeof object.apiVersion !== 'string' || typeof object.kind !== 'string') return [];
  return [groupKind(groupVersionKind({ apiVersion: object.apiVersion, kind: object.kind }))];
}

/** Reports whether a file of a golden test contains the expectation or the settings. */
const isTestFile = (uri: string): boolean => /\/(?:test|expected|expected-diagnostics|observed)\.yaml$/.test(uri);
