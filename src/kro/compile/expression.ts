import words from '../../../data/other-words.json';
import {
  askFor,
  type Code,
  type Hint,
  hint,
  hintMessage,
  type Message,
  type Problem,
  phrase,
  type Severity,
  shown,
  shownHint,
} from '../../core/diagnostics/index.ts';
import type { Path } from '../../core/model/value.ts';
import { lastPart } from '../../core/text/ends.ts';
import { meaningsByWord, nearestHint } from '../../core/text/nearest.ts';
import type { Schema } from '../../kubernetes/schema/index.ts';
import {
  type CelIssue,
  type CelType,
  type CheckedExpression,
  check,
  type Expr,
  hasNoLiterals,
  kroEnvironment,
  type ParsedExpression,
  type Program,
  parse,
  plan,
  type References,
  references,
  type Trace,
} from '../../languages/cel/index.ts';
import { fieldHint, literalFaults } from './fields.ts';
import type { Names } from './graph.ts';
import { isExpression, type Part as ScanPart, scan } from './scan.ts';
import type { CompiledExpression } from './template-program.ts';

/** Functions that exist but cannot be called, with the reason. */
export const forbiddenFunctions = (experimental: readonly string[]): ReadonlyMap<string, string> =>
  experimental.includes(OMIT) ? new Map() : new Map([[OMIT, GATED]]);

/** The name of the function, and of the experiment that enables it. */
const OMIT = 'omit';
const GATED = 'omit() needs a feature gate of kro (CELOmitFunction) that is off by default';
const ELSEWHERE = 'omit() can only be used in the expressions of a template';

/** Where `omit()` may be called: nowhere without the experiment, and with it in templates. */
type OmitScope = 'nowhere' | 'elsewhere' | 'here';

export const omitScope = (experimental: readonly string[]): OmitScope =>
  experimental.includes(OMIT) ? 'elsewhere' : 'nowhere';

export const callsOmit = ({ parsed }: Pick<CompiledExpression, 'parsed'>): boolean =>
  references(parsed).functions.some(({ name }) => name === OMIT);

/** The names that an expression may use, with their meaning. */
export interface Scope {
  variables: Names<CelType>;
  /** The frame: the slots of the variables. */
  slots: Names<number>;
  nodes: ReadonlyMap<string, number>;
  /** The iterators of the node at hand, with the nodes that their lists name. */
  iterators: ReadonlyMap<string, readonly number[]>;
  /** Names that exist but cannot be used here, with the reason. */
  forbidden: Pick<Names<string>, 'get'>;
  /** Variables that are dyn because their kind is unknown, or its definition has errors. */
  untyped: ReadonlySet<string>;
  omit: OmitScope;
  /** What kro rejects is an error, although it can be rendered. */
  strict: boolean;
  /** An expression that is not closed is an error. */
  isClosed: boolean;
  report(problem: Problem): void;
  limitReached(): boolean;
  limitExceeded(): boolean;
  /** Called with every valid expression; a returned program replaces the planned one. */
  onExpression?: OnScopeExpression | undefined;
  /** What was found of the expressions before. */
  meanings: Meanings;
}

/** What is known of an expression wherever it is written, as long as its names mean the same. */
interface Meaning extends Pick<CompiledExpression, 'parsed' | 'type' | 'program' | 'names' | 'nodes' | 'perItem'> {
  checked: CheckedExpression;
  /** Whether its text is certainly an expression: see `ofSource`. */
  isCode: boolean;
  callsOmit: boolean;
  /** What its names mean, in their order. */
  types: readonly (CelType | undefined)[];
  slots: readonly (number | undefined)[];
}

/** The meanings of valid expressions by their texts: many fields of an RGD have the same expression. */
type Meanings = Map<string, Meaning>;

/** A callback for tools that inspect RGDs, or measure their execution. */
export type OnScopeExpression = (expression: CompiledExpression, details: ExpressionDetails) => Program | undefined;

export interface ExpressionDetails {
  /** The result of the type checker for its parts. It is not kept otherwise. */
  checked: CheckedExpression;
  /** Plans the expression again, with a trace of the arms that a run takes. */
  traced(trace: Trace): Program;
  /** Plans a part of the expression; a part that reads a variable of a comprehension cannot run. */
  part(root: Expr): Program;
}

