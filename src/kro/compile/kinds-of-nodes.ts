import {
  askFor,
  isError,
  type Problem,
  phrase,
  type Reporter,
  shown,
  shownHint,
} from '../../core/diagnostics/index.ts';
import { KRO_PREFIXES } from '../../core/model/keys.ts';
import { parseSelector, type SelectorProblem } from '../../core/model/label-selector.ts';
import { type GroupVersionKind, groupKind, groupVersionKind } from '../../core/model/object.ts';
import type { KubernetesRelease, RenderOptions } from '../../core/model/render.ts';
import { get, getAt, isMap, type Path, textOf, textsIn, type Value, type ValueMap } from '../../core/model/value.ts';
import { nearest, nearestHint } from '../../core/text/nearest.ts';
import { isControllerKind, type KindInfo, type KindRegistry, type Schema } from '../../kubernetes/schema/index.ts';
import type { Program } from '../../languages/cel/index.ts';
import type { Definition, NodeDefinition } from '../definition/index.ts';
import { unknownKindProblem } from './check-definition.ts';
import type { OnScopeExpression } from './expression.ts';
import type { GraphNode } from './graph.ts';
import { holdsExpression, scan } from './scan.ts';

export type NamesFor = (unknown: string) => readonly string[];

const MAX_SUGGESTED = 50;

/** There may be thousands of unknown kinds and of names, so only the first are compared. */
export function suggestionsFrom(names: () => Iterable<string>): NamesFor {
  const asked = new Set<string>();
  return (unknown) => (asked.add(unknown).size > MAX_SUGGESTED ? [] : [...names()]);
}

export interface KindContext {
  kinds: KindRegistry;
  options: RenderOptions;
  /** `Kind.group` of RGDs that do not compile: readers of their kinds get no second error. */
  broken: ReadonlySet<string>;
  namesFor: NamesFor;
  onExpression?: OnExpression | undefined;
  /** Whether labels and annotations of kro are reserved; default true. */
  isReserved?: boolean;
}

/** Called with every valid expression of the RGDs; a returned program replaces the planned one. */
export type OnExpression = (
  definition: Definition,
  ...expression: Parameters<OnScopeExpression>
) => Program | undefined;

/** A node with its kind, before its expressions are compiled. */
export interface ResolvedNode
  extends Pick<GraphNode, 'index' | 'kind' | 'gvk' | 'namespaced' | 'scopeAssumed' | 'schema'> {
  definition: NodeDefinition;
  /** The release of Kubernetes whose kinds are known. */
  release: KubernetesRelease | undefined;
  /** Fields without a type are dyn; kro hides them, and so does `--strict`. */
  lenient: boolean;
  /** The object to compile: the template, or the external reference. */
  object: ValueMap;
  path: Path;
}

/** Resolves the kind of a node and checks what does not depend on expressions (kro: buildResourceNode). */
export function resolveNode(
  node: NodeDefinition,
  index: number,
  definition: Definition,
  context: KindContext,
  reporter: Reporter,
): ResolvedNode | undefined {
  const object = node.template ?? node.externalRef;
  if (object === undefined || (node.template && !hasShape(node.template, node, reporter))) return undefined;
  const path = [...node.path, node.contentKey];
  const gvk = groupVersionKind({ apiVersion: String(object.apiVersion), kind: String(object.kind) });
  const info = context.kinds.find(gvk);
  const undescribed = info === undefined && !context.broken.has(groupKind(gvk));
  const scopeAssumed = info === undefined && !context.options.clusterScoped.includes(groupKind(gvk));
  const namespaced = scopeAssumed
    ? definition.namespaced || setsNamespace(object) || kindOf(node) === 'externalCollection'
    : isNamespaced(gvk, info, context.options);
  // kro rejects the kind of a controller without its CRD too; `validate` knows its schema.
  if (undescribed && (context.options.strict || !isControllerKind(gvk))) {
    const found = { path, gvk, scopeAssumed, namespaced };
    const problem = unknownKindProblem(found, context.namesFor(groupKind(gvk)), {
      strict: context.options.strict,
      release: context.kinds.release,
    });
    reporter.report(problem, node.id);
    if (isError(problem)) return undefined;
  }
  const resolved: ResolvedNode = {
    definition: node,
    release: context.kinds.release,
    index,
    kind: kindOf(node),
    gvk,
    namespaced,
    scopeAssumed,
    object,
    path,
    schema: info?.schema,
    lenient: !context.options.strict,
  };
  if (node.template && context.isReserved !== false) {
    for (const problem of reservedKeys(node.template, path, context.options.strict)) reporter.report(problem, node.id);
  }
  checkNamespace(resolved, definition, reporter);
  return hasSelectorProblem(resolved, reporter) ? undefined : resolved;
}

