import { advise, isError, type Message, type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import type { GroupVersionKind } from '../../core/model/object.ts';
import { formatPath, get, type Path, type Value } from '../../core/model/value.ts';
import { objectMetaSchema, type Schema, unservedField } from '../../kubernetes/schema/index.ts';
import { type CelType, DYN, listOf } from '../../languages/cel/index.ts';
import { externalPathsOf } from './alpha-fields.ts';
import { RUNTIME_ELSEWHERE } from './conditions.ts';
import { declaredType, typeText } from './declared-type.ts';
import { callsOmit, compileStandalone, type Scope } from './expression.ts';
import { conditionHint, fallbackTo, sourceOf } from './fields.ts';
import { type ForEachDimension, type GraphNode, isList, layered, numbered } from './graph.ts';
import { type ResolvedNode, referenceSchema } from './kinds-of-nodes.ts';
import { compileTemplate, type TypedField } from './template.ts';
import { type CompiledExpression, literalSize, planTemplate } from './template-program.ts';

/** The context that all nodes of an RGD share: `schema` and every node id, with its type for other nodes. */
export interface NodeContext extends Omit<Scope, 'variables' | 'iterators' | 'forbidden' | 'report'> {
  variables: ReadonlyMap<string, CelType>;
  /** Whether an object without a namespace gets that of its instance. */
  instancesNamespaced: boolean;
}

function objectTypeOf(node: ResolvedNode): CelType {
  return (node.schema && declaredType(node.schema, `__type_${node.definition.id}`, { lenient: node.lenient })) ?? DYN;
}

/** Returns the type of a node for other nodes: a list for collections. */
export function variableTypeOf(node: ResolvedNode): CelType {
  const type = objectTypeOf(node);
  return isList(node) ? { ...listOf(type), collection: true } : type;
}

/** Returns what is known of an unknown field that another release of Kubernetes serves. */
function servedElsewhere({ gvk, schema, release, path }: ResolvedNode, problem: Problem): Problem | undefined {
  if (problem.code !== 'unknown-template-field' || release === undefined) return undefined;
  const found = unservedField({ gvk, schema, release }, problem.path.slice(path.length));
  return found && { ...found, path: problem.path };
}

/** Compiles all expressions of a node. Problems are reported with paths from the RGD's root. */
export function compileNode(
  node: ResolvedNode,
  context: NodeContext,
  onProblem: (problem: Problem) => void,
): GraphNode {
  const { definition } = node;
  const report = (problem: Problem): void => onProblem(servedElsewhere(node, problem) ?? problem);
  const base = scopeOf(node, context, report);
  const iteratorNames = new Map(
    definition.forEach.map(({ name }) => [name, `'${name}' is an iterator of this node, which is not visible here`]),
  );
  const outside: Scope = { ...base, forbidden: layered(iteratorNames, base.forbidden) };
  const forEach = compileForEach(node, outside);
  const inTemplate: CompiledExpression[] = [];
  const identity = new Set<string>();
  // The reads of an invalid expression are unknown: a missing iterator would be a second error with the same cause.
  let failedIdentity = false;
  const inside = scopeInTemplate(node, context, base, forEach, (problem) => {
    failedIdentity ||= isError(problem) && isMetadata(problem.path.slice(node.path.length));
    report(problem);
  });
  const template = compileTemplate(
    node.object,
    { path: node.path, ...templateSchema(node), typeName: `__type_${definition.id}` },
    {
      scope: inside,
      root: node.path.length,
      collection: node.kind === 'collection',
      onExpression: (expression, path) => {
        inTemplate.push(expression);
        checkPosition(node, expression, path, context, report);
        if (!isIdentity(path, node.namespaced)) return;
        for (const name of expression.names) identity.add(name);
      },
    },
  );
  reportUnusedIterators(node, identity, forEach.failed || failedIdentity, report);
  const includeWhen = compileIncludeWhen(node, outside);
  const compiled = [...forEach.dimensions.map(({ expression }) => expression), ...inTemplate, ...includeWhen];
  checkReadyWhen(node, base);
  return {
    id: definition.id,
    index: node.index,
    kind: node.kind,
    gvk: node.gvk,
    namespaced: node.namespaced,
    scopeAssumed: node.scopeAssumed,
    schema: node.schema,
    template: planTemplate(template),
    literal: literalSize(template),
    expressions: inTemplate,
    shared: inTemplate.filter(({ perItem }) => !perItem),
    forEach: forEach.dimensions,
    includeWhen,
    dependencies: [...new Set(compiled.flatMap((expression) => expression.nodes))],
    path: definition.path,
    contentKey: definition.contentKey,
    ...(definition.deletionPolicy === 'Orphaned' && { isOrphaned: true }),
    ...(definition.externalFields !== undefined && { externalFields: externalPathsOf(definition) }),
  };
}

/** Returns the scope of the expressions of a template, which see the iterators of its node. */
function scopeInTemplate(
  node: ResolvedNode,
  context: NodeContext,
  base: NodeScope,
  forEach: CompiledForEach,
  report: Scope['report'],
): Scope {
  // Iterators come after the shared slots of the graph.
  const slots = new Map(node.definition.forEach.map(({ name }, index) => [name, context.slots.size + index]));
  return {
    ...base,
    report,
    omit: base.omit === 'nowhere' ? 'nowhere' : 'here',
    variables: layered(forEach.types, base.variables),
    slots: layered(slots, context.slots),
    iterators: new Map(forEach.dimensions.map(({ name, expression }) => [name, expression.nodes])),
  };
}

/** Reports an expression of a template that may not be where it is. */
function checkPosition(
  node: ResolvedNode,
  expression: CompiledExpression,
  path: Path,
  context: NodeContext,
  report: Scope['report'],
): void {
  const isNeeded = isIdentity(path, node.namespaced && !context.instancesNamespaced);
  if (isNeeded && callsOmit(expression)) {
    const message = phrase`omit() cannot be used at ${{ field: shown(formatPath(path)) }}, which must have a value`;
    report({ code: 'function-not-here', message, path: [...node.path, ...path], offset: expression.offset });
  }
  if (isCustomResourceDefinition(node.gvk) && path[0] !== 'metadata') {
    const message = phrase`a CustomResourceDefinition may have expressions under metadata only`;
    report({ code: 'crd-expression', message, path: [...node.path, ...path] });
  }
}

/** A scope whose forbidden names can be listed. */
type NodeScope = Scope & { forbidden: ReadonlyMap<string, string> };

/** Returns the scope of the expressions of a node outside of its readyWhen. */
export function scopeOf(
  { definition: { id } }: ResolvedNode,
  context: NodeContext,
  report: Scope['report'],
): NodeScope {
  return {
    ...context,
    report,
    variables: layered<CelType>(new Map(), context.variables, id),
    iterators: new Map(),
    forbidden: new Map([
      ...RUNTIME_ELSEWHERE,
      [id, `'${id}' is this node: a node cannot read itself`],
      ['each', "'each' is one object of a collection and exists in its readyWhen only"],
    ]),
  };
}

/** The literals of a CRD are not checked, as in kro, except for its labels; expressions in its metadata must match. */
function templateSchema(node: ResolvedNode): Pick<TypedField, 'schema' | 'fit'> {
  if (node.definition.externalRef !== undefined) return { schema: referenceSchema(node.definition.externalRef) };
  if (!isCustomResourceDefinition(node.gvk)) return { schema: node.schema };
  const { labels, annotations } = objectMetaSchema.properties ?? {};
  const metadata = { properties: { labels, annotations }, additionalProperties: true } as Schema;
  return {
    schema: { properties: { metadata }, additionalProperties: true },
    fit: { properties: { metadata: objectMetaSchema } },
  };
}

const isCustomResourceDefinition = (gvk: GroupVersionKind): boolean =>
  gvk.group === 'apiextensions.k8s.io' && gvk.kind === 'CustomResourceDefinition';

function isIdentity(path: Path, namespaced: boolean): boolean {
  return path.length === 2 && path[0] === 'metadata' && (path[1] === 'name' || (namespaced && path[1] === 'namespace'));
}

const isMetadata = (path: Path): boolean => path.length === 0 || (path[0] === 'metadata' && path.length <= 2);

interface CompiledForEach {
  dimensions: ForEachDimension[];
  /** The types of the iterators, by name. */
  types: Map<string, CelType>;
  /** An error was reported. */
  failed: boolean;
}

/** Compiles the lists that a node iterates over, and reports what is not a list. */
export function compileForEach(node: ResolvedNode, scope: Scope): CompiledForEach {
  const dimensions: ForEachDimension[] = [];
  const types = new Map<string, CelType>();
  let failed = false;
  for (const [index, { name, text, path }] of node.definition.forEach.entries()) {
    const expression = compileStandalone({ text, path, what: 'forEach' }, scope);
    const element = expression && elementType(expression, scope);
    // After an error in a list the iterator is dyn, so that its readers are still checked otherwise.
    types.set(name, element ?? DYN);
    failed ||= element === undefined;
    if (expression !== undefined && element === undefined) {
      const message = phrase`forEach expects a list, got ${{ got: shown(typeText(expression.type)) }}`;
      scope.report({ code: 'foreach-type', message, path, offset: expression.offset, hint: listHint(expression) });
    } else if (expression !== undefined) dimensions.push({ name, slot: scope.slots.size + index, expression });
  }
  return { dimensions, types, failed };
}

/** A dyn list is rejected (kro), unless its kind is unknown. */
function elementType(expression: CompiledExpression, scope: Scope): CelType | undefined {
  if (expression.type.kind === 'list') return expression.type.element;
  return expression.type.kind === 'dyn' && readsUndescribed(expression, scope) ? DYN : undefined;
}

const readsUndescribed = ({ names }: CompiledExpression, { untyped }: Scope): boolean =>
  names.some((name) => untyped.has(name));

function listHint(expression: CompiledExpression): Message | undefined {
  const { kind } = expression.type;
  const source = sourceOf(expression);
  if (kind === 'map') return phrase`iterate over its keys: ${source}.map(key, key)`;
  if (kind === 'optional') return advise(phrase`give a fallback: ${source}.orValue([])`, fallbackTo('[]'));
  if (kind === 'dyn') return phrase`declare the field with a list type in the schema`;
  if (kind === 'string') return phrase`declare the field as a list, "[]string", or split it: ${source}.split(",")`;
  if (kind === 'int') return phrase`iterate over numbers: lists.range(${source})`;
  if (kind === 'bool') return phrase`a condition is an includeWhen`;
  return kind === 'object' ? phrase`pick one of its fields that is a list` : undefined;
}

function compileIncludeWhen(node: ResolvedNode, scope: Scope): CompiledExpression[] {
  return node.definition.includeWhen.flatMap((text, index) => {
    const path = [...node.definition.path, 'includeWhen', index];
    const expression = compileStandalone({ text, path, what: 'includeWhen' }, scope);
    if (expression === undefined) return [];
    const untyped = expression.type.kind === 'dyn' && readsUndescribed(expression, scope);
    if (!isCondition(expression.type) && !untyped) reportCondition('includeWhen', expression, scope);
    return [expression];
  });
}

function reportCondition(what: string, expression: CompiledExpression, { report }: Scope): void {
  const message = phrase`${what} expected bool or optional bool, got ${{ got: shown(typeText(expression.type)) }}`;
  const { path, offset } = expression;
  report({ code: 'condition-type', message, path, offset, hint: conditionHint(expression) });
}

const isCondition = (type: CelType): boolean =>
  type.kind === 'bool' || (type.kind === 'optional' && type.value.kind === 'bool');

/** Returns the only name that readyWhen may use: the node itself, or each object of a collection. */
export function readyWhenNames(node: ResolvedNode): ReadonlyMap<string, CelType> {
  if (node.kind === 'collection') return new Map([['each', objectTypeOf(node)]]);
  const type = node.kind === 'externalCollection' ? variableTypeOf(node) : objectTypeOf(node);
  return new Map([[node.definition.id, type]]);
}

/** Checks readyWhen like other expressions; it never runs, because rendering does not wait for it. */
function checkReadyWhen(node: ResolvedNode, base: Scope): void {
  if (node.definition.readyWhen.length === 0) return;
  const variables = readyWhenNames(node);
  const [name = ''] = variables.keys();
  const elsewhere =
    name === 'each'
      ? "readyWhen of a collection reads 'each' only"
      : `readyWhen reads the node itself ('${name}') only`;
  const scope: Scope = {
    ...base,
    variables,
    slots: numbered([name]),
    nodes: new Map(),
    forbidden: { get: (other) => (base.variables.has(other) || other === node.definition.id ? elsewhere : undefined) },
  };
  const path = [...node.definition.path, 'readyWhen'];
  for (const [index, text] of node.definition.readyWhen.entries()) {
    const expression = compileStandalone({ text, path: [...path, index], what: 'readyWhen' }, scope);
    if (expression === undefined || isCondition(expression.type)) continue;
    if (expression.type.kind === 'dyn' && node.schema === undefined) continue;
    reportCondition('readyWhen', expression, scope);
  }
}

function reportUnusedIterators(
  node: ResolvedNode,
  identity: ReadonlySet<string>,
  failed: boolean,
  report: (problem: Problem) => void,
): void {
  if (failed || get(node.object, 'metadata') === undefined) return;
  const unused = node.definition.forEach.filter(({ name }) => !identity.has(name));
  if (unused.length === 0) return;
  const names = unused.map(({ name }) => `'${name}'`).join(', ');
  const where = node.namespaced ? 'metadata.name or metadata.namespace' : 'metadata.name';
  report({
    code: 'iterator-not-in-identity',
    message: phrase`every iterator must appear in ${shown(where)}, or items would share one identity; missing: ${{ name: names }}`,
    path: [...node.path, 'metadata', 'name'],
    hint: phrase`${iteratorHint(get(get(node.object, 'metadata'), 'name'), unused[0]?.name ?? '')}`,
  });
}

function iteratorHint(name: Value | undefined, iterator: string): string {
  const isBraced = typeof name === 'string' && new RegExp(`(^|[^$])[{(]\\s*${iterator}\\b`).test(name);
  const example = `name: \${schema.metadata.name}-\${${iterator}}`;
  return isBraced ? `an expression needs a $ before the brace: ${example}` : `for example ${example}`;
}
