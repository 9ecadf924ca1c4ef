import words from '../../../data/simpleschema.json';
import {
  apiVersionOf,
  groupKind,
  groupKindOf,
  groupVersionKind,
  isKubeObject,
  nameOf,
} from '../../core/model/object.ts';
import { GROUP, PROVIDER, SET } from '../../core/model/resource-set.ts';
import { get, getAt, isMap, ownValue, type Path, textOf, type Value } from '../../core/model/value.ts';
import { typeName } from '../../describe/sample/index.ts';
import { markerNames } from '../../kro/simpleschema/index.ts';
import { builtinKinds, readKindName, type Schema } from '../../kubernetes/schema/index.ts';
import { acceptedValues } from '../../kubernetes/validation/index.ts';
import { FUNCTION_CONFIG } from '../../render/options/index.ts';
import { toJsonText, yamlScalar } from '../../yaml/emit/index.ts';
import { treeValue } from '../../yaml/tree/index.ts';
import { type Proposal, type Proposals, proposal } from '../cel/complete.ts';
import { markerPlace, useOf } from '../usage.ts';
import { type Checked, looseDefinition } from '../workspace/check.ts';
import { rgdIn } from '../workspace/file.ts';
import type { WritingContext } from './context.ts';
import { inNode, isRgdDocument, schemaAt, schemaType, setTemplateIn, templateIn } from './schema.ts';

/** Completes at a position outside of expressions. */
export function completeYaml(context: WritingContext, checked: Checked | undefined): Proposals | undefined {
  const { isKey, path, start, end, isItem } = context;
  const root = treeValue(context.text, context.root);
  const schema = schemaAt(root, path, checked);
  if (isKey) {
    const named = siblingsLeft(KEYS_OF_MAPS, path, context.siblings);
    return {
      start,
      end,
      proposals: [...keys(context, schema), ...named, ...(isItem ? valuesAt(path, schema, root) : [])],
    };
  }
  if (isRgdDocument(root) && isSimpleSchema(path)) return simpleSchema(context, root);
  return { start, end, proposals: knownValues(path, root, checked) ?? valuesAt(path, schema, root) };
}

/** The names that people give to the entries of maps, by the names of the map and of the field that contains it. */
const KEYS_OF_MAPS: Readonly<Record<string, readonly string[]>> = {
  'resources.limits': ['cpu', 'memory', 'ephemeral-storage'],
  'resources.requests': ['cpu', 'memory', 'ephemeral-storage'],
};

/** The values that an API server accepts and no schema of Kubernetes has, by the names of the field and of its list. */
const VALUES_OF_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'additionalPrinterColumns.type': ['string', 'integer', 'number', 'boolean', 'date'],
  'metrics.type': ['Resource', 'ContainerResource', 'Pods', 'Object', 'External'],
};

const lastNames = (path: Path): string =>
  path
    .filter((step) => typeof step === 'string')
    .slice(-2)
    .join('.');

function siblingsLeft(table: typeof KEYS_OF_MAPS, path: Path, siblings: readonly string[]): Proposal[] {
  const names = ownValue(table, lastNames(path)) ?? [];
  return names
    .filter((name) => !siblings.includes(name))
    .map((name, index) => proposal('field', name, 'a resource', 1, { text: `${name}: `, use: index / names.length }));
}

function valuesAt(path: Path, schema: Schema | undefined, root: Value): Proposal[] {
  const known = ownValue(VALUES_OF_FIELDS, lastNames(path)) ?? acceptedAt(root, path);
  const others = known.map((value, index) => plain(value, '', 1, index / known.length));
  return [...valuesOf(path, schema), ...others].filter(unique);
}

/** Returns the values that the rules of an API server list for a field of an object, or of an object in a template. */
function acceptedAt(root: Value, path: Path): string[] {
  const [at, inside] = templateIn(root, path) ?? [[], path];
  const object = getAt(root, at);
  const { group, kind } = groupVersionKind(isMap(object) ? object : {});
  return acceptedValues(`${group}/${kind}`, inside);
}

function keys({ siblings, hasColon }: WritingContext, schema: Schema | undefined): Proposal[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => {
    if (siblings.includes(name)) return [];
    const type = schemaType(field);
    const required = schema?.required?.includes(name) ?? false;
    const use = useOf('yamlFields', name);
    const nested = type === 'object' || type === 'array';
    const text = hasColon ? name : nested ? `${name}:` : `${name}: `;
    const detail = `${shownType(field)}${required ? ', required' : ''}${field.default === undefined ? '' : `, default ${toJsonText(field.default)}`}`;
    return [proposal('field', name, detail, required ? 0 : name === 'status' ? 3 : 1, { text, schema: field, use })];
  });
}

const shownType = (field: Schema): string =>
  typeof field.type === 'string' ? typeName(field) : (schemaType(field) ?? 'anything');

const plain = (label: string, detail: string, rank = 1, use = 1): Proposal =>
  proposal('value', label, detail, rank, { use });

