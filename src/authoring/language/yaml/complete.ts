import words from '../../../../data/simpleschema.json';
import {
  apiVersionOf,
  type GroupVersionKind,
  groupKind,
  groupVersionKind,
  isKubeObject,
  nameOf,
} from '../../../core/model/object.ts';
import { GROUP, PROVIDER, SET } from '../../../core/model/resource-set.ts';
import { get, getAt, isMap, type Path, type Value } from '../../../core/model/value.ts';
import { markerNames } from '../../../kro/simpleschema/index.ts';
import { builtinKinds, readKindName, type Schema } from '../../../kubernetes/schema/index.ts';
import { FUNCTION_CONFIG } from '../../../render/options/index.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { treeValue } from '../../../yaml/tree/index.ts';
import { typeName } from '../../sample/index.ts';
import { type Proposal, type Proposals, proposal } from '../cel/complete.ts';
import type { Checked } from '../workspace/check.ts';
import type { WritingContext } from './context.ts';
import { inNode, isRgdDocument, schemaAt, schemaType } from './schema.ts';

/** Completes at a position outside of expressions. */
export function completeYaml(context: WritingContext, checked: Checked | undefined): Proposals | undefined {
  const root = treeValue(context.text, context.tree.root);
  const isRgd = isRgdDocument(root);
  if (context.what === 'key') {
    const fields = keys(context, schemaAt(root, context.path, checked));
    const values = context.isItem ? valuesOf(context, schemaAt(root, context.path, checked)) : [];
    return { start: context.start, end: context.end, proposals: [...fields, ...values] };
  }
  if (isRgd && isSimpleSchema(context.path)) return simpleSchema(context, root);
  const special = isRgd ? rgdValues(context, root, checked) : documentValues(context, root, checked);
  const proposals = special ?? valuesOf(context, schemaAt(root, context.path, checked));
  return { start: context.start, end: context.end, proposals };
}

function keys({ siblings, hasColon }: WritingContext, schema: Schema | undefined): Proposal[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => {
    if (siblings.includes(name)) return [];
    const type = schemaType(field);
    const required = schema?.required?.includes(name) ?? false;
    const nested = type === 'object' || type === 'array';
    const text = hasColon ? name : nested ? `${name}:` : `${name}: `;
    const detail = `${shownType(field)}${required ? ', required' : ''}${field.default === undefined ? '' : `, default ${toJsonText(field.default)}`}`;
    return [proposal('field', name, detail, required ? 0 : name === 'status' ? 3 : 1, { text, schema: field })];
  });
}

const shownType = (field: Schema): string =>
  typeof field.type === 'string' ? typeName(field) : (schemaType(field) ?? 'anything');

const plain = (label: string, detail: string, rank = 1): Proposal => proposal('value', label, detail, rank);

function valuesOf({ path }: Pick<WritingContext, 'path'>, schema: Schema | undefined): Proposal[] {
  if (schema === undefined) return [];
  const shown = (value: Value): string => (typeof value === 'string' ? asPlain(value) : toJsonText(value));
  const fixed = (schema as { const?: Value }).const;
  const values = [
    ...(fixed === undefined ? [] : [plain(shown(fixed), '', 0)]),
    ...(schema.default === undefined || isMap(schema.default) || Array.isArray(schema.default)
      ? []
      : [plain(shown(schema.default), 'default', 0)]),
    ...(schema.enum ?? []).map((value) => plain(shown(value), String(path.at(-1) ?? ''))),
    ...(schemaType(schema) === 'boolean' ? ['true', 'false'].map((word) => plain(word, 'boolean')) : []),
  ];
  return values.filter(unique);
}

/** Returns a text as YAML, quoted if necessary. */
const asPlain = (text: string): string =>
  /^[A-Za-z][\w./-]*$/.test(text) && !/^(?:true|false|yes|no|on|off|null|[yn])$/i.test(text)
    ? text
    : JSON.stringify(text);

const isSimpleSchema = (path: Path): boolean =>
  path[0] === 'spec' && path[1] === 'schema' && (path[2] === 'spec' || path[2] === 'types') && path.length > 3;

const TYPES = ['string', 'integer', 'float', 'boolean', 'object'];

/** Completes types before the first `|`, and markers after it. */
function simpleSchema({ prefix, start, end }: WritingContext, root: Value): Proposals {
  const bar = prefix.indexOf('|');
  if (bar < 0) {
    const wrapper = /^(?:\[\]|map\[string\])*/.exec(prefix.trimStart())?.[0] ?? '';
    const custom = Object.keys(mapAt(root, ['spec', 'schema', 'types']));
    const types = [
      ...TYPES.map((type) => plain(type, 'type', 0)),
      ...custom.map((type) => plain(type, 'custom type', 1)),
    ];
    const wrappers = ['[]', 'map[string]'].map((type) => plain(type, type === '[]' ? 'list of' : 'map of', 2));
    return { start: start + wrapper.length, end, proposals: [...types, ...wrappers] };
  }
  const word = /[A-Za-z]*$/.exec(prefix)?.[0] ?? '';
  const used = new Set([...prefix.matchAll(/([A-Za-z]+)=/g)].map(([, name]) => name));
  const proposals = markerNames
    .filter((name) => !used.has(name))
    .map((name) => {
      const text = words.snippets[name];
      return proposal('keyword', name, 'marker', 1, { text, isSnippet: text.includes('$') });
    });
  return {
    start: start + prefix.length - word.length,
    end: start + prefix.length,
    proposals: /=[^\s]*$/.test(prefix) ? [] : proposals,
  };
}

