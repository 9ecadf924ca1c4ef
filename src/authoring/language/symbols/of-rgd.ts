import { groupKind } from '../../../core/model/object.ts';
import type { Path } from '../../../core/model/value.ts';
import type { NodeDefinition } from '../../../kro/definition/index.ts';
import { partsOf, type Schema } from '../../../kubernetes/schema/index.ts';
import {
  chainOf,
  DYN,
  type Expr,
  type InspectedExpression,
  inspect,
  kroEnvironment,
  parseRecovering,
} from '../../../languages/cel/index.ts';
import {
  type Entry,
  entryOf,
  nodeAt,
  type ScalarNode,
  scalarTextOf,
  walkTree,
  type YamlNode,
} from '../../../yaml/tree/index.ts';
import { type NameAt, namesIn } from '../cel/names.ts';
import { fieldNamed, unwrapped } from '../cel/types.ts';
import type { Model, WrittenExpression } from '../rgd/model.ts';
import type { Checked } from '../workspace/check.ts';
import {
  customTypeIn,
  fieldEntry,
  fieldTarget,
  kindTarget,
  type Occurrence,
  objectTarget,
  occurrenceOf,
  scalarIn,
  selfOf,
  type Target,
  targetAt,
  templateOccurrences,
} from './elsewhere.ts';

/** Returns the names in an RGD or a Graph with their targets. */
export function rgdOccurrences(model: Model, checked: Checked): Occurrence[] {
  return [...declared(model), ...references(model, checked), ...inExpressions(model, checked)];
}

const targetOf = ({ file }: Model, node: ScalarNode, role: Target['role'], name: string): Target =>
  targetAt(file, node, role, name);

/** Returns ids, iterators and the kind, the fields of the schema, and the custom types and printer columns in it. */
function declared(model: Model): Occurrence[] {
  const { text } = model.file;
  const { root } = model.tree;
  const found: Occurrence[] = [];
  const put = (node: YamlNode | undefined, role: Target['role']): void => {
    if (node?.kind !== 'scalar' || node.innerEnd === node.innerStart) return;
    found.push(selfOf(targetOf(model, node, role, scalarTextOf(text, node).value)));
  };
  for (const { path, forEach } of model.definition.nodes) {
    put(nodeAt(root, [...path, 'id']), 'node');
    for (const { name } of forEach) put(iteratorEntry(root, path, name)?.key, 'iterator');
  }
  const schema = entryOf(nodeAt(root, ['spec']), 'schema');
  if (schema === undefined) return found;
  put(entryOf(schema.value, 'kind')?.value, 'kind');
  const types = entryOf(schema.value, 'types')?.value;
  walkTree(schema.value, (node, [part, ...path], entry) => {
    const isSimple = part === 'spec' || part === 'types';
    if ((isSimple || part === 'status') && typeof path.at(-1) === 'string')
      put(entry?.key, part === 'types' && path.length === 1 ? 'type' : 'field');
    if (node.kind !== 'scalar') return;
    if (part === 'additionalPrinterColumns' && path[1] === 'jsonPath')
      for (const step of stepsOf(model, node)) found.push(step);
    const { value, offsets } = isSimple ? scalarTextOf(text, node) : { value: '', offsets: [] };
    const custom = customTypeIn(value);
    const declaration = custom && entryOf(types, custom.name);
    if (custom === undefined || declaration === undefined) return;
    const start = offsets[custom.start] as number;
    const target = targetOf(model, declaration.key, 'type', custom.name);
    found.push({ start, end: start + custom.name.length, target });
  });
  return found;
}

/** Returns the fields of a JSONPath. */
function stepsOf(model: Model, { innerStart, innerEnd }: ScalarNode): Occurrence[] {
  const { text } = model.file;
  const path: string[] = [];
  return [...text.slice(innerStart, innerEnd).matchAll(/\.([A-Za-z_]\w*)/g)].flatMap((match) => {
    path.push(match[1] as string);
    const entry = path.length > 1 ? fieldEntry(text, model.tree.root, path) : undefined;
    const start = innerStart + match.index + 1;
    return entry
      ? [{ start, end: start + entry.name.length, target: targetOf(model, entry.key, 'field', entry.name) }]
      : [];
  });
}

/** Returns kinds of other RGDs in templates, and objects that references name. */
function references(model: Model, checked: Checked): Occurrence[] {
  const { tree, file, definition, scopes } = model;
  return definition.nodes.flatMap((node, index): Occurrence[] => {
    const part = node.contentKey;
    const object = nodeAt(tree.root, [...node.path, part]);
    const gvk = scopes.nodes[index]?.gvk;
    if (object === undefined || gvk === undefined) return [];
    const kind = groupKind(gvk);
    const kindNode = scalarIn(object, ['kind']);
    const ofKind = kindTarget(checked, kind);
    const own = kindNode && ofKind ? [occurrenceOf(kindNode, ofKind)] : [];
    if (part === 'template') return [...own, ...templateOccurrences(checked, kind, object)];
    const name = scalarIn(object, ['metadata', 'name']);
    const named = name && objectTarget(checked, gvk, file.text.slice(name.innerStart, name.innerEnd));
    return name && named ? [...own, occurrenceOf(name, named)] : own;
  });
}

export function inspectExpression(
  { scopes }: Model,
  { source, place, node }: WrittenExpression,
): InspectedExpression | undefined {
  const parsed = parseRecovering(source);
  return parsed && inspect(kroEnvironment(), parsed, scopes.at(place, node));
}