/** An expression that is being compiled, with the ways to report what is wrong with it. */
interface Compilation {
  site: Pick<CompiledExpression, 'source' | 'path' | 'offset'>;
  scope: Scope;
  /** Whether its text is certainly an expression. */
  isCode: boolean;
  /** Reports a problem at an offset in the expression. */
  fault(code: Code, message: Message, at: number, hint?: Message, severity?: Severity): undefined;
  /** Returns words that quote the expression: they are shown in a Secret if the text is certainly an expression. */
  ofSource(words: string): Message;
}

/** Parses, checks and plans one expression. `schema` is that of the field if the expression is its whole value. */
export function compileExpression(
  site: Pick<CompiledExpression, 'source' | 'path' | 'offset'>,
  scope: Scope,
  schema?: Schema,
): CompiledExpression | undefined {
  // The search for errors has stopped, and with errors there is no result.
  if (scope.limitExceeded()) return undefined;
  const compilation: Compilation = {
    site,
    scope,
    isCode: false,
    fault(code, message, at, hint, severity) {
      scope.report({ code, message, path: site.path, offset: site.offset + at, hint, severity });
    },
    ofSource: (words) => (compilation.isCode ? shown(words) : phrase`${words}`),
  };
  const meaning = knownMeaning(site.source, scope) ?? findMeaning(compilation);
  if (meaning === undefined) return undefined;
  compilation.isCode = meaning.isCode;
  const { checked, parsed, type, program, names, nodes, perItem } = meaning;
  if (reportLiteralFields(parsed.root, schema, compilation)) return undefined;
  const expression: CompiledExpression = { ...site, parsed, type, program, names, nodes, perItem };
  const environment = kroEnvironment();
  const replacement = scope.onExpression?.(expression, {
    checked,
    traced: (trace) => plan(environment, checked, scope.slots, scope.iterators, trace),
    part: (root) => {
      const part = { ...checked, parsed: { ...parsed, root } };
      return plan(environment, part, scope.slots, scope.iterators);
    },
  });
  return replacement === undefined ? expression : { ...expression, program: replacement };
}

/** Returns what an expression means that was found before, if it means the same in this scope. */
function knownMeaning(source: string, scope: Scope): Meaning | undefined {
  const known = scope.meanings.get(source);
  if (known === undefined || (known.callsOmit && scope.omit !== 'here')) return undefined;
  const isSame = known.names.every(
    (name, index) =>
      !scope.iterators.has(name) &&
      scope.variables.get(name) === known.types[index] &&
      scope.slots.get(name) === known.slots[index],
  );
  return isSame ? known : undefined;
}

/** Parses, checks and plans an expression, or reports what is wrong with it. */
function findMeaning(compilation: Compilation): Meaning | undefined {
  const { site, scope } = compilation;
  const result = parse(site.source);
  if (!result.ok) {
    const { message, offset, hint } = result.issue;
    const { ofSource } = compilation;
    return compilation.fault('expression-syntax', ofSource(message), offset, hintFor(hint, ofSource));
  }
  const parsed = result.expression;
  const named = references(parsed);
  compilation.isCode = isCertainlyCode(parsed, named, scope);
  if (reportWrongNames(named, compilation)) return undefined;
  const environment = kroEnvironment();
  const checking = check(environment, parsed, scope.variables);
  if (!checking.ok) {
    reportTypes(checking.issues, named, compilation);
    return undefined;
  }
  const { checked } = checking;
  const names = named.identifiers.map(({ name }) => name);
  const meaning: Meaning = {
    parsed,
    checked,
    type: checked.type,
    program: plan(environment, checked, scope.slots, scope.iterators),
    names,
    nodes: namedNodes(named.identifiers, scope),
    perItem: names.some((name) => scope.iterators.has(name)),
    isCode: compilation.isCode,
    callsOmit: named.functions.some(({ name }) => name === OMIT),
    types: names.map((name) => scope.variables.get(name)),
    slots: names.map((name) => scope.slots.get(name)),
  };
  if (!meaning.perItem) scope.meanings.set(site.source, meaning);
  return meaning;
}

