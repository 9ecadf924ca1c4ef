import table from '../../../data/lints.json';
import { phrase, shown } from '../../core/diagnostics/index.ts';
import { groupKind, groupVersionKind, isKubeObject } from '../../core/model/object.ts';
import { get, getAt, type Path, textsIn, type Value } from '../../core/model/value.ts';
import { docsUrl } from '../../core/text/docs-url.ts';
import { partsOf } from '../../kro/compile/index.ts';
import { type Definition, helmTemplateIn, type NodeDefinition, plainReferenceIn } from '../../kro/definition/index.ts';
import { markersOf } from '../../kro/simpleschema/index.ts';
import type { Expr } from '../../languages/cel/index.ts';
import { at, insideTemplate, type LintedExpression, type LintProblem, type Subject } from './subject.ts';

/** Fields of Kubernetes' own kinds in which the API server replaces null with a default. */
const LEAVE_OUT = docsUrl('leave-out.md');
const DEFAULTED = new Set(table.defaulted);

/** Reports an optional that is a whole field, and so may be null, and null in an arm where a default applies. */
export function* nullValue({ graph, expressions }: Subject): Iterable<LintProblem> {
  for (const linted of expressions) {
    const { expression } = linted;
    const isOptional = expression.type.kind === 'optional';
    const isReset = DEFAULTED.has(String(expression.path.at(-1))) && mayBeNull(expression.parsed.root);
    if (linted.place !== 'template' || !(isOptional || isReset)) continue;
    const [metadata, map] = insideTemplate(linted) ?? [];
    // Null labels and annotations are removed.
    if (metadata === 'metadata' && (map === 'labels' || map === 'annotations')) continue;
    const text = getAt(graph.input.object, expression.path);
    if (typeof text !== 'string' || partsOf(text).length !== 1) continue;
    const source = expression.source.trim();
    const [message, hint] = isReset
      ? [
          phrase`the expression may yield null, in place of which the API server writes its default`,
          phrase`leave the field out: ${shown(LEAVE_OUT)}`,
        ]
      : [
          phrase`the expression yields an optional, which is written as null if it has no value`,
          phrase`add a fallback, (${source}).orValue(...), or create the map that contains the field: {?"field": ${source}}`,
        ];
    yield at(linted, { offset: 0 }, message, hint);
  }
}

function mayBeNull(expr: Expr): boolean {
  if (expr.kind === 'literal') return expr.literal.type === 'null';
  if (expr.kind !== 'call') return false;
  if (expr.name === 'dyn') return expr.args.some(mayBeNull);
  return expr.name === '_?_:_' && expr.args.slice(1).some(mayBeNull);
}

/** Reports one expression whose value is a string with a line break, which a block scalar adds. Files are excluded. */
export function* trailingNewline({ graph, expressions }: Subject): Iterable<LintProblem> {
  for (const linted of expressions) {
    if (linted.place !== 'template' || isFile(linted)) continue;
    const text = getAt(graph.input.object, linted.expression.path);
    if (typeof text !== 'string' || !text.endsWith('\n')) continue;
    const parts = partsOf(text);
    const isOnlyExpression = parts.filter((part) => 'source' in part).length === 1;
    if (!isOnlyExpression || parts.some((part) => 'text' in part && part.text.trim() !== '')) continue;
    const message = phrase`a line break follows the expression, so the value is a string that ends with a line break`;
    const hint = phrase`write the block scalar with a dash, |- or >-, or the expression in quotes`;
    yield at(linted, { offset: 0 }, message, hint);
  }
}

function isFile(linted: LintedExpression): boolean {
  const { group, kind } = linted.node?.gvk ?? {};
  const [field] = insideTemplate(linted) ?? [];
  return group === '' && (kind === 'ConfigMap' || kind === 'Secret') && (field === 'data' || field === 'stringData');
}

/** Kinds that set the replicas of another object, with their field that names it. */
const SCALERS: Readonly<Record<string, string>> = table.scalers;

/** Reports replicas that another node of the RGD sets too: each apply would reset them. */
export function* scaledReplicas({ definition: { nodes }, graph }: Subject): Iterable<LintProblem> {
  for (const scaler of nodes) {
    const kind = isKubeObject(scaler.template) ? groupKind(groupVersionKind(scaler.template)) : '';
    const field = Object.hasOwn(SCALERS, kind) ? SCALERS[kind] : undefined;
    const target = field === undefined ? undefined : getAt(scaler.template, ['spec', field]);
    for (const node of target === undefined ? [] : nodes) {
      const replicas = getAt(node.template, ['spec', 'replicas']) ?? null;
      if (replicas === null || replicas === 0n || !isTarget(node, target) || areAlternatives(node, scaler)) continue;
      yield {
        message: phrase`'replicas' is set here, and by node '${{ node: scaler.id }}', a ${{ kind: shown(kind.split('.')[0] ?? '') }}: each apply resets it`,
        path: [...node.path, 'template', 'spec', 'replicas'],
        node: graph.nodeById.get(node.id),
        hint: phrase`leave it out: ${shown(LEAVE_OUT)}`,
      };
    }
  }
}

/** Reports whether a reference names the object of a node, with the same text or through the node. */
function isTarget({ id, template }: NodeDefinition, target: Value | undefined): boolean {
  const name = expressionOf(get(target, 'name'));
  const isNamed =
    name !== '' && (name === `\${${id}.metadata.name}` || name === expressionOf(getAt(template, ['metadata', 'name'])));
  return isNamed && (get(target, 'kind') ?? 'Deployment') === get(template, 'kind');
}

