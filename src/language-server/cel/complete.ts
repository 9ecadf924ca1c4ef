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
import { useOf } from '../usage.ts';
import { type Expected, enumBefore, expectedAt, fitOf } from './expected.ts';
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
  /** How often it is used beside those of the same rank: lower numbers come first. */
  use?: number;
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
  /** The types that its value may have; undefined if they are unknown. */
  expected?: Expected | undefined;
}

/** Returns completions at an offset of an expression, which may be incomplete. */
export function completeExpression(expression: CompletedExpression, at: number): Proposals | undefined {
  const { forbidden, environment } = expression;
  const inspected = expression.inspected();
  if (inspected === undefined) return undefined;
  const tokens = tokenize(inspected.parsed.source, { recovers: true });
  const current = tokens.find(({ offset, text, kind }) => kind !== 'end' && offset < at && at <= offset + text.length);
  if (current !== undefined && isInsideText(current, at)) {
    return completeText(inspected, current, tokens) ?? completeKey(inspected, current);
  }
  const isWord = current !== undefined && /^[A-Za-z_]/.test(current.text) && current.kind !== 'string';
  if (current !== undefined && !isWord && /^(?:int|uint|double)$/.test(current.kind)) return undefined;
  const start = isWord ? current.offset : at;
  const end = isWord ? current.offset + current.text.length : at;
  const before = tokenBefore(tokens, start, isWord ? current : undefined);
  const isOptional = before?.text === '?' && tokens[tokens.indexOf(before) - 1]?.text === '.';
  const expected = expectedAt(inspected, tokens, start, expression.expected);
  if (before?.text === '.' || isOptional) {
    const members = membersAt(inspected, start, { isOptional, environment, expected });
    return { start, end, proposals: members.filter(({ label }) => !forbidden.has(label)) };
  }
  const names = namesAt(inspected, at, { ...expression, expected });
  const values = enumBefore(inspected, tokens, start).map((value) =>
    proposal('value', JSON.stringify(value), 'enum', 0),
  );
  return { start, end, proposals: [...values, ...names.filter(({ label }) => !forbidden.has(label))] };
}

/** Completes the values of an enum in a text that is compared with it. */
function completeText(inspected: InspectedExpression, current: Token, tokens: readonly Token[]): Proposals | undefined {
  const values = enumBefore(inspected, tokens, current.offset);
  if (values.length === 0) return undefined;
  const end = current.offset + current.text.length - (isClosed(current) ? 1 : 0);
  const proposals = values.flatMap((value) => (typeof value === 'string' ? proposal('value', value, 'enum', 0) : []));
  return { start: current.offset + 1, end, proposals };
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

interface MemberOptions {
  isOptional: boolean;
  environment: Environment | undefined;
  expected: Expected | undefined;
}

/** Completes the members after the dot before `start`: those that have the expected type or lead to it come first. */
function membersAt(
  { parsed, types }: InspectedExpression,
  start: number,
  { isOptional, environment, expected }: MemberOptions,
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
  const proposals = fields.map(({ name, type: of, schema, required }) => {
    // The kind of an object is usually known.
    const rank = name === 'apiVersion' || name === 'kind' ? 2 : fitOf(of, expected);
    const detail = `${typeText(of)}${required ? '' : ', optional'}`;
    const use = useOf('celFields', name) + (required ? 0 : 0.01);
    return proposal('field', name, detail, rank, { schema, use });
  });
  if (isOptional) return proposals;
  const guarded = fields.filter(
    ({ name, required, schema }) => !required && !WHOLE.has(name) && schema?.default === undefined,
  );
  return [
    ...proposals,
    ...methodsOf(type, environment).map((one) => methodOf(one, expected)),
    ...MACROS.filter(({ on }) => fitsMacro(on, type)).map((macro) => macroOf(macro, macroRank(macro, expected))),
    ...guarded.map(({ name, type: of, schema }) =>
      proposal('field', `?${name}`, `optional(${typeText(of)})`, 6, { schema, about: OPTIONAL }),
    ),
  ];
}

/** Methods come after the fields. */
const METHOD_RANK = 4;

/** Returns the completion of a method: those with an expected result come first. */
function methodOf(one: CallableFunction, expected: Expected | undefined): Proposal {
  const fits = one.overloads.some(({ result }) => fitOf(result, expected) < 2);
  return {
    ...callOf(one.name, one, 'method', fits ? METHOD_RANK : METHOD_RANK + 1),
    use: useOf('celMethods', one.name),
  };
}

type Macro = (typeof MACROS)[number];

/** Macros come among the methods: after those whose result is expected, if their own is not. */
const macroRank = ({ result }: Macro, expected: Expected | undefined): number =>
  expected === undefined || result === undefined || expected.has(result) ? METHOD_RANK : METHOD_RANK + 1;

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
function namesAt(inspected: InspectedExpression, at: number, about: CompletedExpression): Proposal[] {
  const { names, environment, expected } = about;
  const locals = localsAt(inspected, at);
  const variable = (label: string, type: CelType, rank: number): Proposal => {
    const isFitting = type.kind !== 'dyn' && expected !== undefined && fitOf(type, expected) === 0;
    return proposal('variable', label, typeText(type), isFitting ? 0 : rank, { use: useOf('celFields', label) });
  };
  const others = [...names().keys()].filter((name) => !locals.has(name));
  const all = globalFunctions(environment);
  const functions = all.filter(({ name }) => !name.includes('.'));
  const namespaces = all.flatMap(({ name }) => (name.includes('.') ? name.slice(0, name.indexOf('.')) : []));
  return [
    ...[...locals].map(([name, type]) => variable(name, type, 0)),
    ...others.map((name) => variable(name, names().get(name) ?? DYN, name === 'schema' ? 1 : 2)),
    ...MACROS.filter(({ on }) => on === '').map((macro) => macroOf(macro, 3)),
    ...functions.map((one) => ({ ...callOf(one.name, one, 'function', 4), use: useOf('celFunctions', one.name) })),
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
  proposal('macro', name, signature, rank, { text: snippet, isSnippet: true, about, use: useOf('celMethods', name) });
