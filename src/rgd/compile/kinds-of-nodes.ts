import type { Reporter } from '../../diagnostics/index.ts';
import { type GroupVersionKind, groupVersionKind } from '../../model/object.ts';
import type { RenderOptions } from '../../model/render.ts';
import { get, isMap, type ValueMap } from '../../model/value.ts';
import type { KindInfo, KindRegistry } from '../../schema/index.ts';
import { type Definition, groupKind, type NodeDefinition } from '../definition/index.ts';
import type { Found } from './expression.ts';
import type { ResolvedNode } from './node.ts';
import { reservedKeys } from './reserved.ts';
import { selectorProblems } from './selector.ts';
import { unknownKind } from './unknown-kind.ts';

/** The kinds to suggest in place of an unknown one. There may be thousands of both, so only the first ones are told. */
export interface Suggestions {
  namesFor(unknown: string): readonly string[];
}

const MAX_SUGGESTED = 50;

export function suggestionsFrom(names: () => Iterable<string>): Suggestions {
  const asked = new Set<string>();
  return {
    namesFor(unknown) {
      asked.add(unknown);
      return asked.size > MAX_SUGGESTED ? [] : [...names()];
    },
  };
}

export interface KindContext {
  kinds: KindRegistry;
  options: RenderOptions;
  /** `Kind.group` of RGDs that could not be compiled: readers of their kinds get no second error. */
  broken: ReadonlySet<string>;
  suggestions: Suggestions;
  found?: FoundIn | undefined;
}

/** Told about every expression of the RGDs that is right. */
export type FoundIn = (definition: Definition, ...found: Parameters<Found>) => void;

/** Finds what a node makes or reads and checks what needs no expressions (kro: buildResourceNode). */
export function resolveNode(
  node: NodeDefinition,
  index: number,
  definition: Definition,
  context: KindContext,
  reporter: Reporter,
): ResolvedNode | undefined {
  const object = node.template ?? node.externalRef;
  if (object === undefined || (node.template && !hasShape(node.template, node, reporter))) return undefined;
  const path = [...node.path, node.template === undefined ? 'externalRef' : 'template'];
  const gvk = groupVersionKind({ apiVersion: String(object.apiVersion), kind: String(object.kind) });
  const info = context.kinds.find(gvk);
  const undescribed = info === undefined && !context.broken.has(groupKind(gvk));
  const scopeAssumed = info === undefined && !context.options.clusterScoped.includes(groupKind(gvk));
  const namespaced = scopeAssumed
    ? definition.namespaced || setsNamespace(object) || kindOf(node) === 'externalCollection'
    : isNamespaced(gvk, info, context.options);
  const found = { path, gvk, scopeAssumed, namespaced };
  if (undescribed && !reportUnknownKind(node, found, context, reporter)) return undefined;
  const resolved: ResolvedNode = {
    definition: node,
    index,
    kind: kindOf(node),
    gvk,
    namespaced,
    scopeAssumed,
    schema: info?.schema,
    lenient: !context.options.strict,
    object,
    path,
  };
  if (node.template) {
    for (const problem of reservedKeys(node.template, path, context.options.strict)) reporter.report(problem, node.id);
  }
  checkNamespace(resolved, definition, reporter);
  return hasSelectorProblem(resolved, reporter) ? undefined : resolved;
}

/** Under a cluster-scoped RGD a namespaced object would have to. */
function setsNamespace(object: ValueMap): boolean {
  const namespace = get(get(object, 'metadata'), 'namespace');
  return typeof namespace === 'string' && namespace.trim() !== '';
}

/** A kind that nothing describes is assumed to be namespaced unless the options say otherwise. */
export const isNamespaced = (gvk: GroupVersionKind, info: KindInfo | undefined, options: RenderOptions): boolean =>
  info?.namespaced ?? !options.clusterScoped.includes(groupKind(gvk));

function kindOf(node: NodeDefinition): ResolvedNode['kind'] {
  if (node.externalRef === undefined) return node.forEach.length > 0 ? 'collection' : 'resource';
  const selector = get(get(node.externalRef, 'metadata'), 'selector');
  return selector === undefined || selector === null ? 'external' : 'externalCollection';
}