function valuesOf(path: Path, schema: Schema | undefined): Proposal[] {
  if (schema === undefined) return [];
  const shown = (value: Value): string => (typeof value === 'string' ? yamlScalar(value) : toJsonText(value));
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

const isSimpleSchema = (path: Path): boolean =>
  path[0] === 'spec' && path[1] === 'schema' && (path[2] === 'spec' || path[2] === 'types') && path.length > 3;

/** Completes types before the first `|`, and markers after it. */
function simpleSchema({ prefix, start, end, text }: WritingContext, root: Value): Proposals {
  const bar = prefix.indexOf('|');
  if (bar < 0) {
    const wrapper = /^(?:\[\]|map\[string\])*/.exec(prefix.trimStart())?.[0] ?? '';
    const custom = getAt(root, ['spec', 'schema', 'types']);
    // A custom type is usually one of a list or a map.
    const ownRank = wrapper === '' ? 1 : -1;
    const types = [
      ...['string', 'integer', 'boolean', 'float', 'object'].map((type) => {
        const use = useOf('simpleTypes', type);
        return plain(type, 'type', use < 1 ? 0 : 2, use);
      }),
      ...Object.keys(isMap(custom) ? custom : {}).map((type) => plain(type, 'custom type', ownRank)),
    ];
    const wrappers = ['[]', 'map[string]'].map((type) => plain(type, type === '[]' ? 'list of' : 'map of', 3));
    return { start: start + wrapper.length, end, proposals: [...types, ...wrappers] };
  }
  const written = markerValues(prefix, lineFrom(text, start));
  if (written !== undefined)
    return { start: start + prefix.length - written.typed.length, end, proposals: written.proposals };
  const word = /(?<![A-Za-z])[A-Za-z]*$/.exec(prefix)?.[0] ?? '';
  const used = new Set([...prefix.matchAll(/(?<![A-Za-z])([A-Za-z]+)=/g)].map(([, name]) => name));
  const names = lastWordOf(prefix).includes('=') ? [] : markerNames.filter((name) => !used.has(name));
  const type = prefix.slice(0, bar).trim();
  const proposals = names.map((name) => {
    const ofEnum = name === 'default' ? defaultOfEnum(lineFrom(text, start), type) : undefined;
    const snippet = ofEnum ?? words.snippets[name];
    const use = markerPlace(type, name);
    const isSnippet = snippet.includes('$');
    return proposal('keyword', name, 'marker', use === undefined ? 2 : 1, { text: snippet, isSnippet, use: use ?? 0 });
  });
  return { start: start + prefix.length - word.length, end: start + prefix.length, proposals };
}

/** Returns the values of the marker `enum` in a text. */
function enumIn(text: string): string[] {
  const [, listed] = /(?<![A-Za-z])enum="([^"]*)"/.exec(text) ?? [];
  return listed?.split(',').map((one) => one.trim()) ?? [];
}

/** Returns the marker of a default with a choice of the values of an enum, as a snippet. */
function defaultOfEnum(written: string, type: string): string | undefined {
  const values = enumIn(written);
  if (values.length === 0 || values.some((value) => !/^[\w.-]+$/.test(value))) return undefined;
  const choice = `\${1|${values.join(',')}|}`;
  return type === 'string' ? `default="${choice}"` : `default=${choice}`;
}

const lineFrom = (text: string, start: number): string => /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? '';