const isCertainlyCode = (parsed: ParsedExpression, named: References, scope: Scope): boolean =>
  hasNoLiterals(parsed.root) &&
  named.identifiers.some(({ name }) => scope.variables.has(name)) &&
  named.identifiers.every(({ name }) => isKnown(name, named, scope));

const hintFor = (given: Hint | undefined, ofSource: Compilation['ofSource']): Message | undefined =>
  given === undefined ? undefined : hintMessage(given, ofSource);

const isKnown = (name: string, { functions }: References, scope: Scope): boolean =>
  scope.variables.has(name) || allowsNamespace(name, functions);

/** Reports names and functions that an expression may not use here. Returns whether there are any. */
function reportWrongNames(named: References, { site, scope, fault, ofSource }: Compilation): boolean {
  let isWrong = named.dotted.length > 0;
  for (const { name, offset } of named.dotted) {
    const hint = phrase`write ${ofSource(undotted(site.source, offset, scope))}`;
    fault('unknown-name', phrase`unknown name '${{ name: ofSource(name) }}'`, offset, hint);
  }
  for (const { name, offset } of named.functions) {
    if (name !== OMIT || scope.omit === 'here') continue;
    isWrong = true;
    if (scope.omit === 'elsewhere') fault('function-not-here', shown(ELSEWHERE), offset);
    else {
      const hint = phrase`enable it with ${shown('--experimental omit')}, as in kro`;
      fault('function-not-here', shown(GATED), offset, hint);
    }
  }
  const dotted = new Set(named.dotted.map(({ offset }) => offset));
  for (const { name, offset } of named.identifiers) {
    if (isKnown(name, named, scope) || dotted.has(offset)) continue;
    isWrong = true;
    const reason = scope.forbidden.get(name);
    if (reason !== undefined) fault('name-not-here', shown(reason), offset, hintFor(iteratorHint(scope), ofSource));
    else {
      const message = phrase`'${{ name: ofSource(name) }}' is neither 'schema' nor a node of this graph`;
      fault('unknown-name', message, offset, hintFor(hintForName(name, offset, site.source, scope), ofSource));
    }
  }
  return isWrong;
}

/** Returns a name without its leading dot: as in templates of Helm, it is one of the instance. */
function undotted(source: string, offset: number, scope: Scope): string {
  const written = /^\.?([\w.]*)/.exec(source.slice(offset))?.[1] ?? '';
  const [root = ''] = written.split('.');
  if (root === 'Values') return written.replace(root, 'schema.spec');
  const other = scope.variables.has(root) ? undefined : otherName(root, scope);
  return other === undefined ? written : written.replace(root, other);
}

/** Reports type errors. They are shown in a Secret too if it is an expression, unless they may quote a literal. */
function reportTypes(issues: readonly CelIssue[], named: References, { scope, fault, ofSource }: Compilation): void {
  const isExpression = named.identifiers.some(({ name }) => scope.variables.has(name));
  for (const { message: text, offset, hint, remedies = [], mayQuoteLiteral = false } of issues) {
    const ofChecker = (words: string): Message => (isExpression && !mayQuoteLiteral ? shown(words) : ofSource(words));
    fault('expression-type', hintMessage({ text, remedies }, ofChecker), offset, hintFor(hint, ofChecker));
  }
}

