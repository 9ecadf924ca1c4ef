import type { Schema } from '../../kubernetes/schema/index.ts';
import {
  type CelType,
  children,
  DYN,
  type Environment,
  type Expr,
  type InspectedExpression,
  type Token,
  tokenize,
} from '../../languages/cel/index.ts';
import { localsAt } from './names.ts';
import {
  type CallableFunction,
  fieldsOf,
  globalFunctions,
  MACROS,
  methodsOf,
  signatureOf,
  typeText,
  unwrapped,
} from './types.ts';

export interface Proposal {
  label: string;
  kind: 'field' | 'variable' | 'function' | 'method' | 'macro' | 'keyword' | 'value';
  /** The inserted text, with `${1:...}` for placeholders if `isSnippet`. */
  text: string;
  isSnippet: boolean;
  /** The text for an editor without snippets. */
  plain?: string;
  detail: string;
  schema?: Schema | undefined;
  about?: string | undefined;
  /** Lower numbers come first. */
  rank: number;
}

/** Returns a completion that inserts its own label, unless `more` has another text. */
export const proposal = (
  kind: Proposal['kind'],
  label: string,
  detail: string,
  rank: number,
  more: Partial<Proposal> = {},
): Proposal => ({ label, kind, text: label, isSnippet: false, detail, rank, ...more });

export interface Proposals {
  start: number;
  end: number;
  proposals: Proposal[];
}

interface Names {
  get(name: string): CelType | undefined;
  keys(): Iterable<string>;
}

/** An expression that is being edited. */
export interface CompletedExpression {
  /** Undefined if it is no expression at all. */
  inspected(): InspectedExpression | undefined;
  names(): Names;
  /** Its functions, if they are not those of kro, and those that it may not call. */
  environment?: Environment;
  forbidden: ReadonlyMap<string, string>;
}

/** Returns completions at an offset of an expression, which may be incomplete. */
export function completeExpression(expression: CompletedExpression, at: number): Proposals | undefined {
  const { forbidden, environment } = expression;
  const inspected = expression.inspected();
  if (inspected === undefined) return undefined;
  const tokens = tokenize(inspected.parsed.source, { recovers: true });
  const current = tokens.find(({ offset, text, kind }) => kind !== 'end' && offset < at && at <= offset + text.length);
  if (current !== undefined && isInsideText(current, at)) return completeKey(inspected, current);
  const isWord = current !== undefined && /^[A-Za-z_]/.test(current.text) && current.kind !== 'string';
  if (current !== undefined && !isWord && /^(?:int|uint|double)$/.test(current.kind)) return undefined;
  const start = isWord ? current.offset : at;
  const end = isWord ? current.offset + current.text.length : at;
  const before = tokenBefore(tokens, start, isWord ? current : undefined);
  const isOptional = before?.text === '?' && tokens[tokens.indexOf(before) - 1]?.text === '.';
  const proposals =
    before?.text === '.' || isOptional
      ? membersAt(inspected, start, isOptional, environment)
      : namesAt(inspected, at, expression);
  return { start, end, proposals: proposals.filter(({ label }) => !forbidden.has(label)) };
}

/** Reports whether an offset is inside a literal. */
const isInsideText = (token: Token, at: number): boolean =>
  (token.kind === 'string' || token.kind === 'bytes') && (at < token.offset + token.text.length || !isClosed(token));

/** Returns the last token that ends at an offset or before, except for one that is being written. */
const tokenBefore = (tokens: readonly Token[], start: number, written: Token | undefined): Token | undefined =>
  tokens.findLast((token) => token.kind !== 'end' && token.offset + token.text.length <= start && token !== written);

