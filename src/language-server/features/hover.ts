import type { Hover } from 'vscode-languageserver';
import words from '../../../data/simpleschema.json';
import { apiVersionOf, groupKind, groupVersionKind, isKubeObject } from '../../core/model/object.ts';
import { getAt, isMap, ownValue, type Path, type Value } from '../../core/model/value.ts';
import { boundsOf, typeName } from '../../describe/sample/index.ts';
import type { GraphNode } from '../../kro/compile/index.ts';
import { definedKind } from '../../kro/definition/index.ts';
import { schemaAt as fieldSchema, type Schema } from '../../kubernetes/schema/index.ts';
import { DYN, ERROR, type InspectedExpression, type Token, tokenize } from '../../languages/cel/index.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import type { Entry, ScalarNode } from '../../yaml/tree/index.ts';
import { type NameAt, nameAt, namesIn } from '../cel/names.ts';
import { fieldNamed, functionNamed, MACROS, type MacroHelp, signatureOf, typeText, unwrapped } from '../cel/types.ts';
import { type Expression, modelOf, type Written } from '../expressions.ts';
import type { Place } from '../place.ts';
import { occurrencesIn } from '../symbols/index.ts';
import { sameTarget, type Target } from '../symbols/targets.ts';
import type { Checked } from '../workspace/check.ts';
import type { SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { fieldOf } from '../yaml/complete-settings.ts';
import { inNode, isRgdDocument, schemaAt, schemaType } from '../yaml/schema.ts';
import type { SettingsField } from '../yaml/settings-files.ts';

export function hoverAt(place: Place): Hover | undefined {
  const { file, offset, expression } = place;
  if (expression === undefined) return hoverOnKey(place);
  const { source, sourceOffset, textOffset } = expression;
  const inspected = expression.inspected();
  if (inspected === undefined) return undefined;
  const at = sourceOffset(offset);
  const name = nameAt(namesIn(inspected), at);
  // A macro that leaves no name in the tree, such as `has`.
  const token = tokenize(source, { recovers: true }).find((one) => one.offset <= at && at <= endOf(one));
  const macro = MACROS.find(({ name, on }) => on === '' && name === token?.text);
  const text = name ? aboutName(name, inspected, expression) : macro && aboutMacro(macro);
  const part = name ?? (token && { offset: token.offset, end: endOf(token) });
  return part && text ? hoverOf(file, textOffset(part.offset), textOffset(part.end), text) : undefined;
}

const endOf = ({ offset, text }: Token): number => offset + text.length;

const hoverOf = (file: SourceFile, start: number, end: number, value: string): Hover => ({
  contents: { kind: 'markdown', value },
  range: file.rangeOf(start, end),
});

const aboutMacro = ({ signature, about }: MacroHelp): string => paragraphs([code(signature), about]);

function aboutName(name: NameAt, inspected: InspectedExpression, { written }: Expression): string | undefined {
  if (name.role === 'field') return aboutField(name, inspected);
  if (name.role === 'function' || name.role === 'method') return aboutFunction(name, inspected);
  const about = name.role === 'variable' && written ? aboutVariable(name.name, written) : '';
  return paragraphs([code(`${name.name}: ${typeText(name.type)}`), about]);
}

function aboutFunction({ name, expr }: NameAt, { calls }: InspectedExpression): string | undefined {
  const macro = MACROS.find((one) => one.name === name && ['comprehension', 'bind'].includes(expr.kind));
  if (macro !== undefined) return aboutMacro(macro);
  const call = calls.get(expr.id);
  const overloads = call?.overloads.length ? call.overloads : functionNamed(call?.name ?? name);
  return overloads.length === 0 ? undefined : code(overloads.map(signatureOf).join('\n'));
}

function aboutVariable(name: string, { model: { definition, scopes }, node }: Written): string {
  const index = scopes.indexOf(name, node);
  if (name === 'schema' && index === undefined)
    return `The instance, a ${definition.kind} of \`${definition.group}/${definition.version}\`.`;
  const own = node === undefined ? undefined : definition.nodes[node];
  const iterator = own?.forEach.find((one) => one.name === name);
  if (iterator !== undefined) return `An iterator of \`${own?.id}\`: each item of \`${iterator.text}\`.`;
  const resolved = index === undefined ? undefined : scopes.nodes[index];
  if (resolved === undefined) return name === 'each' ? 'One object of the collection.' : '';
  if (resolved.gvk.kind === '') return `The \`${definition.nodes[index ?? 0]?.contentKey}\` of node \`${name}\`.`;
  return `${WHAT[resolved.kind]} ${resolved.gvk.kind} (\`${apiVersionOf(resolved.gvk)}\`).`;
}

/** What nodes with a kind do. */
const WHAT: Readonly<Partial<Record<GraphNode['kind'], string>>> = {
  resource: 'Renders',
  collection: 'Renders a list of',
  external: 'Reads',
  externalCollection: 'Reads a list of',
};

function aboutField({ operand, name, type }: NameAt, { types }: InspectedExpression): string | undefined {
  const of = unwrapped((operand && types.get(operand.id)) ?? DYN);
  const field = fieldNamed(of, name);
  const shown = code(`${name}: ${typeText(field?.type ?? type)}`);
  if (field === undefined) return of.kind === 'object' && type === ERROR ? `There is no field \`${name}\`.` : shown;
  const isSet = field.required || field.schema?.default !== undefined;
  const optional = isSet ? '' : 'It may be omitted: `?` or `has()` guards it.';
  return paragraphs([shown, field.schema && schemaText(field.schema), optional]);
}

/** Returns the hover on a key of a template, of an instance, or of an RGD itself, or on a value that has a meaning. */
function hoverOnKey(place: Place): Hover | undefined {
  const { file, offset, checked, workspace, value: root } = place;
  const found = place.entries.find(({ entry: { key } }) => offset <= key.end);
  if (found === undefined) return hoverOnValue(place, root);
  const setting = fieldOf(file.uri, found.path, root);
  if (setting !== undefined) return hoverOnSetting(found.entry, setting, file);
  const declared = declaredSchema(root, found.path, checked);
  const schema = declared ?? schemaAt(root, found.path, checked);
  const target = place.occurrence?.target;
  const uses = target && ['field', 'node'].includes(target.role) ? usesOf(target, workspace) : '';
  if (schema === undefined && uses === '') return undefined;
  const name = String(found.path.at(-1));
  const isOwn = declared !== undefined || typeof schema?.type === 'string' || !isRgdDocument(root);
  const type = isOwn ? typeName(schema) : (schemaType(schema) ?? 'anything');
  const head = code(schema === undefined ? name : `${name}: ${type}`, 'yaml');
  const known = schema?.description === undefined ? describedIn(root, found.path, workspace) : '';
  const { key } = found.entry;
  return hoverOf(file, key.start, key.end, paragraphs([head, known, schema && schemaText(schema), uses]));
}

function hoverOnSetting({ key, name }: Entry, { about, values = [] }: SettingsField, file: SourceFile): Hover {
  const shown = values.length > 0 && values.length <= MAX_VALUES ? values.map(({ value }) => `\`${value}\``) : [];
  const allowed = shown.length === 0 ? '' : `One of ${shown.join(', ')}.`;
  return hoverOf(file, key.start, key.end, paragraphs([code(name, 'yaml'), about ?? '', allowed]));
}

const MAX_VALUES = 10;

function describedIn(root: Value, path: Path, { describe }: Workspace): string {
  const inside = inNode(root, path);
  const at = inside === path ? [] : path.slice(0, path.length - inside.length + 1);
  const object = getAt(root, at);
  if (describe === undefined || !isMap(object) || (at.length > 0 && inside[0] !== 'template')) return '';
  return describe(groupVersionKind(object), path.slice(at.length));
}

function declaredSchema(root: Value, path: Path, checked: Checked | undefined): Schema | undefined {
  const [, schema, part] = path;
  const isField = schema === 'schema' && (part === 'spec' || part === 'status') && path.length > 3;
  if (!isField || !isKubeObject(root) || !isRgdDocument(root)) return undefined;
  return fieldSchema(checked?.schemaOf(definedKind(root)), path.slice(2));
}

/** Returns the hover on a kind, or on a type or a marker of SimpleSchema. */
function hoverOnValue(place: Place, root: Value): Hover | undefined {
  const found = place.scalar();
  if (found === undefined) return undefined;
  const { path } = found;
  const [, , part] = path;
  const isInSchema = isRgdDocument(root) && path[1] === 'schema' && (part === 'spec' || part === 'types');
  return isInSchema && path.length > 3 ? hoverOnType(place, found.node, root) : hoverOnKind(place, found, root);
}

/** Returns the hover on a word of SimpleSchema. */
function hoverOnType({ file, offset }: Place, node: ScalarNode, root: Value): Hover | undefined {
  const text = file.text.slice(node.innerStart, node.innerEnd);
  for (const { index, 0: word } of text.matchAll(/[A-Za-z]\w*/g)) {
    const start = node.innerStart + index;
    const end = start + word.length;
    if (offset < start || end < offset) continue;
    const about = aboutWord(word, text.slice(index + word.length), root);
    return about === undefined ? undefined : hoverOf(file, start, end, about);
  }
  return undefined;
}

/** Returns the hover on the kind of an object: where it is defined, and its fields. */
function hoverOnKind(
  { file, checked }: Place,
  { node, path }: { node: ScalarNode; path: Path },
  root: Value,
): Hover | undefined {
  const text = file.text.slice(node.innerStart, node.innerEnd);
  const isKind = path.at(-1) === 'kind' && (path.length === 1 || path[3] === 'template' || path[3] === 'externalRef');
  const object = getAt(root, path.slice(0, -1));
  if (!isKind || !isMap(object) || typeof object.apiVersion !== 'string') return undefined;
  const gvk = groupVersionKind({ apiVersion: object.apiVersion, kind: text });
  const graph = checked?.graphs.get(groupKind(gvk));
  const known = checked?.kinds.find(gvk);
  if (known === undefined) return undefined;
  const scope = known.namespaced === false ? 'Cluster-scoped.' : 'Namespaced.';
  const origin = graph === undefined ? '' : `Defined by the ResourceGraphDefinition \`${graph.name}\`.`;
  const fields = Object.entries(known.schema?.properties?.spec?.properties ?? {});
  const list = fields.slice(0, MAX_USES).map(([name, field]) => `${name}: ${typeName(field)}`);
  const more = fields.length > MAX_USES ? [`# and ${fields.length - MAX_USES} more`] : [];
  const value = paragraphs([
    code(`apiVersion: ${object.apiVersion}\nkind: ${text}`, 'yaml'),
    [origin, scope].filter(Boolean).join(' '),
    list.length === 0 ? '' : code(['spec:', ...[...list, ...more].map((line) => `  ${line}`)].join('\n'), 'yaml'),
  ]);
  return hoverOf(file, node.innerStart, node.innerEnd, value);
}

/** Describes a marker, which `=` follows, or a type of SimpleSchema. */
function aboutWord(word: string, rest: string, root: Value): string | undefined {
  const { markers, types }: Record<string, Readonly<Record<string, string>>> = words;
  const about = /^\s*=/.test(rest) ? ownValue(markers, word) : ownValue(types, word);
  if (about !== undefined) return `\`${word}\`: ${about}`;
  const custom = getAt(root, ['spec', 'schema', 'types', word]);
  return custom === undefined ? undefined : code(`${word}: ${toJsonText(custom, 2)}`, 'yaml');
}

const MAX_USES = 12;

/** Returns the nodes of the RGD that read a field or a node, with locations. */
function usesOf(target: Target, workspace: Workspace): string {
  const file = workspace.files.get(target.uri);
  const tree = file?.treeAt(target.start);
  const model = file && tree && modelOf(file, tree, workspace);
  if (file === undefined || model === undefined) return '';
  const places = occurrencesIn(file, workspace).flatMap(({ start, inExpression, target: read }) => {
    if (!inExpression || !sameTarget(read, target)) return [];
    const expression = model.expressions.findLast(({ textOffset }) => textOffset(0) <= start);
    return expression === undefined ? [] : placeText(expression.written);
  });
  const all = [...new Set(places)];
  if (all.length === 0) return '';
  const more = all.length > MAX_USES ? [`and ${all.length - MAX_USES} more`] : [];
  return ['Read by', ...[...all.slice(0, MAX_USES), ...more].map((place) => `- ${place}`)].join('\n');
}

function placeText({ model: { definition }, node, path, place }: Written): string {
  if (node === undefined) return `the status, \`${pathText(path.slice(3))}\``;
  const { id = '', template, path: own = [] } = definition.nodes[node] ?? {};
  const kind = typeof template?.kind === 'string' ? ` (${template.kind})` : '';
  const where = place === 'template' ? `\`${pathText(path.slice(own.length + 1))}\`` : `its \`${place}\``;
  return `\`${id}\`${kind}, ${where}`;
}

const pathText = (path: Path): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('');

export function schemaText(schema: Schema): string {
  return paragraphs([
    schema.description,
    schema.default === undefined ? '' : `Default: \`${toJsonText(schema.default)}\``,
    ...boundsOf(schema).map((bound) => `- ${bound}`),
  ]);
}

export const paragraphs = (texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join('\n\n');

const code = (text: string, language = 'cel'): string => `\`\`\`${language}\n${text}\n\`\`\``;