/** A namespaced object of a cluster-scoped RGD must set its namespace. */
function setsNamespace(object: ValueMap): boolean {
  const namespace = get(get(object, 'metadata'), 'namespace');
  return typeof namespace === 'string' && namespace.trim() !== '';
}

/** Reports whether a kind is namespaced; unknown kinds are, unless the options say otherwise. */
export const isNamespaced = (gvk: GroupVersionKind, info: KindInfo | undefined, options: RenderOptions): boolean =>
  info?.namespaced ?? !options.clusterScoped.includes(groupKind(gvk));

function kindOf(node: NodeDefinition): ResolvedNode['kind'] {
  if (node.externalRef === undefined) return node.forEach.length > 0 ? 'collection' : 'resource';
  const selector = get(get(node.externalRef, 'metadata'), 'selector');
  return selector === undefined || selector === null ? 'external' : 'externalCollection';
}

function hasShape(template: ValueMap, node: NodeDefinition, reporter: Reporter): boolean {
  const problems = IDENTIFYING.flatMap((key) => shapeProblem(key, template, [...node.path, 'template']) ?? []);
  for (const problem of problems) reporter.report(problem, node.id);
  return problems.length === 0;
}

const IDENTIFYING = ['apiVersion', 'kind', 'metadata'];

function shapeProblem(key: string, template: ValueMap, path: Path): Problem | undefined {
  const code = 'template-shape';
  const value = get(template, key);
  const isText = typeof value === 'string' && value !== '';
  if (key === 'metadata' ? isMap(value) : isText && !value.includes('${')) return undefined;
  const others = value === undefined ? Object.keys(template).filter((other) => !IDENTIFYING.includes(other)) : [];
  const misspelt = others.find((other) => nearest(other, [key]).length > 0);
  if (misspelt !== undefined) {
    const message = phrase`a template has no field '${{ key: shown(misspelt) }}', and '${{ expected: shown(key) }}' is missing`;
    return { code, message, path: [...path, misspelt], hint: shownHint(askFor([key])) };
  }
  if (key === 'metadata') return { code, message: phrase`a template must have a metadata map`, path: [...path, key] };
  const message = isText
    ? phrase`${{ key }} must be written out: it decides which schema the template has`
    : phrase`a template must have a string ${{ key }}`;
  return { code, message, path: [...path, key] };
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
  // A reference drops an empty namespace when it is decoded; a template keeps it.
  const namespace = node.definition.externalRef !== undefined && (given === null || given === '') ? undefined : given;
  const { kind } = node.gvk;
  if (!node.namespaced && namespace !== undefined && node.schema !== undefined) {
    const message = phrase`${{ kind }} is cluster-scoped: it cannot have a namespace`;
    reporter.report({ code: 'namespace-on-cluster-kind', message, path }, node.definition.id);
  }
  if (!node.namespaced || definition.namespaced || node.kind === 'externalCollection') return;
  if (typeof namespace === 'string' && namespace.trim() !== '') return;
  const message = phrase`${{ kind }} is namespaced and ${definition.kind} is not: the template must set metadata.namespace`;
  reporter.report({ code: 'namespace-missing', message, path }, node.definition.id);
}