const mapAt = (root: Value, path: Path): Record<string, Value> => {
  const value = getAt(root, path);
  return isMap(value) ? value : {};
};

/** Completes values of an RGD without a schema: kinds and names. */
function rgdValues({ path }: WritingContext, root: Value, checked: Checked | undefined): Proposal[] | undefined {
  const isTop = path.length === 1;
  if (isTop && path[0] === 'kind') return [plain('ResourceGraphDefinition', 'kro.run/v1alpha1', 0)];
  if (path[0] !== 'spec' || path[1] !== 'resources' || typeof path[2] !== 'number') return undefined;
  const part = path[3];
  if (part === 'id') return idProposals(getAt(root, path.slice(0, 3)));
  if (part !== 'template' && part !== 'externalRef') return undefined;
  const object = getAt(root, path.slice(0, 4));
  if (path.length === 5 && isOfKind(path[4])) return kindProposals(path[4], object, checked);
  if (part === 'externalRef' && path[4] === 'metadata') return referenceProposals(object, path[5], checked);
  return undefined;
}

const OWN_KINDS = [
  { apiVersion: 'kro.run/v1alpha1', kind: 'ResourceGraphDefinition' },
  { apiVersion: 'kro.run/v1alpha1', kind: 'Graph' },
  ...[SET, PROVIDER].map((kind) => ({ apiVersion: `${GROUP}/v1`, kind })),
  FUNCTION_CONFIG,
];

/** Completes the kind and the apiVersion of a document, each by what is written of the other. */
function documentValues({ path }: WritingContext, root: Value, checked: Checked | undefined): Proposal[] | undefined {
  const inside = inNode(root, path);
  const [part = '', field] = inside;
  if (inside !== path && inside.length === 2 && ['template', 'ref', 'patch'].includes(String(part))) {
    if (isOfKind(field)) return kindProposals(field, getAt(root, path.slice(0, -1)), checked);
  }
  const [key] = path;
  if (path.length !== 1 || !isOfKind(key)) return undefined;
  const other = key === 'kind' ? 'apiVersion' : 'kind';
  const written = get(root, other);
  const isOpen = typeof written !== 'string' || written === '';
  const graphs = [...(checked?.graphs.values() ?? [])].map((one) => ({
    apiVersion: apiVersionOf(one),
    kind: one.kind,
  }));
  const own = [...graphs.map((one) => ({ ...one, rank: 0 })), ...OWN_KINDS.map((one) => ({ ...one, rank: 1 }))]
    .filter((one) => isOpen || one[other] === written)
    .map((one) => plain(one[key], one[other], one.rank));
  const known = isOpen ? [] : kindProposals(key, root, checked);
  return [...own, ...known].filter(unique);
}

const unique = ({ label }: Proposal, index: number, all: readonly Proposal[]): boolean =>
  all.findIndex((one) => one.label === label) === index;

/** Returns the kind with a lower-case first letter. */
function idProposals(node: Value | undefined): Proposal[] {
  const kind = getAt(node, ['template', 'kind']) ?? getAt(node, ['externalRef', 'kind']);
  return typeof kind === 'string' && kind !== ''
    ? [plain(kind.charAt(0).toLowerCase() + kind.slice(1), 'after its kind', 0)]
    : [];
}

function* knownKinds(checked: Checked | undefined): Iterable<GroupVersionKind> {
  for (const name of (checked?.kinds ?? builtinKinds).names()) yield readKindName(name);
}

type OfKind = 'kind' | 'apiVersion';
const isOfKind = (key: Path[number] | undefined): key is OfKind => key === 'kind' || key === 'apiVersion';

/** Returns the kinds of the written apiVersion, or the apiVersions of the kind; all if nothing is written. */
function kindProposals(key: OfKind, object: Value | undefined, checked: Checked | undefined): Proposal[] {
  const other = key === 'kind' ? 'apiVersion' : 'kind';
  const written = get(object, other);
  const found = new Map<string, Proposal>();
  for (const gvk of knownKinds(checked)) {
    const one = { apiVersion: apiVersionOf(gvk), kind: gvk.kind };
    if (found.has(one[key]) || (typeof written === 'string' && written !== '' && written !== one[other])) continue;
    // Own kinds and stable versions come first.
    const isFirst = key === 'kind' ? checked?.graphs.has(groupKind(gvk)) : /^v\d+$/.test(gvk.version);
    found.set(one[key], plain(one[key], one[other], isFirst ? 0 : 1));
  }
  return [...found.values()];
}

/** Returns names, and namespaces, of the objects of a kind. */
function referenceProposals(
  object: Value | undefined,
  key: Path[number] | undefined,
  checked: Checked | undefined,
): Proposal[] {
  if ((key !== 'name' && key !== 'namespace') || checked === undefined) return [];
  const wanted = groupKind(
    groupVersionKind({ apiVersion: get(object, 'apiVersion') ?? '', kind: get(object, 'kind') ?? '' }),
  );
  const documents = [...checked.plan.objects, ...checked.plan.definitions];
  return documents
    .flatMap(({ object: one }) => {
      if (!isKubeObject(one) || groupKind(groupVersionKind(one)) !== wanted) return [];
      const text = key === 'name' ? nameOf(one) : getAt(one, ['metadata', 'namespace']);
      return typeof text === 'string' && text !== '' ? [plain(text, one.kind, 0)] : [];
    })
    .filter(unique);
}
