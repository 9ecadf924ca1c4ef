import type { CodeAction } from 'vscode-languageserver';
import { plainReferenceIn } from '../../../../kro/definition/index.ts';
import { type Bind, type Comprehension, subExpressions, tokenize } from '../../../../languages/cel/index.ts';
import { columnOf } from '../../../../yaml/edit/index.ts';
import { entryOf, nodeAt, scalarTextOf } from '../../../../yaml/tree/index.ts';
import type { LintCode } from '../../../lint/index.ts';
import { type NameAt, namesIn } from '../../cel/names.ts';
import { unwrapped } from '../../cel/types.ts';
import {
  chainFrom,
  emptyValue,
  entryAround,
  expressionOf,
  type FixContext,
  fix,
  hintOf,
  removal,
  replace,
} from './edits.ts';

type LintFix = (context: FixContext) => CodeAction | undefined;

/** The fix of each lint; `undefined` if only the author knows the intention (docs/editors.md gives the reasons). */
export const lintFixes: Readonly<Record<LintCode, LintFix | undefined>> = {
  'lint-unsorted-list': sorted,
  'lint-null-value': nullFallback,
  'lint-optional-read-unguarded': readFallback,
  'lint-unused-variable': unusedVariable,
  'lint-trailing-newline': withoutLineBreak,
  'lint-unread-field': (context) => removed('Remove the field', context),
  'lint-scaled-replicas': (context) => removed('Remove replicas', context),
  'lint-unread-input': (context) => removed('Remove the input', context),
  'lint-required-default': optional,
  'lint-plain-reference': asExpression,
  'lint-index-identity': undefined,
  'lint-never-included': undefined,
  'lint-contagious-skip': undefined,
  'lint-default-expression': undefined,
  'lint-typographic-quotes': undefined,
};

function removed(title: string, context: FixContext): CodeAction | undefined {
  const entry = entryAround(context.file, context.start);
  const edit = entry && removal(context.file, entry);
  return edit && fix(title, context, [edit]);
}

/** Replaces `|` with `|-`. */
function withoutLineBreak(context: FixContext): CodeAction | undefined {
  const { file, start } = context;
  const node = entryAround(file, start)?.value;
  if (node?.kind !== 'scalar' || (node.style !== 'literal' && node.style !== 'folded')) return undefined;
  const header = /^[|>][0-9+-]*/.exec(file.text.slice(node.start))?.[0] ?? '';
  const newText = `${header.replace(/[+-]/, '')}-`;
  return fix('End the text without a line break', context, [
    replace(file, node.start, node.start + header.length, newText),
  ]);
}

