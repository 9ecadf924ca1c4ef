import {
  type CelType,
  type CheckedExpression,
  check,
  type Environment,
  type Expr,
  type Program,
  parse,
  plan,
  references,
  spellsOutNothing,
  type Trace,
} from '../../cel/index.ts';
import { type Code, type Problem, quotesNothing } from '../../diagnostics/index.ts';
import type { Path } from '../../model/value.ts';
import type { Schema } from '../../schema/index.ts';
import { didYouMean } from '../../text/nearest.ts';
import { fieldHint } from './hints.ts';
import type { Names } from './layers.ts';
import { unknownLiteralFields } from './literal-fields.ts';
import type { CompiledExpression } from './template-field.ts';

/** What an expression may name, and what naming it means. */
export interface Scope {
  environment: Environment;
  variables: Names<CelType>;
  /** The frame: the slots of the variables. */
  slots: Names<number>;
  /** Node ids to node indices. */
  nodes: ReadonlyMap<string, number>;
  /** The iterators of the node at hand, with the nodes that their lists name. */
  iterators: ReadonlyMap<string, readonly number[]>;
  /** Names that exist but not here, with the reason. */
  forbidden: Pick<Names<string>, 'get'>;
  /** Functions that exist but not here, with the reason. */
  forbiddenFunctions: ReadonlyMap<string, string>;
  /** Whether there are errors enough, so that no hint is looked for any more. */
  hasEnough(): boolean;
  /** Told about every expression that is right. */
  found?: Found | undefined;
}

/** What a compilation tells about an expression, for those who look at RGDs rather than render them. */
export type Found = (expression: CompiledExpression, details: FoundDetails) => void;

export interface FoundDetails {
  /** What the checker found out about its parts. Nobody keeps it otherwise. */
  checked: CheckedExpression;
  /** Plans the expression once more, so that a run tells which of its arms it takes. */
  traced(trace: Trace): Program;
  /** Plans a part of the expression by itself; one that names a variable of a comprehension cannot be run. */
  part(root: Expr): Program;
}

/** One expression to compile: its text, its scalar's path and its offset in that scalar. */
export interface Site {
  source: string;
  path: Path;
  offset: number;
}

/**
 * Parses, checks and plans one expression. Problems go to `report`; then nothing is returned. `schema` is that of the
 * field whose whole value the expression is.
 */
export function compileExpression(
  site: Site,
  scope: Scope,
  report: (problem: Problem) => void,
  schema?: Schema,
): CompiledExpression | undefined {
  const fault = (code: Code, message: string, at: number, hint?: string): undefined => {
    const problem: Problem = { code, message, path: site.path, offset: site.offset + at };
    const whole = hint === undefined ? problem : { ...problem, hint };
    report(isCode ? quotesNothing(whole) : whole);
    return undefined;
  };
  /** The text is an expression beyond doubt, also where it stands in a Secret. */
  let isCode = false;
  const parsed = parse(site.source);
  if (!parsed.ok) return fault('expression-syntax', parsed.issue.message, parsed.issue.offset, parsed.issue.hint);
  const named = references(parsed.expression);
  const isKnown = (name: string): boolean => scope.variables.has(name) || allowsNamespace(name, named.functions);
  isCode = spellsOutNothing(parsed.expression.root) && named.identifiers.some(({ name }) => scope.variables.has(name));
  isCode &&= named.identifiers.every(({ name }) => isKnown(name));
  let allowed = named.dotted.length === 0;
  for (const { name, offset } of named.dotted) {
    fault('unknown-name', `kro knows no name with a leading dot, such as '${name}'`, offset, `write ${name.slice(1)}`);
  }
  for (const { name, offset } of named.functions) {
    const reason = scope.forbiddenFunctions.get(name);
    if (reason === undefined) continue;
    allowed = false;
    fault('function-not-here', reason, offset);
  }
  for (const { name, offset } of named.identifiers) {
    if (isKnown(name)) continue;
    allowed = false;
    const reason = scope.forbidden.get(name);
    if (reason !== undefined) fault('name-not-here', reason, offset);
    else fault('unknown-name', `'${name}' is neither 'schema' nor a node of this graph`, offset, alike(name, scope));
  }
  if (!allowed) return undefined;
  const checked = check(scope.environment, parsed.expression, scope.variables);
  if (!checked.ok) {
    for (const issue of checked.issues) fault('expression-type', issue.message, issue.offset, issue.hint);
    return undefined;
  }
  const unknown = unknownLiteralFields(parsed.expression.root, schema);
  for (const { key, offset, schema: at } of unknown) {
    const hint = scope.hasEnough() ? undefined : fieldHint(key, at);
    fault('unknown-literal-field', `the kind has no field '${key}' here`, offset, hint);
  }
  if (unknown.length > 0) return undefined;
  const expression: CompiledExpression = {
    ...site,
    parsed: parsed.expression,
    type: checked.checked.type,
    program: plan(scope.environment, checked.checked, scope.slots, scope.iterators),
    names: named.identifiers.map(({ name }) => name),
    paths: named.paths,
    nodes: namedNodes(named.identifiers, scope),
    perItem: named.identifiers.some(({ name }) => scope.iterators.has(name)),
  };
  scope.found?.(expression, {
    checked: checked.checked,
    traced: (trace) => plan(scope.environment, checked.checked, scope.slots, scope.iterators, trace),
    part: (root) => {
      const part = { ...checked.checked, parsed: { ...parsed.expression, root } };
      return plan(scope.environment, part, scope.slots, scope.iterators);
    },
  });
  return expression;
}

/** `lists` in `lists.range(3)` is a part of a function name, not a variable. */
function allowsNamespace(name: string, functions: readonly { name: string }[]): boolean {
  return functions.some((called) => called.name.startsWith(`${name}.`));
}

function namedNodes(identifiers: readonly { name: string }[], scope: Scope): readonly number[] {
  const found = new Set<number>();
  for (const { name } of identifiers) {
    const node = scope.nodes.get(name);
    if (node !== undefined) found.add(node);
    for (const through of scope.iterators.get(name) ?? []) found.add(through);
  }
  return [...found];
}

function alike(name: string, scope: Scope): string | undefined {
  if (scope.hasEnough()) return undefined;
  const meant = didYouMean(name, scope.variables.keys());
  if (meant !== undefined) return meant;
  return /^[A-Z_][A-Z0-9_]*$/.test(name)
    ? `a shell variable in a template is read as an expression: write $\{"$\{${name}}"} to keep it as text`
    : undefined;
}