/** Returns the values of a marker that is being written: those of an enum or of a boolean. */
function markerValues(prefix: string, line: string): { typed: string; proposals: Proposal[] } | undefined {
  const begun = /(?<![A-Za-z])(default|required|immutable|uniqueItems)=("?)([\w.-]*)$/.exec(prefix);
  if (begun === null) return undefined;
  const [, marker = '', quote = '', typed = ''] = begun;
  const type = prefix.slice(0, prefix.indexOf('|')).trim();
  const isBoolean = marker !== 'default' || type === 'boolean';
  const values = isBoolean ? ['true', 'false'] : enumIn(line);
  const shown = (value: string): string => (isBoolean || quote !== '' || type !== 'string' ? value : `"${value}"`);
  const proposals = values.map((value, index) => {
    return proposal('value', value, marker, 0, { text: shown(value), use: index / values.length });
  });
  return { typed, proposals };
}

const OWN_KINDS = [
  { apiVersion: 'kro.run/v1alpha1', kind: 'ResourceGraphDefinition' },
  { apiVersion: 'kro.run/v1alpha1', kind: 'Graph' },
  ...[SET, PROVIDER].map((kind) => ({ apiVersion: `${GROUP}/v1`, kind })),
  FUNCTION_CONFIG,
];

/** The parts of a node with the kind of an object. */
const OBJECTS: readonly unknown[] = ['template', 'externalRef', 'ref', 'patch'];

/** Completes what no schema has: kinds and apiVersions, each by what is written of the other, ids, and names of objects. */
function knownValues(path: Path, root: Value, checked: Checked | undefined): Proposal[] | undefined {
  const isRgd = isRgdDocument(root);
  const inside = inNode(root, path);
  if (inside !== path) {
    const node = getAt(root, path.slice(0, path.length - inside.length));
    return valuesInNode(inside, node, isRgd, checked);
  }
  const inTemplate = setTemplateIn(root, path);
  if (inTemplate !== undefined) {
    const [at, [name, ...rest]] = inTemplate;
    return rest.length === 0 && isOfKind(name) ? kindProposals(name, getAt(root, at), checked) : undefined;
  }
  const [key] = path;
  if (path.length !== 1 || !isOfKind(key)) return undefined;
  if (isRgd) return key === 'kind' ? [plain('ResourceGraphDefinition', 'kro.run/v1alpha1', 0)] : undefined;
  const other = key === 'kind' ? 'apiVersion' : 'kind';
  const written = get(root, other);
  const isOpen = typeof written !== 'string' || written === '';
  const graphs = declaredKinds(checked).map((one) => ({ ...one, rank: 0 }));
  const own = [...graphs, ...OWN_KINDS.map((one) => ({ ...one, rank: 1 }))]
    .filter((one) => isOpen || one[other] === written)
    .map((one) => plain(one[key], one[other], one.rank));
  return [...own, ...(isOpen ? [] : kindProposals(key, root, checked))].filter(unique);
}

/** Returns the kinds of the RGDs of a package, also of those that have errors. */
function declaredKinds(checked: Checked | undefined): { apiVersion: string; kind: string }[] {
  const files = checked === undefined ? [] : [...checked.plan.files, ...checked.plan.beside];
  return files.flatMap(({ facts, trees, text }) =>
    facts.rgds.flatMap(({ document }) => {
      const tree = trees[document];
      const object = tree && rgdIn(text, tree);
      if (object === undefined) return [];
      const definition = looseDefinition(object);
      return { apiVersion: apiVersionOf(definition), kind: definition.kind };
    }),
  );
}

/** Completes a value of a node at a path inside it. */
function valuesInNode(
  path: Path,
  node: Value | undefined,
  isRgd: boolean,
  checked: Checked | undefined,
): Proposal[] | undefined {
  const [part, field, last] = path;
  const object = typeof part === 'string' ? get(node, part) : undefined;
  if (isRgd && part === 'id') return idProposals(node);
  if (path.length === 2 && OBJECTS.includes(part) && isOfKind(field)) return kindProposals(field, object, checked);
  return part === 'externalRef' && field === 'metadata' ? referenceProposals(object, last, checked) : undefined;
}

const unique = ({ label }: Proposal, index: number, all: readonly Proposal[]): boolean =>
  all.findIndex((one) => one.label === label) === index;

function idProposals(node: Value | undefined): Proposal[] {
  const kind = textOf(getAt(node, ['template', 'kind']) ?? getAt(node, ['externalRef', 'kind']));
  return kind === '' ? [] : [plain(kind.charAt(0).toLowerCase() + kind.slice(1), 'after its kind', 0)];
}

type OfKind = 'kind' | 'apiVersion';
const isOfKind = (key: unknown): key is OfKind => key === 'kind' || key === 'apiVersion';

/** Returns the kinds of the written apiVersion, or the apiVersions of the kind; all if nothing is written. */
function kindProposals(key: OfKind, object: Value | undefined, checked: Checked | undefined): Proposal[] {
  const other = key === 'kind' ? 'apiVersion' : 'kind';
  const written = get(object, other);
  const found = new Map<string, Proposal>();
  for (const name of (checked?.kinds ?? builtinKinds).names()) {
    const gvk = readKindName(name);
    const one = { apiVersion: apiVersionOf(gvk), kind: gvk.kind };
    if (found.has(one[key]) || (typeof written === 'string' && written !== '' && written !== one[other])) continue;
    // Own kinds and stable versions come first.
    const isFirst = key === 'kind' ? checked?.graphs.has(groupKind(gvk)) : /^v\d+$/.test(gvk.version);
    const use = useOf(key === 'kind' ? 'kinds' : 'apiVersions', one[key]);
    found.set(one[key], plain(one[key], one[other], isFirst || (key === 'kind' && use < 1) ? 0 : 1, use));
  }
  return [...found.values()];
}

function referenceProposals(object: Value | undefined, key: unknown, checked: Checked | undefined): Proposal[] {
  if ((key !== 'name' && key !== 'namespace') || checked === undefined) return [];
  const wanted = groupKindOf(isMap(object) ? object : {});
  const documents = [...checked.plan.objects, ...checked.plan.definitions];
  return documents
    .flatMap(({ object: one }) => {
      if (!isKubeObject(one) || groupKindOf(one) !== wanted) return [];
      const text = key === 'name' ? nameOf(one) : getAt(one, ['metadata', 'namespace']);
      return typeof text === 'string' && text !== '' ? [plain(text, one.kind, 0)] : [];
    })
    .filter(unique);
}

const lastWordOf = (text: string): string => /(?<!\S)\S*$/.exec(text)?.[0] ?? '';