const isClosed = ({ text }: Token): boolean => /^[bBrR]{0,2}(["'])[\s\S]*\1$/.test(text) && text.length > 1;

/** Completes the keys of a map in `labels["`, as far as they are known. */
function completeKey({ parsed, types }: InspectedExpression, current: Token): Proposals | undefined {
  const call = findLast(
    parsed.root,
    (expr) => expr.kind === 'call' && /^_\[\??_\]$/.test(expr.name) && expr.args[1]?.offset === current.offset,
  );
  const operand = call?.kind === 'call' ? call.args[0] : undefined;
  const type = unwrapped((operand && types.get(operand.id)) ?? DYN);
  if (type.kind !== 'object') return undefined;
  const end = current.offset + current.text.length - (isClosed(current) ? 1 : 0);
  const proposals = fieldsOf(type).map(({ property, type: of, schema }) =>
    proposal('field', property, typeText(of), 0, { schema }),
  );
  return { start: current.offset + 1, end, proposals };
}

const WHOLE: ReadonlySet<string> = new Set(['metadata', 'spec', 'status', 'apiVersion', 'kind']);

/** Completes the members after the dot before `start`. */
function membersAt(
  { parsed, types }: InspectedExpression,
  start: number,
  isOptional: boolean,
  environment: Environment | undefined,
): Proposal[] {
  const expr = findLast(parsed.root, (one) => operandOf(one) !== undefined && one.offset === start);
  const operand = expr && operandOf(expr);
  if (operand === undefined) return [];
  if (expr?.kind === 'bind') return functionsOf('cel.', environment);
  const type = types.get(operand.id) ?? DYN;
  const isName = operand.kind === 'ident' && (type.kind === 'opaque' || type.kind === 'dyn');
  const inNamespace = isName ? functionsOf(`${operand.name}.`, environment) : [];
  if (inNamespace.length > 0) return inNamespace;
  const inner = unwrapped(type);
  const fields = inner.kind === 'object' ? fieldsOf(inner) : [];
  const proposals = fields.map(({ name, type: of, schema, required }) =>
    proposal('field', name, `${typeText(of)}${required ? '' : ', optional'}`, required ? 0 : 1, { schema }),
  );
  if (isOptional) return proposals;
  const guarded = fields.filter(
    ({ name, required, schema }) => !required && !WHOLE.has(name) && schema?.default === undefined,
  );
  return [
    ...proposals,
    ...methodsOf(type, environment).map((one) => callOf(one.name, one, 'method', 2)),
    ...MACROS.filter(({ on }) => fitsMacro(on, type)).map((macro) => macroOf(macro, 2)),
    ...guarded.map(({ name, type: of, schema }) =>
      proposal('field', `?${name}`, `optional(${typeText(of)})`, 3, { schema, about: OPTIONAL }),
    ),
  ];
}

type Macro = (typeof MACROS)[number];

const OPTIONAL = 'Yields an optional, for a field that may not be there.';

const fitsMacro = (on: Macro['on'], { kind }: CelType): boolean =>
  on === 'list' ? kind === 'list' || kind === 'map' || kind === 'dyn' : on === 'optional' && kind === 'optional';

function operandOf(expr: Expr): Expr | undefined {
  if (expr.kind === 'select') return expr.operand;
  if (expr.kind === 'call') return expr.target;
  return expr.kind === 'comprehension' || expr.kind === 'bind' ? children(expr)[0] : undefined;
}

/** Returns the last part of an expression that matches, the innermost one first. */
function findLast(root: Expr, is: (expr: Expr) => boolean): Expr | undefined {
  for (const child of [...children(root)].reverse()) {
    const found = findLast(child, is);
    if (found !== undefined) return found;
  }
  return is(root) ? root : undefined;
}

function functionsOf(prefix: string, environment: Environment | undefined): Proposal[] {
  const functions = globalFunctions(environment)
    .filter(({ name }) => name.startsWith(prefix))
    .map((one) => callOf(one.name.slice(prefix.length), one, 'function', 0));
  const macros = MACROS.filter(({ on }) => on === 'cel' && prefix === 'cel.');
  return [...functions, ...macros.map((one) => macroOf(one, 0))];
}

/** Returns names, functions, macros and keywords with which an expression may begin. */
function namesAt(inspected: InspectedExpression, at: number, { names, environment }: CompletedExpression): Proposal[] {
  const locals = localsAt(inspected, at);
  const variable = (label: string, type: CelType, rank: number): Proposal =>
    proposal('variable', label, typeText(type), rank);
  const others = [...names().keys()].filter((name) => !locals.has(name));
  const all = globalFunctions(environment);
  const functions = all.filter(({ name }) => !name.includes('.'));
  const namespaces = all.flatMap(({ name }) => (name.includes('.') ? name.slice(0, name.indexOf('.')) : []));
  return [
    ...[...locals].map(([name, type]) => variable(name, type, 0)),
    ...others.map((name) => variable(name, names().get(name) ?? DYN, name === 'schema' ? 1 : 2)),
    ...MACROS.filter(({ on }) => on === '').map((macro) => macroOf(macro, 3)),
    ...functions.map((one) => callOf(one.name, one, 'function', 4)),
    ...[...new Set(['cel', ...namespaces])].map((name) => proposal('keyword', name, 'functions', 5)),
    ...['true', 'false', 'null'].map((word) => proposal('keyword', word, '', 5)),
  ];
}

function callOf(name: string, { overloads }: CallableFunction, kind: 'function' | 'method', rank: number): Proposal {
  const [first = '', ...others] = overloads.map(signatureOf);
  const takes = /\(([^()]*)\)/.exec(first.slice(first.lastIndexOf(`${name}(`)))?.[1] !== '';
  const about = others.length === 0 ? undefined : others.map((one) => `\`${one}\``).join('\n\n');
  return proposal(kind, name, first, rank, { text: takes ? `${name}($1)` : `${name}()`, isSnippet: takes, about });
}

const macroOf = ({ name, snippet, signature, about }: Macro, rank: number): Proposal =>
  proposal('macro', name, signature, rank, { text: snippet, isSnippet: true, about });
