import type { TextEdit } from 'vscode-languageserver';
import type { Remedy } from '../../../core/diagnostics/index.ts';
import { type CelType, type InspectedExpression, subExpressions, tokenize } from '../../../languages/cel/index.ts';
import { closing, type NameAt, namesIn } from '../../cel/names.ts';
import { unwrapped } from '../../cel/types.ts';
import type { WrittenExpression } from '../../expressions.ts';
import { convertedWith, type Fix, type FixContext, type Fixes, replace, single } from './edits.ts';

/** The expression at a diagnostic; `write` replaces a part of it, by the offsets of the source. */
interface Subject {
  expression: WrittenExpression;
  inspected: InspectedExpression;
  write(from: number, to: number, text: string): TextEdit;
}

function subjectOf({ place: { file, written: expression } }: FixContext): Subject | undefined {
  const inspected = expression?.inspected();
  if (expression === undefined || inspected === undefined) return undefined;
  const { textOffset } = expression;
  return { expression, inspected, write: (from, to, text) => replace(file, textOffset(from), textOffset(to), text) };
}

const inExpression =
  <Argument>(fixes: (at: Subject, context: FixContext, argument: Argument) => Fix[]): Fixes<Argument> =>
  (argument, context) => {
    const at = subjectOf(context);
    return at === undefined ? [] : fixes(at, context, argument);
  };

export const expression = <Argument>(by: (source: string, argument: Argument) => string): Fixes<Argument> =>
  inExpression(({ expression, write }, _, argument) => {
    const source = expression.source.trim();
    const from = expression.source.indexOf(source);
    return single(write(from, from + source.length, by(source, argument)));
  });

/** Converts the whole expression. */
export const convertedWhole: Fixes<Remedy<'convert'>> = (remedy, context) => {
  const { function: name } = remedy;
  return convertedWith(name, expression((source) => `${name}(${source})`)(remedy, context));
};

export const converted = inExpression(({ inspected, write }, _, { function: name }: Remedy<'convert-operand'>) => {
  const names = namesIn(inspected);
  return names
    .filter(({ role }) => role === 'variable' || role === 'local')
    .flatMap(({ offset }) => {
      const to = chainFrom(names, offset).at(-1)?.end ?? offset;
      return convertedWith(name, single(write(offset, offset, `${name}(`), write(to, to, ')')));
    });
});

const SCALARS = new Set(['string', 'int', 'uint', 'double', 'bool']);

/** Sorts a list that a macro creates from a map, if its items can be compared. */
export const sorted = inExpression((at, { place }) => {
  const found = comprehensionAt(at, place.offset);
  const type = found && at.inspected.types.get(found.expr.id);
  const close = found?.tokens[closing(found.tokens, found.token + 1)];
  if (close === undefined || type?.kind !== 'list' || !SCALARS.has(type.element.kind)) return [];
  return single(at.write(close.offset + 1, close.offset + 1, '.sort()'));
});

/** Renames the variables of a macro to mark them as unused. */
export const unusedVariable = inExpression((at, { place }) => {
  const found = comprehensionAt(at, place.offset);
  if (found === undefined) return [];
  const { expr, tokens, token } = found;
  const names = expr.kind === 'bind' ? [expr.name] : [expr.variable, expr.variable2];
  const edits = names.flatMap((name, index) => {
    const written = tokens[token + 2 + index * 2];
    return name === undefined || written?.text !== name ? [] : at.write(written.offset, written.offset, '_');
  });
  return edits.length === 0 ? [] : [{ edits }];
});

/** Returns the macro at an offset of the text, and the token of its name. */
function comprehensionAt({ expression: { source, sourceOffset }, inspected }: Subject, start: number) {
  const at = sourceOffset(start);
  const all = [...subExpressions(inspected.parsed.root)];
  const expr = all
    .filter((one) => one.kind === 'comprehension' || one.kind === 'bind')
    .find(({ offset }) => offset === at);
  const tokens = tokenize(source, { recovers: true });
  const token = tokens.findIndex(({ offset }) => offset === at);
  return expr === undefined || tokens[token + 1]?.text !== '(' ? undefined : { expr, tokens, token };
}

const EMPTY: Partial<Record<CelType['kind'], string>> = {
  string: '""',
  int: '0',
  double: '0.0',
  bool: 'false',
  list: '[]',
  map: '{}',
};

/** Returns an empty value of a type, as an expression; `undefined` if there is none. */
const emptyValue = ({ kind }: CelType, { written: { scalar } }: WrittenExpression): string | undefined =>
  kind === 'string' && scalar.style === 'double' ? "''" : EMPTY[kind];

/** Adds an empty value to an optional that is a whole field, instead of null. */
export const nullFallback = inExpression(({ expression, inspected, write }) => {
  const { root } = inspected.parsed;
  const type = inspected.types.get(root.id);
  const value = type?.kind === 'optional' ? emptyValue(type.value, expression) : undefined;
  if (value === undefined) return [];
  const { source } = expression;
  const from = source.length - source.trimStart().length;
  const to = source.trimEnd().length;
  const isChain =
    root.kind === 'select' || (root.kind === 'call' && (root.target !== undefined || root.name[1] === '['));
  const edits = isChain
    ? [write(to, to, `.orValue(${value})`)]
    : [write(from, from, '('), write(to, to, `).orValue(${value})`)];
  return [{ edits, shown: value }];
});

/** Adds a `?` before each optional field of a chain such as `schema.spec.tls.name`, and an empty value. */
export const readFallback = inExpression((at: Subject, context, { read }: Remedy<'read-with-fallback'>) => {
  const { expression, inspected, write } = at;
  const chain = chainFrom(namesIn(inspected), expression.sourceOffset(context.place.offset));
  const last = chain.at(-1);
  const value = last && emptyValue(unwrapped(last.type), expression);
  const marks = marksOf(read, chain);
  if (last === undefined || value === undefined || marks === undefined) return [];
  const written = chain.map(({ name }, index) => (marks[index] === true ? `?${name}` : name)).join('.');
  return single(write(chain[0]?.offset ?? 0, last.end, `${written}.orValue(${value})`));
});

/** Returns which names of a chain may be absent, by the `?` in a path; of an item it has the part after `[]`. */
function marksOf(read: string, chain: readonly NameAt[]): boolean[] | undefined {
  const steps = read.split('.');
  const items = steps.findLastIndex((step) => step.endsWith('[]'));
  const expected = items < 0 ? steps : [chain[0]?.name ?? '', ...steps.slice(items + 1)];
  if (expected.some((step, index) => step.replace('?', '') !== chain[index]?.name)) return undefined;
  return expected.map((step) => step.startsWith('?'));
}

/** Returns the names from an offset on that are fields of each other. */
function chainFrom(names: readonly NameAt[], offset: number): NameAt[] {
  const chain: NameAt[] = [];
  for (const one of names) {
    const last = chain.at(-1);
    if (last === undefined ? one.offset === offset : one.role === 'field' && one.offset === last.end + 1)
      chain.push(one);
  }
  return chain;
}
