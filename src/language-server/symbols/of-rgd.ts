import { getOrCompute } from '../../core/model/lazily.ts';
import { groupKind } from '../../core/model/object.ts';
import { ownValue, type Path } from '../../core/model/value.ts';
import type { NodeDefinition } from '../../kro/definition/index.ts';
import { partsOf, type Schema } from '../../kubernetes/schema/index.ts';
import { chainOf, DYN, type Expr } from '../../languages/cel/index.ts';
import { type Entry, entryOf, nodeAt, scalarTextOf, type YamlNode } from '../../yaml/tree/index.ts';
import { type NameAt, namesIn } from '../cel/names.ts';
import { fieldNamed, unwrapped } from '../cel/types.ts';
import { hasText, type Model, type WrittenExpression } from '../expressions.ts';
import type { Checked } from '../workspace/check.ts';
import { collect } from '../yaml/context.ts';
import {
  fieldEntry,
  fieldTarget,
  instanceOccurrences,
  type Occurrence,
  objectTarget,
  occurrences,
  type Target,
  targetAt,
  textOfNode,
} from './targets.ts';

export function rgdOccurrences(model: Model, checked: Checked): Occurrence[] {
  const declarations = declarationsOf(model, checked);
  return [
    ...declared(model),
    ...references(model, checked),
    ...model.expressions.filter(hasText).flatMap((one) => inExpression(one, declarations, checked)),
  ];
}

/** Returns ids, iterators and the kind, the fields of the schema, and the custom types and printer columns in it. */
function declared(model: Model): Occurrence[] {
  const { file, tree, definition } = model;
  const own = (node: YamlNode | undefined, role: Target['role']): Occurrence[] =>
    node?.kind === 'scalar' && node.innerEnd > node.innerStart
      ? occurrences(node, targetAt(file, node, role, textOfNode(file.text, node)))
      : [];
  const schema = nodeAt(tree.root, ['spec', 'schema']);
  return [
    ...definition.nodes.flatMap(({ path, forEach }) => [
      ...own(nodeAt(tree.root, [...path, 'id']), 'node'),
      ...forEach.flatMap(({ name }) => own(iteratorEntry(tree.root, path, name)?.key, 'iterator')),
    ]),
    ...own(nodeAt(schema, ['kind']), 'kind'),
    ...collect(schema, (node, [part, ...path], entry) => {
      const isSimple = part === 'spec' || part === 'types';
      const isField = (isSimple || part === 'status') && typeof path.at(-1) === 'string';
      const field = isField ? own(entry?.key, part === 'types' && path.length === 1 ? 'type' : 'field') : [];
      if (isSimple) return [...field, ...customType(model, node)];
      return part === 'additionalPrinterColumns' && path[1] === 'jsonPath' ? stepsOf(model, node) : field;
    }),
  ];
}

function customType({ file, tree }: Model, node: YamlNode): Occurrence[] {
  if (node.kind !== 'scalar') return [];
  const { value, offsets } = scalarTextOf(file.text, node);
  const [, before = '', name = ''] = /^(\s*(?:\[\]\s*|map\[string\]\s*)*)([A-Za-z]\w*)/.exec(value) ?? [];
  if (/^(?:string|integer|float|boolean|object|map|)$/.test(name)) return [];
  const target = targetAt(file, entryOf(nodeAt(tree.root, ['spec', 'schema', 'types']), name)?.key, 'type', name);
  const start = offsets[before.length] as number;
  return target ? [{ start, end: start + name.length, target }] : [];
}

function stepsOf({ file, tree }: Model, node: YamlNode): Occurrence[] {
  if (node.kind !== 'scalar') return [];
  const path: string[] = [];
  return [...file.text.slice(node.innerStart, node.innerEnd).matchAll(/\.([A-Za-z_]\w*)/g)].flatMap((match) => {
    path.push(match[1] as string);
    const entry = path.length > 1 ? fieldEntry(file.text, tree.root, path) : undefined;
    const target = entry && targetAt(file, entry.key, 'field', entry.name);
    const start = node.innerStart + match.index + 1;
    return target ? [{ start, end: start + target.name.length, target }] : [];
  });
}

/** Returns kinds of other RGDs in templates, and objects that references name. */
const references = ({ tree, file, definition, scopes }: Model, checked: Checked): Occurrence[] =>
  definition.nodes.flatMap(({ path, contentKey }, index) => {
    const object = nodeAt(tree.root, [...path, contentKey]);
    const gvk = scopes.nodes[index]?.gvk;
    if (object === undefined || gvk === undefined) return [];
    const own = instanceOccurrences(file, object, checked, groupKind(gvk));
    const name = contentKey === 'template' ? undefined : nodeAt(object, ['metadata', 'name']);
    return name?.kind === 'scalar'
      ? [...own, ...occurrences(name, objectTarget(checked, gvk, file.text.slice(name.innerStart, name.innerEnd)))]
      : own;
  });

/** The kind and the path that declare a schema. */
type Declarations = ReadonlyMap<Schema, { kind: string; path: Path }>;