/** Reports whether one of two nodes is included only if the other one is not. */
function areAlternatives(one: NodeDefinition, other: NodeDefinition): boolean {
  const [conditions, others] = [one, other].map(({ includeWhen }) => includeWhen.map(expressionOf)) as [
    string[],
    string[],
  ];
  const negated = (text: string): string[] => [`\${!${text.slice(2)}`, `\${!(${text.slice(2, -1)})}`];
  const excludes = (some: string[], all: string[]): boolean =>
    some.some((text) => negated(text).some((condition) => all.includes(condition)));
  return excludes(conditions, others) || excludes(others, conditions);
}

/** Returns a text without the spaces that do not matter in an expression. */
const expressionOf = (value: Value | undefined): string => (typeof value === 'string' ? value.replace(/\s+/g, '') : '');

function* writtenFields({ schema }: Definition): Iterable<{ markers: ReturnType<typeof markersOf>; path: Path }> {
  for (const part of ['spec', 'types'] as const)
    for (const { text, path } of textsIn(schema[part], ['spec', 'schema', part]))
      yield { markers: markersOf(text), path };
}

/** Reports a required field with a default: the default always exists, so nothing is required. */
export function* requiredDefault({ definition }: Subject): Iterable<LintProblem> {
  for (const { markers, path } of writtenFields(definition)) {
    const required = markers.find((marker) => marker.name === 'required' && marker.value === 'true');
    if (required === undefined || !markers.some(({ name }) => name === 'default')) continue;
    const message = phrase`the field is required and has a default, so instances never have to set it`;
    yield { message, path, offset: required.offset, hint: phrase`remove required=true, or the default` };
  }
}

/** Markers of which the second must not be less than the first. */
const BOUNDS = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

/** Reports bounds that no value meets: an API server accepts them, and rejects each instance that sets the field. */
export function* contradictoryBounds({ definition }: Subject): Iterable<LintProblem> {
  for (const { markers, path } of writtenFields(definition)) {
    for (const [least, most] of BOUNDS) {
      const low = markers.find(({ name }) => name === least);
      const high = markers.find(({ name }) => name === most);
      if (low === undefined || high === undefined || !(Number(low.value) > Number(high.value))) continue;
      const message = phrase`no value meets the bounds: ${shown(least)}=${low.value} is above ${shown(most)}=${high.value}`;
      yield { message, path, offset: low.offset, hint: phrase`swap them, or correct one of them` };
    }
  }
}

/** Reports a default that looks like an expression, which kro treats as text. */
export function* defaultExpression({ definition }: Subject): Iterable<LintProblem> {
  for (const { markers, path } of writtenFields(definition)) {
    const found = markers.find((marker) => marker.name === 'default' && marker.value.includes('${'));
    if (found === undefined) continue;
    const message = phrase`a default is literal text: the expression in it is not evaluated`;
    const hint = phrase`compute the value in the template: \${schema.spec.?FIELD.orValue(...)}`;
    yield { message, path, offset: found.offset, hint };
  }
}

/** Reports a text with the name of a field that lacks the $ or the braces, and one with a template of Helm. */
export function* plainReference({ definition, graph }: Subject): Iterable<LintProblem> {
  const names = new Set(['schema', ...definition.nodes.map(({ id }) => id)]);
  for (const [index, { template, path }] of definition.nodes.entries()) {
    if (template === undefined) continue;
    for (const { text, path: at } of textsIn(template, [...path, 'template'])) {
      const problem = inText(text, names);
      if (problem !== undefined) yield { ...problem, path: at, node: graph.nodes[index] };
    }
  }
}

function inText(text: string, names: ReadonlySet<string>): Omit<LintProblem, 'path'> | undefined {
  for (const part of partsOf(text)) {
    if (!('text' in part)) continue;
    const helm = helmTemplateIn(part.text);
    if (helm !== undefined)
      return {
        message: phrase`'${{ text: helm.written }}' stays as text: Helm does not run here`,
        hint: phrase`${helm.hint}`,
      };
    const found = plainReferenceIn(part.text);
    if (found === undefined || !names.has(found.name.split('.')[0] ?? '')) continue;
    return {
      message: phrase`'${{ text: found.name }}' stays as text: it is in no expression`,
      hint: phrase`${found.hint}`,
    };
  }
  return undefined;
}

const QUOTED = /^\s*([\u201C\u201E\u2018]).*([\u201C\u201D\u2019])\s*$/su;

/** Reports a default or another marker, and a text of a template, in typographic quotes, which are part of the value. */
export function* typographicQuotes({ definition }: Subject): Iterable<LintProblem> {
  for (const { markers, path } of writtenFields(definition))
    for (const { value, offset } of markers) yield* quotesIn(value, path, offset);
  for (const { template, path } of definition.nodes) {
    for (const { text, path: at } of textsIn(template, [...path, 'template'])) yield* quotesIn(text, at);
  }
}

function* quotesIn(text: string, path: Path, offset = 0): Iterable<LintProblem> {
  const [, first, last] = QUOTED.exec(text) ?? [];
  if (first === undefined || last === undefined) return;
  const message = phrase`the quotes ${first} and ${last} are part of the text`;
  yield { message, path, offset, hint: phrase`write " in their place` };
}