const ORCHESTRATOR_KEYS =
  /^(internal\.config\.kubernetes\.io\/|config\.kubernetes\.io\/(path|index|local-config|function)$)/;

export const isReservedKey = (key: string): boolean => KRO_PREFIXES.some((prefix) => key.startsWith(prefix));

/** Annotations with which kustomize and kpt track files; an object that sets them would be misplaced. */
export const isOrchestratorKey = (key: string): boolean => ORCHESTRATOR_KEYS.test(key);

/** kro: validateNoKROOwnedLabels; the rule for `kro.run/` annotations is from kro 0.9.3: a warning unless strict. */
function reservedKeys(template: ValueMap, path: Path, strict: boolean): Problem[] {
  const problems: Problem[] = [];
  for (const where of ['labels', 'annotations'] as const) {
    const map = get(get(template, 'metadata'), where);
    if (!isMap(map)) continue;
    for (const key of Object.keys(map)) {
      const at = [...path, 'metadata', where, key];
      if (where === 'annotations' && isOrchestratorKey(key)) {
        const message = phrase`the annotation '${{ key }}' belongs to kustomize and kpt`;
        problems.push({ code: 'reserved-key', message, path: at });
      } else if (isReservedKey(key)) {
        const message = phrase`${shown(where)} with the prefix '${{ key: key.slice(0, key.indexOf('/') + 1) }}' are reserved for the renderer`;
        const lenient = where === 'annotations' && key.startsWith(KRO_PREFIXES[0]) && !strict;
        problems.push({ code: 'reserved-key', message, path: at, ...(lenient ? { severity: 'warning' } : {}) });
      }
    }
  }
  return problems;
}

/** kro: validateSelector. A LabelSelector, or one expression; labels are checked here only if nothing is computed. */
function selectorProblems(selector: Value, path: Path): Problem[] {
  const problem = ({ message, path: inside }: SelectorProblem): Problem => {
    const key = inside.at(-1);
    const known = inside.length === 1 ? ['matchLabels', 'matchExpressions'] : ['key', 'operator', 'values'];
    const intended = typeof key === 'string' && !known.includes(key) ? shownHint(nearestHint(key, known)) : undefined;
    return { code: 'selector-shape', message: phrase`${message}`, path: [...path, ...inside], hint: intended };
  };
  if (typeof selector === 'string') {
    if (isStandalone(selector)) return [];
    const message = phrase`a selector must be a LabelSelector, or one expression that yields one`;
    return [{ code: 'selector-shape', message, path }];
  }
  const { faults } = parseSelector(selector);
  const isComputed = ({ about, path: inside }: SelectorProblem): boolean =>
    about === 'text' || (about === 'type' && isStandalone(textOf(getAt(selector, inside))));
  const hasExpression = [...textsIn(selector)].some(({ text }) => holdsExpression(text));
  return (hasExpression ? faults.filter((fault) => !isComputed(fault)) : faults).map(problem);
}

/** Returns the schema of an external reference, whose identity consists of strings. */
export function referenceSchema(externalRef: ValueMap): Schema {
  const selector = get(get(externalRef, 'metadata'), 'selector') ?? null;
  const properties = { name: TEXT, namespace: TEXT, selector: selectorSchema(selector) };
  return {
    type: 'object',
    properties: { apiVersion: TEXT, kind: TEXT, metadata: { type: 'object', properties } },
  };
}

const TEXT: Schema = { type: 'string' };

/** A selector that is computed as a whole may be loosely typed, as in kro. */
function selectorSchema(selector: Value): Schema {
  if (typeof selector === 'string') return { type: 'object', additionalProperties: true };
  const expressions = get(selector, 'matchExpressions');
  return {
    type: 'object',
    properties: {
      matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
      // A list of anything: the types of its entries are checked at run time.
      matchExpressions:
        typeof expressions === 'string'
          ? { type: 'array', items: { 'x-kubernetes-int-or-string': true } }
          : { type: 'array' },
    },
  };
}

function isStandalone(text: string): boolean {
  const scanned = scan(text);
  return scanned.ok && scanned.standalone;
}