function inExpressions(model: Model, checked: Checked): Occurrence[] {
  const declarations = declarationsOf(model, checked);
  /** Returns the field of a kind that an RGD defines, or else the one in the template of a node. */
  const ofField = (
    { operand, name }: NameAt,
    { types }: InspectedExpression,
    variables: readonly NameAt[],
    expression: WrittenExpression,
  ): Target | undefined => {
    const type = unwrapped((operand && types.get(operand.id)) ?? DYN);
    if (type.kind === 'object') {
      const property = fieldNamed(type, name)?.property ?? name;
      const at = type.declaration === undefined ? undefined : declarations.get(type.declaration);
      if (at !== undefined) return fieldTarget(checked, at.kind, [...at.path, property], model);
    }
    const { start, path } = chainOf(operand as Expr);
    const variable = variables.find(({ expr }) => expr === start)?.name;
    const node = variable && nodeNamed(model, expression, variable);
    if (node) return memberTarget(model, node, [...path, name]);
    return variable === 'schema' && path.length === 0
      ? fieldTarget(checked, groupKind(model.definition), [name], model)
      : undefined;
  };
  return model.expressions.flatMap((expression) => {
    const inspected = inspectExpression(model, expression);
    if (inspected === undefined) return [];
    const names = namesIn(inspected);
    const variables = names.filter(({ role }) => role === 'variable');
    return names.flatMap((name): Occurrence[] => {
      const [start, end] = [expression.textOffset(name.offset), expression.textOffset(name.end)];
      const ofName = name.role === 'variable' ? variableTarget(model, expression, name.name) : undefined;
      const target = name.role === 'field' ? ofField(name, inspected, variables, expression) : ofName;
      return target === undefined ? [] : [{ start, end, target, inExpression: true }];
    });
  });
}

/** Returns the target of a node, an iterator, or the schema. */
function variableTarget(model: Model, expression: WrittenExpression, name: string): Target | undefined {
  const iterator = iteratorNamed(model, expression, name);
  if (iterator !== undefined) return targetOf(model, iterator.key, 'iterator', name);
  const node = nodeNamed(model, expression, name);
  if (node !== undefined) return memberTarget(model, node, []);
  const entry = name === 'schema' ? entryOf(nodeAt(model.tree.root, ['spec']), 'schema') : undefined;
  return entry && targetOf(model, entry.key, 'object', name);
}

/** Returns the node that a name means in an expression: the innermost one of a nested Graph. */
function nodeNamed(model: Model, expression: WrittenExpression, name: string): NodeDefinition | undefined {
  const { definition, scopes } = model;
  const index = scopes.indexOf(name, expression.node);
  return index === undefined || iteratorNamed(model, expression, name) ? undefined : definition.nodes[index];
}

/** Returns the target of a path from a node: the node, one inside its Graph, or a field that it writes. */
function memberTarget(model: Model, node: NodeDefinition, path: Path): Target | undefined {
  const { tree, definition } = model;
  const inside = definition.nodes.find(
    (one) => one.id === path[0] && one.path.slice(0, -3).join() === node.path.join(),
  );
  if (inside !== undefined) return memberTarget(model, inside, path.slice(1));
  if (path.length === 0) {
    const id = scalarIn(tree.root, [...node.path, 'id']);
    return id && targetOf(model, id, 'node', node.id);
  }
  const entry = entryOf(nodeAt(tree.root, [...node.path, node.contentKey, ...path.slice(0, -1)]), String(path.at(-1)));
  return entry && targetOf(model, entry.key, 'template', entry.name);
}

function iteratorNamed({ definition, tree }: Model, { node, place }: WrittenExpression, name: string) {
  const own = node === undefined || place !== 'template' ? undefined : definition.nodes[node];
  return own && iteratorEntry(tree.root, own.path, name);
}

function iteratorEntry(root: YamlNode, node: Path, name: string): Entry | undefined {
  const forEach = nodeAt(root, [...node, 'forEach']);
  if (forEach?.kind !== 'list') return undefined;
  return forEach.items.map(({ value }) => entryOf(value, name)).find((entry) => entry !== undefined);
}

/** A field of a kind that an RGD defines. */
interface DeclaredAt {
  /** `Kind.group`. */
  kind: string;
  path: Path;
}

/** Returns the locations of the schemas that declare object types, which an expression may reach in any way. */
function declarationsOf({ definition, scopes }: Model, checked: Checked): ReadonlyMap<Schema, DeclaredAt> {
  const found = new Map<Schema, DeclaredAt>();
  const own = groupKind(definition);
  // The metadata of all kinds has one schema.
  for (const part of ['spec', 'status']) put(found, scopes.schema.properties?.[part], { kind: own, path: [part] });
  for (const node of scopes.nodes) {
    if (node === undefined || checked.schemaOf(groupKind(node.gvk)) === undefined) continue;
    const kind = groupKind(node.gvk);
    for (const part of ['spec', 'status']) put(found, node.schema?.properties?.[part], { kind, path: [part] });
  }
  return found;
}

function put(found: Map<Schema, DeclaredAt>, schema: Schema | undefined, at: DeclaredAt): void {
  if (schema === undefined || found.has(schema) || at.path.length > 60) return;
  found.set(schema, at);
  for (const { schema: inner, key, of } of partsOf(schema))
    put(found, inner, { ...at, path: [...at.path, of === 'field' ? key : of === 'items' ? 0 : '*'] });
}