function optional(context: FixContext): CodeAction | undefined {
  const { file } = context;
  // The value of the marker is reported.
  const start = context.start - 'required='.length;
  const marker = /^required=true[ \t]*/.exec(file.text.slice(start))?.[0];
  if (marker === undefined) return undefined;
  const isLast = /^(?:['"]?[ \t]*(?:[\r\n#]|$))/.test(file.text.slice(start + marker.length));
  const before = isLast ? (/[ \t]*$/.exec(file.text.slice(0, start))?.[0] ?? '') : '';
  const end = start + (isLast ? marker.trimEnd().length : marker.length);
  return fix('Remove required=true', context, [replace(file, start - before.length, end, '')]);
}

/** Replaces `{schema.spec.name}` and `{{ .schema.spec.name }}` with `${schema.spec.name}`. */
function asExpression(context: FixContext): CodeAction | undefined {
  const { file, start } = context;
  const node = entryAround(file, start)?.value;
  if (node?.kind !== 'scalar') return undefined;
  const { value, offsets } = scalarTextOf(file.text, node);
  const found = plainReferenceIn(value);
  if (found === undefined) return undefined;
  const [from, to] = [offsets[found.offset], offsets[found.offset + found.written.length]];
  if (from === undefined || to === undefined) return undefined;
  return fix('Make it an expression', context, [replace(file, from, to, `\${${found.name}}`)]);
}

/** Replaces a name with the suggested one. A prefix that exists already is not repeated. */
export function suggestedName(context: FixContext): CodeAction | undefined {
  const { one, file, start } = context;
  const hint = hintOf(one);
  const intended = /did you mean '([^']+)'/.exec(hint)?.[1] ?? /did you mean ([\w./-]*\w)/.exec(hint)?.[1];
  if (intended === undefined) return undefined;
  const written = /^["']?[\w.$/-]+["']?/.exec(file.text.slice(start))?.[0] ?? '';
  const name =
    intended.includes('.') || intended.includes('/')
      ? written.replace(/[.].*$/, '')
      : (/^["']?\w+["']?/.exec(written)?.[0] ?? '');
  if (name === '') return undefined;
  const steps = [...intended.matchAll(/\./g)].map(({ index }) => intended.slice(0, index + 1)).reverse();
  const there = steps.find((prefix) => file.text.slice(start - prefix.length, start) === prefix) ?? '';
  const newText = intended.slice(there.length);
  const replaced = intended.includes('/') ? written : name;
  return fix(`Replace it with ${newText}`, context, [{ range: file.rangeOf(start, start + replaced.length), newText }]);
}

export function quoted(context: FixContext): CodeAction | undefined {
  const { one, file } = context;
  if (!/quote it|put the text in quotes/.test(hintOf(one))) return undefined;
  const written = file.text.slice(file.offsetAt(one.range.start), file.offsetAt(one.range.end));
  return fix('Put it in quotes', context, [{ range: one.range, newText: JSON.stringify(written) }]);
}

/** Adds a field to the schema for an undeclared field of `schema.spec` that is read. */
export function missingField(context: FixContext): CodeAction | undefined {
  const { one, file, start, workspace } = context;
  if (one.code !== 'expression-type' || !String(one.message).startsWith('undefined field')) return undefined;
  const name = /^\w+/.exec(file.text.slice(start))?.[0];
  const tree = file.treeAt(start);
  const spec = tree && entryOf(nodeAt(tree.root, ['spec', 'schema']), 'spec');
  if (name === undefined || spec === undefined || !/schema\.spec\.\??$/.test(file.text.slice(0, start)))
    return undefined;
  const last = spec.value.kind === 'map' && !spec.value.flow ? spec.value.entries.at(-1) : undefined;
  if (last === undefined || spec.value.kind !== 'map' || workspace.packageOf(file.uri) === undefined) return undefined;
  const line = file.positionAt(file.text.slice(0, last.value.end).trimEnd().length).line + 1;
  const at = { line, character: 0 };
  const newText = `${' '.repeat(columnOf(file.text, spec.value.start))}${name}: string\n`;
  return fix(`Declare ${name} in the schema`, context, [{ range: { start: at, end: at }, newText }]);
}

const SCALARS = new Set(['string', 'int', 'uint', 'double', 'bool']);

/** Sorts a list that a macro creates from a map, if its items can be compared. */
function sorted(context: FixContext): CodeAction | undefined {
  const found = comprehensionAt(context);
  if (found === undefined) return undefined;
  const { expression, expr, inspected, tokens } = found;
  const type = inspected.types.get(expr.id);
  const close = tokens[closing(tokens, found.token + 1)];
  if (close === undefined || type?.kind !== 'list' || !SCALARS.has(type.element.kind)) return undefined;
  const at = expression.textOffset(close.offset + 1);
  return fix('Sort the list', context, [replace(context.file, at, at, '.sort()')]);
}

/** Renames the variables of a macro to mark them as unused. */
function unusedVariable(context: FixContext): CodeAction | undefined {
  const found = comprehensionAt(context);
  if (found === undefined) return undefined;
  const { expression, expr, tokens, token } = found;
  const names = expr.kind === 'bind' ? [expr.name] : [expr.variable, expr.variable2];
  const edits = names.flatMap((name, index) => {
    const written = tokens[token + 2 + index * 2];
    if (name === undefined || written?.text !== name) return [];
    const at = expression.textOffset(written.offset);
    return [replace(context.file, at, at, '_')];
  });
  return edits.length === 0 ? undefined : fix('Mark it as unused', context, edits);
}

/** Returns the macro at a diagnostic, and the token of its name. */
function comprehensionAt(context: FixContext) {
  const found = expressionOf(context);
  if (found === undefined) return undefined;
  const at = found.expression.sourceOffset(context.start);
  const expr = [...subExpressions(found.inspected.parsed.root)].find(
    (one): one is Comprehension | Bind => ['comprehension', 'bind'].includes(one.kind) && one.offset === at,
  );
  const tokens = tokenize(found.expression.source, { recovers: true });
  const token = tokens.findIndex(({ offset }) => offset === at);
  return expr === undefined || tokens[token + 1]?.text !== '(' ? undefined : { ...found, expr, tokens, token };
}

/** Returns the token that closes a bracket. */
function closing(tokens: readonly { text: string }[], open: number): number {
  let depth = 0;
  return tokens.findIndex(({ text }, index) => {
    if (index < open) return false;
    if (/^[([{]$/.test(text)) depth += 1;
    else if (/^[)\]}]$/.test(text)) depth -= 1;
    return depth === 0;
  });
}

/** Adds an empty value to an optional that is a whole field, instead of null. */
function nullFallback(context: FixContext): CodeAction | undefined {
  const { file } = context;
  const found = expressionOf(context);
  if (found === undefined) return undefined;
  const { expression, inspected } = found;
  const { root } = inspected.parsed;
  const type = inspected.types.get(root.id);
  const value = type?.kind === 'optional' ? emptyValue(type.value, expression) : undefined;
  if (value === undefined) return undefined;
  const from = expression.textOffset(expression.source.length - expression.source.trimStart().length);
  const to = expression.textOffset(expression.source.trimEnd().length);
  const isChain =
    root.kind === 'select' || (root.kind === 'call' && (root.target !== undefined || root.name[1] === '['));
  const edits = isChain
    ? [replace(file, to, to, `.orValue(${value})`)]
    : [replace(file, from, from, '('), replace(file, to, to, `).orValue(${value})`)];
  return fix(`Use ${value} if there is no value`, context, edits);
}

/** Adds a `?` before each optional field of a chain such as `schema.spec.tls.name`, and an empty value. */
function readFallback(context: FixContext): CodeAction | undefined {
  const { file, start, one } = context;
  const found = expressionOf(context);
  if (found === undefined) return undefined;
  const { expression, inspected } = found;
  const names = namesIn(inspected);
  const chain = chainFrom(names, expression.sourceOffset(start));
  const last = chain.at(-1);
  const value = last && emptyValue(unwrapped(last.type), expression);
  const marks = marksOf(hintOf(one), chain);
  if (last === undefined || value === undefined || marks === undefined) return undefined;
  const written = chain.map(({ name }, index) => (marks[index] === true ? `?${name}` : name)).join('.');
  const [from, to] = [expression.textOffset(chain[0]?.offset ?? 0), expression.textOffset(last.end)];
  return fix('Read it with a fallback', context, [replace(file, from, to, `${written}.orValue(${value})`)]);
}

/**
 * Returns which names of a chain may be absent: the hint has a `?` before them. For an item it contains the text after
 * the brackets.
 */
function marksOf(hint: string, chain: readonly NameAt[]): boolean[] | undefined {
  const steps = /^read (\S+)\.orValue/.exec(hint)?.[1]?.split('.') ?? [];
  const items = steps.findLastIndex((step) => step.endsWith('[]'));
  const expected = items < 0 ? steps : [chain[0]?.name ?? '', ...steps.slice(items + 1)];
  if (expected.some((step, index) => step.replace('?', '') !== chain[index]?.name)) return undefined;
  return expected.map((step) => step.startsWith('?'));
}