function hasShape(template: ValueMap, node: NodeDefinition, reporter: Reporter): boolean {
  let whole = true;
  for (const key of ['apiVersion', 'kind']) {
    const value = get(template, key);
    if (typeof value === 'string' && value !== '' && !value.includes('${')) continue;
    whole = false;
    const message =
      typeof value === 'string' && value !== ''
        ? `${key} must be written out: it decides which schema the template has`
        : `a template must have a string ${key}`;
    reporter.report({ code: 'template-shape', message, path: [...node.path, 'template', key] }, node.id);
  }
  if (!isMap(get(template, 'metadata'))) {
    whole = false;
    const message = 'a template must have a metadata map';
    reporter.report({ code: 'template-shape', message, path: [...node.path, 'template', 'metadata'] }, node.id);
  }
  return whole;
}

/** Whether the node can be compiled all the same. */
function reportUnknownKind(
  node: NodeDefinition,
  { path, gvk, scopeAssumed, namespaced }: Pick<ResolvedNode, 'path' | 'gvk' | 'scopeAssumed' | 'namespaced'>,
  { suggestions, options }: KindContext,
  reporter: Reporter,
): boolean {
  const { impossible, meant } = unknownKind(gvk, suggestions.namesFor(groupKind(gvk)));
  const isError = options.strict || impossible;
  const written = `${gvk.group === '' ? '' : `${gvk.group}/`}${gvk.version} ${gvk.kind}`;
  const scope = namespaced ? 'namespaced' : 'cluster-scoped';
  const assumed = scopeAssumed ? `, and it is assumed to be ${scope}` : '';
  const consequence = isError ? '' : `; its fields are not checked${assumed}`;
  const known = meant.length === 0 ? '' : `did you mean ${meant.join(' or ')}? If not, `;
  const option = `, or use --cluster-scoped ${groupKind(gvk)} if it has no namespace`;
  const crd = `add its CustomResourceDefinition to the input${isError || !scopeAssumed || !namespaced ? '' : option}`;
  const newer = 'give the types of a newer Kubernetes with --openapi';
  reporter.report(
    {
      code: 'unknown-kind',
      message: impossible
        ? `${gvk.group === '' ? 'the core API group' : `the API group ${gvk.group}`} of Kubernetes has no kind ${gvk.kind}`
        : `no core type, CRD or RGD describes ${written}${consequence}`,
      path: [...path, 'kind'],
      severity: isError ? 'error' : 'warning',
      hint: `${known}${impossible ? newer : crd}`,
      alike: written,
    },
    node.id,
  );
  return !isError;
}

function hasSelectorProblem({ kind, object, path, definition }: ResolvedNode, reporter: Reporter): boolean {
  if (kind !== 'externalCollection') return false;
  const selector = get(get(object, 'metadata'), 'selector') ?? null;
  const problems = selectorProblems(selector, [...path, 'metadata', 'selector']);
  for (const problem of problems) reporter.report(problem, definition.id);
  return problems.length > 0;
}

/** kro: validateTemplateConstraints. */
function checkNamespace(node: ResolvedNode, definition: Definition, reporter: Reporter): void {
  const path = [...node.path, 'metadata', 'namespace'];
  const given = get(get(node.object, 'metadata'), 'namespace');
  // A reference drops an empty namespace when it is decoded; in a template it is there.
  const namespace = node.definition.externalRef !== undefined && (given === null || given === '') ? undefined : given;
  const { kind } = node.gvk;
  if (!node.namespaced && namespace !== undefined && node.schema !== undefined) {
    const message = `${kind} is cluster-scoped: it cannot have a namespace`;
    reporter.report({ code: 'namespace-on-cluster-kind', message, path }, node.definition.id);
  }
  if (!node.namespaced || definition.namespaced || node.kind === 'externalCollection') return;
  if (typeof namespace === 'string' && namespace.trim() !== '') return;
  const message = `${kind} is namespaced and ${definition.kind} is not: the template must set metadata.namespace`;
  reporter.report({ code: 'namespace-missing', message, path }, node.definition.id);
}