function inExpression(expression: WrittenExpression, declarations: Declarations, checked: Checked): Occurrence[] {
  const { model } = expression.written;
  const inspected = expression.inspected();
  if (inspected === undefined) return [];
  const names = namesIn(inspected);
  const variables = names.filter(({ role }) => role === 'variable');
  /** Returns the field of a kind that an RGD defines, or else the one in the template of a node. */
  const ofField = ({ operand, name }: NameAt): Target | undefined => {
    const type = unwrapped((operand && inspected.types.get(operand.id)) ?? DYN);
    if (type.kind === 'object') {
      const property = fieldNamed(type, name)?.property ?? name;
      const at = type.declaration === undefined ? undefined : declarations.get(type.declaration);
      if (at !== undefined) return fieldTarget(checked, at.kind, [...at.path, property], model);
    }
    const { start, path } = chainOf(operand as Expr);
    const variable = variables.find(({ expr }) => expr === start)?.name;
    const node = variable && nodeNamed(expression, variable);
    if (node) return memberTarget(model, node, [...path, name]);
    return variable === 'schema' && path.length === 0
      ? fieldTarget(checked, groupKind(model.definition), [name], model)
      : undefined;
  };
  return names.flatMap((name): Occurrence[] => {
    const start = expression.textOffset(name.offset);
    const end = expression.textOffset(name.end);
    const ofName = name.role === 'variable' ? variableTarget(expression, name.name) : undefined;
    const target = name.role === 'field' ? ofField(name) : ofName;
    return target === undefined ? [] : [{ start, end, target, inExpression: true }];
  });
}

function variableTarget(expression: WrittenExpression, name: string): Target | undefined {
  const { model } = expression.written;
  const iterator = iteratorNamed(expression, name);
  if (iterator !== undefined) return targetAt(model.file, iterator.key, 'iterator', name);
  const node = nodeNamed(expression, name);
  if (node !== undefined) return memberTarget(model, node, []);
  const schema = name === 'schema' ? entryOf(nodeAt(model.tree.root, ['spec']), 'schema') : undefined;
  return targetAt(model.file, schema?.key, 'object', name);
}

/** Returns the node that a name means in an expression: the innermost one of a nested Graph. */
function nodeNamed(expression: WrittenExpression, name: string): NodeDefinition | undefined {
  const { model, node } = expression.written;
  const index = model.scopes.indexOf(name, node);
  return index === undefined || iteratorNamed(expression, name) ? undefined : model.definition.nodes[index];
}

const nestedNodes = new WeakMap<Model, ReadonlyMap<string, NodeDefinition>>();
const keyOfNode = (graph: Path, id: Path[number] | undefined): string => `${graph.join()} ${id}`;

/** Returns the nodes by the path of the node whose Graph they are in, and their ids. */
function indexNested({ definition }: Model): ReadonlyMap<string, NodeDefinition> {
  const found = new Map<string, NodeDefinition>();
  for (const node of definition.nodes) {
    const key = keyOfNode(node.path.slice(0, -3), node.id);
    if (!found.has(key)) found.set(key, node);
  }
  return found;
}

/** Returns the target of a path from a node: the node, one inside its Graph, or a field that it writes. */
function memberTarget(model: Model, node: NodeDefinition, path: Path): Target | undefined {
  const { file, tree } = model;
  const inside = getOrCompute(nestedNodes, model, () => indexNested(model)).get(keyOfNode(node.path, path[0]));
  if (inside !== undefined) return memberTarget(model, inside, path.slice(1));
  if (path.length === 0) return targetAt(file, nodeAt(tree.root, [...node.path, 'id']), 'node', node.id);
  const entry = entryOf(nodeAt(tree.root, [...node.path, node.contentKey, ...path.slice(0, -1)]), String(path.at(-1)));
  return entry && targetAt(file, entry.key, 'template', entry.name);
}

function iteratorNamed({ written: { model, node, place } }: WrittenExpression, name: string): Entry | undefined {
  const own = place === 'template' ? model.definition.nodes[node ?? -1] : undefined;
  return own && iteratorEntry(model.tree.root, own.path, name);
}

function iteratorEntry(root: YamlNode, node: Path, name: string): Entry | undefined {
  const forEach = nodeAt(root, [...node, 'forEach']);
  if (forEach?.kind !== 'list') return undefined;
  return forEach.items.map(({ value }) => entryOf(value, name)).find((entry) => entry !== undefined);
}

/** Returns the kinds, `Kind.group`, and paths of the schemas that declare object types, which expressions may reach. */
function declarationsOf({ definition, scopes }: Model, checked: Checked) {
  const found = new Map<Schema, { kind: string; path: Path }>();
  const put = (schema: Schema | undefined, kind: string, path: Path): void => {
    if (schema === undefined || found.has(schema) || path.length > 60) return;
    found.set(schema, { kind, path });
    for (const { schema: inner, key, of } of partsOf(schema))
      put(inner, kind, [...path, of === 'field' ? key : of === 'items' ? 0 : '*']);
  };
  // The metadata of all kinds has one schema.
  const putParts = (schema: Schema | undefined, kind: string): void => {
    for (const part of ['spec', 'status']) put(ownValue(schema?.properties, part), kind, [part]);
  };
  putParts(scopes.schema, groupKind(definition));
  for (const node of scopes.nodes) {
    const kind = node && groupKind(node.gvk);
    if (kind !== undefined && checked.schemaOf(kind) !== undefined) putParts(node?.schema, kind);
  }
  return found;
}