/** Reports fields of literal maps that the schema does not have. Returns whether there are any. */
function reportLiteralFields(root: Expr, schema: Schema | undefined, { scope, fault, ofSource }: Compilation): boolean {
  const faults = literalFaults(root, schema);
  for (const { kind, key, offset, schema: at } of faults) {
    if (kind === 'list') {
      const message = phrase`the field '${{ key: ofSource(key) }}' is a list, but this is a map`;
      fault('doubtful-type', message, offset, phrase`write [{...}]`, 'warning');
    } else {
      const hint = scope.limitReached() ? undefined : shownHint(fieldHint(key, at));
      fault('unknown-literal-field', phrase`the kind has no field '${{ key: ofSource(key) }}' here`, offset, hint);
    }
  }
  return faults.some(({ kind }) => kind === 'unknown');
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

const MOST_NAMES = 8;

function hintForName(name: string, offset: number, source: string, scope: Scope): Hint | undefined {
  if (scope.limitReached()) return undefined;
  const member = /^\.(\w+)/.exec(source.slice(offset + name.length))?.[1];
  if (['resources', 'nodes'].includes(name) && member !== undefined && scope.variables.has(member))
    return hint(`write ${member}: a node is read by its id`);
  const [dashed, start] = /(\w+)-$/.exec(lastPart(source, offset)) ?? [];
  if (dashed !== undefined)
    return hint(`- subtracts; a field is read as ${start}__dash__${name}, and a key of a map as ["${dashed}${name}"]`);
  const intended = nearestHint(name, scope.variables.keys());
  const other = otherName(name, scope);
  if (other !== undefined) return askFor([other]);
  const functions = [...kroEnvironment().functionNames()].filter((one) => one.startsWith(`${name}.`));
  if (functions.length > 0) return hint(`the functions of ${name} are ${functions.sort().join(', ')}`);
  if (intended !== undefined) return intended;
  return /^[A-Z_][A-Z0-9_]*$/.test(name)
    ? hint(`a shell variable in a template is read as an expression: write $\{"$\{${name}}"} to keep it as text`)
    : (iteratorHint(scope) ?? namesHint(scope));
}

function namesHint({ variables }: Scope): Hint | undefined {
  return variables.size > MOST_NAMES ? undefined : hint(`the names here are ${[...variables.keys()].join(', ')}`);
}

const iteratorHint = ({ iterators }: Scope): Hint | undefined =>
  iterators.size === 0 ? undefined : hint(`the items of forEach are called ${[...iterators.keys()].join(', ')} here`);

/** The literals that names of other template languages mean. */
const LITERALS = meaningsByWord(words.names);

/** Returns the hint for a name that stands for something else: a literal, or a part of the instance. */
function otherName(name: string, { variables }: Scope): string | undefined {
  const literal = LITERALS.get(name);
  if (literal !== undefined) return literal;
  const schema = variables.get('schema');
  if (schema?.kind !== 'object') return undefined;
  if (['self', 'this', 'instance', 'parent', 'root'].includes(name)) return 'schema';
  if (schema.field(name) !== undefined) return `schema.${name}`;
  const spec = schema.field('spec');
  return spec?.kind === 'object' && spec.field(name) !== undefined ? `schema.spec.${name}` : undefined;
}

export function compileStandalone(
  { text, path, what }: { text: string; path: Path; what: string },
  scope: Scope,
): CompiledExpression | undefined {
  const scanned = scan(text);
  const [only] = scanned.ok ? scanned.parts : [];
  if (!scanned.ok || !scanned.standalone || only === undefined || !isExpression(only)) {
    const inner = scanned.ok ? wholeExpression(scanned.parts) : undefined;
    const outside = inner === undefined ? phrase`remove the text around it` : phrase`write ${inner}`;
    const hint = text.includes('${') ? outside : phrase`write ${asExpression(text.trim())}`;
    scope.report({
      code: 'not-standalone',
      message: phrase`${what} must be exactly one expression without text around it`,
      path,
      hint,
    });
    return undefined;
  }
  return compileExpression({ source: only.source, path, offset: only.start }, scope);
}

/** Returns a text with expressions as one, `${a == 'x'}` for `${a} == 'x'`; `undefined` if the text is only spaces. */
function wholeExpression(parts: readonly ScanPart[]): string | undefined {
  const isBlank = parts.every((part) => isExpression(part) || part.text.trim() === '');
  const texts = parts.map((part) => (isExpression(part) ? part.source.trim() : part.text));
  return isBlank ? undefined : `\${${texts.join('').trim()}}`;
}

/** Returns the text as one expression: its braces are those of the expression. */
function asExpression(text: string): string {
  const inner = /^(?:\{\{([\s\S]*)\}\}|\$?\(([\s\S]*)\)|\{([\s\S]*)\})$/.exec(text);
  return `\${${(inner?.[1] ?? inner?.[2] ?? inner?.[3] ?? text).trim()}}`;
}
