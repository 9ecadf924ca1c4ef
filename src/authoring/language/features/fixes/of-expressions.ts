import type { CodeAction } from 'vscode-languageserver';
import { type Bind, type Comprehension, subExpressions, tokenize } from '../../../../languages/cel/index.ts';
import { type NameAt, namesIn } from '../../cel/names.ts';
import { unwrapped } from '../../cel/types.ts';
import { chainFrom, emptyValue, expressionOf, type FixContext, fix, hintOf, replace } from './edits.ts';

const SCALARS = new Set(['string', 'int', 'uint', 'double', 'bool']);

/** Sorts a list that a macro creates from a map, if its items can be compared. */
export function sorted(context: FixContext): CodeAction | undefined {
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
export function unusedVariable(context: FixContext): CodeAction | undefined {
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
export function nullFallback(context: FixContext): CodeAction | undefined {
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
export function readFallback(context: FixContext): CodeAction | undefined {
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
