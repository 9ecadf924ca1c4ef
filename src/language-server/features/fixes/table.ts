import type { Code } from '../../../core/diagnostics/index.ts';
import { sampleValue } from '../../../describe/sample/index.ts';
import { plainReferenceIn } from '../../../kro/definition/index.ts';
import { columnOf } from '../../../yaml/edit/index.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import { entryOf, nodeAt, scalarTextOf } from '../../../yaml/tree/index.ts';
import { fieldEntry } from '../../symbols/targets.ts';
import { schemaAt } from '../../yaml/schema.ts';
import { type Fix, type FixContext, type Fixes, replace, single } from './edits.ts';
import {
  converted,
  convertedWhole,
  expression,
  nullFallback,
  readFallback,
  readOf,
  sorted,
  unusedVariable,
} from './expressions.ts';

/** Replaces the innermost scalar at the diagnostic, by its text without quotes and as written. */
const scalar =
  (by: (text: string, written: string, found: readonly string[]) => string): Fixes =>
  (found, { place }) => {
    const { file } = place;
    const { node } = place.scalar(true) ?? {};
    if (node === undefined) return [];
    const text = file.text.slice(node.innerStart, node.innerEnd);
    const written = file.text.slice(node.start, node.end);
    return single(replace(file, node.start, node.end, by(text, written, found)));
  };

const TRUE = /^(?:true|yes|on|y|enabled)$/i;

/**
 * The fixes, by the codes of lints or the hints that contain the corrected text. `$1` in a title is what the hint, or
 * the fix, names. Only the author knows the intention of other lints (docs/editors.md gives the reasons).
 */
export const FIXES: readonly (readonly [on: Code | RegExp, title: string, fixes: Fixes])[] = [
  [/did you mean '([^']+)'|did you mean ([\w./-]*\w)/, 'Replace it with $1', suggestedName],
  [/quote it|put the text in quotes/, 'Put it in quotes', quoted],
  ['expression-type', 'Declare $1 in the schema', missingField],
  ['lint-unsorted-list', 'Sort the list', sorted],
  ['lint-null-value', 'Use $1 if there is no value', nullFallback],
  ['lint-optional-read-unguarded', 'Read it with a fallback', readFallback],
  ['lint-unused-variable', 'Mark it as unused', unusedVariable],
  ['lint-trailing-newline', 'End the text without a line break', withoutLineBreak],
  ['lint-unread-field', 'Remove the field', removed],
  ['lint-scaled-replicas', 'Remove replicas', removed],
  ['lint-unread-input', 'Remove the input', removed],
  ['lint-required-default', 'Remove required=true', optional],
  ['lint-plain-reference', 'Make it an expression', asExpression],
  [/^write it without quotes/, 'Remove the quotes', scalar((text) => text)],
  [/^write true or false, without quotes/, 'Make it a boolean', scalar((text) => String(TRUE.test(text)))],
  [/^write a list, with - before/, 'Make it a list', scalar((_, written) => `[${written}]`)],
  [/^convert it: (\w+)\(/, 'Convert it with $1()', convertedWhole],
  [/^write a list: \[/, 'Make it a list', expression((source) => `[${source}]`)],
  [/^give a fallback/, 'Add a fallback', expression((source) => `${source}.orValue("")`)],
  [/^compare (?:it, for example|its size:) ((?!.*\.\.\.).+)$/, '$1', expression((_, [, text = '']) => text)],
  [/^convert (?:the \w+ to join|one of them).*?(\w+)\(\.\.\.\)/, 'Convert with $1()', converted],
  [
    /^write (\S+) in place of '?(.+?)'?$/,
    'Replace it with $1',
    ([, by = '', text = ''], context) => around(context, text, by),
  ],
  [/^write \$\{(.+)\}: it has the same result in both$/, 'Write $1', expression((_, [, text = '']) => text)],
  [/^write ([=&|]{2}) (?:to|for)/, 'Replace it with $1', ([, by = ''], context) => around(context, by.slice(1), by)],
  [
    /in its place$/,
    'Use plain quotes',
    scalar((_, written) => written.replace(/[“”„‟‘’]/g, written.startsWith('"') ? "'" : '"')),
  ],
  [
    /^quote the value: (\w+)=(".*")$/,
    'Quote the value',
    scalar((_, written, [, name, value = '']) => written.replace(`${name}=${JSON.parse(value)}`, `${name}=${value}`)),
  ],
  [
    /^write ((\w+)=\S+), without spaces/,
    'Write $1',
    scalar((_, written, [, text = '', name]) =>
      written.replace(new RegExp(`${name}\\s*=\\s*\\S*?(?=\\s|["']?$)`), text),
    ),
  ],
  [
    /(?:^|the default, )write (\w+=(?!\.\.\.).*)$/,
    'Write $1',
    ([, text = ''], context) =>
      [/=true$/, /^default=/].flatMap((part) => around(context, text.replace(part, ''), text)),
  ],
  [/^add ([\w.-]+): /, 'Add $1', inserted],
  [
    /^read (\S+)\.orValue.* a default, [\w.-]+: (.+) \(or /,
    'Add a default',
    ([, read = '', text = ''], context) => declared(read, text, context),
  ],
  [
    / declare a default, ([\w-]+): (.+), or guard/,
    'Add a default',
    ([, key = '', text = ''], context) => declared(readOf(key, context), text, context),
  ],
];

/** Replaces a name with the suggested one. A prefix that exists already is not repeated. */
function suggestedName(
  [, inQuotes, plain = '']: readonly string[],
  { place: { file, offset: start } }: FixContext,
): Fix[] {
  const intended = inQuotes ?? plain;
  const before = file.text.slice(0, start);
  const written = /^["']?[\w.$/-]+["']?/.exec(file.text.slice(start))?.[0] ?? '';
  const name = /[./]/.test(intended) ? (written.split('.', 1)[0] ?? '') : (/^["']?\w+["']?/.exec(written)?.[0] ?? '');
  if (name === '') return [];
  const steps = [...intended.matchAll(/\./g)].map(({ index }) => intended.slice(0, index + 1)).reverse();
  const shown = intended.slice(steps.find((prefix) => before.endsWith(prefix))?.length ?? 0);
  const replaced = intended.includes('/') ? written : name;
  return [{ edits: [replace(file, start, start + replaced.length, shown)], shown }];
}

function quoted(_: readonly string[], { diagnostic: { range }, place: { file } }: FixContext): Fix[] {
  const written = file.text.slice(file.offsetAt(range.start), file.offsetAt(range.end));
  return single({ range, newText: JSON.stringify(written) });
}

/** Adds a field to the schema for an undeclared field of `schema.spec` that is read. */
function missingField(_: readonly string[], { diagnostic: { message }, place }: FixContext): Fix[] {
  const { file, offset: start, tree, workspace } = place;
  const name = /^\w+/.exec(file.text.slice(start))?.[0];
  const spec = tree && entryOf(nodeAt(tree.root, ['spec', 'schema']), 'spec')?.value;
  const isRead = String(message).startsWith('undefined field') && /schema\.spec\.\??$/.test(file.text.slice(0, start));
  const last = spec?.kind === 'map' && !spec.flow ? spec.entries.at(-1) : undefined;
  if (!isRead || name === undefined || spec === undefined || last === undefined) return [];
  if (workspace.packageOf(file.uri) === undefined) return [];
  const line = file.positionAt(file.text.slice(0, last.value.end).trimEnd().length).line + 1;
  const at = { line, character: 0 };
  const newText = `${' '.repeat(columnOf(file.text, spec.start))}${name}: string\n`;
  return [{ edits: [{ range: { start: at, end: at }, newText }], shown: name }];
}

/** Removes the entry from its map, with all of its lines. */
function removed(_: readonly string[], context: FixContext): Fix[] {
  const { file, entries } = context.place;
  const { text } = file;
  const entry = entries[0]?.entry;
  if (entry === undefined) return [];
  const { start } = entry.key;
  // A map extends to the next content.
  const end = text.slice(0, entry.value.end).trimEnd().length;
  const first = file.positionAt(start).line;
  const indentation = text.slice(file.offsetAt({ line: first, character: 0 }), start);
  if (/^ *$/.test(indentation)) {
    const next = file.positionAt(end).line + 1;
    return single({ range: { start: { line: first, character: 0 }, end: { line: next, character: 0 } }, newText: '' });
  }
  const behind = /^[ \t]*,[ \t]*/.exec(text.slice(end))?.[0];
  if (behind !== undefined) return single(replace(file, start, end + behind.length, ''));
  const before = /,[ \t]*$/.exec(indentation)?.[0];
  return before === undefined ? [] : single(replace(file, start - before.length, end, ''));
}

/** Replaces `|` with `|-`. */
function withoutLineBreak(_: readonly string[], context: FixContext): Fix[] {
  const { file, entries } = context.place;
  const node = entries[0]?.entry.value;
  if (node?.kind !== 'scalar' || (node.style !== 'literal' && node.style !== 'folded')) return [];
  const header = /^[|>][0-9+-]*/.exec(file.text.slice(node.start))?.[0] ?? '';
  return single(replace(file, node.start, node.start + header.length, `${header.replace(/[+-]/, '')}-`));
}

function optional(_: readonly string[], context: FixContext): Fix[] {
  const { file, offset } = context.place;
  // The value of the marker is reported.
  const start = offset - 'required='.length;
  const marker = /^required=true[ \t]*/.exec(file.text.slice(start))?.[0];
  if (marker === undefined) return [];
  const isLast = /^(?:['"]?[ \t]*(?:[\r\n#]|$))/.test(file.text.slice(start + marker.length));
  const before = isLast ? blanksBefore(file.text, start) : '';
  const end = start + (isLast ? marker.trimEnd().length : marker.length);
  return single(replace(file, start - before.length, end, ''));
}

/** Replaces `{schema.spec.name}` and `{{ .schema.spec.name }}` with `${schema.spec.name}`. */
function asExpression(_: readonly string[], context: FixContext): Fix[] {
  const { file, entries } = context.place;
  const node = entries[0]?.entry.value;
  if (node?.kind !== 'scalar') return [];
  const { value, offsets } = scalarTextOf(file.text, node);
  const found = plainReferenceIn(value);
  const [from, to] = found ? [offsets[found.offset], offsets[found.offset + found.written.length]] : [];
  return from === undefined || to === undefined ? [] : single(replace(file, from, to, `\${${found?.name}}`));
}

/** Replaces a text that starts at the diagnostic, or ends there. */
function around({ place: { file, offset: start } }: FixContext, text: string, by: string): Fix[] {
  const before = file.text.slice(0, start).trimEnd().length;
  const at = [start, start - 1, before - text.length, start - text.length + 1].find(
    (from) => from >= 0 && file.text.startsWith(text, from),
  );
  return text === '' || at === undefined ? [] : single(replace(file, at, at + text.length, by));
}

function inserted([, key = '']: readonly string[], { place }: FixContext): Fix[] {
  const { file, checked, value: root } = place;
  return place.entries.flatMap(({ entry, path }) => {
    const schema = schemaAt(root, [...path, key], checked);
    const text = `${key}: ${schema === undefined ? '""' : toJsonText(sampleValue(schema))}`;
    const { value } = entry;
    const put = (at: number, newText: string): Fix[] => single(replace(file, at, at, newText));
    const indented = (column: number): string => `\n${' '.repeat(column)}`;
    if (value.kind === 'scalar')
      return value.style === 'empty'
        ? put(entry.key.end + 1, `${indented(columnOf(file.text, entry.key.start) + 2)}${text}`)
        : [];
    if (value.kind === 'list') return [];
    if (value.flow) return put(value.start + 1, `${text}${value.entries.length === 0 ? '' : ', '}`);
    return put(value.start, `${text}${indented(columnOf(file.text, value.start))}`);
  });
}

function declared(read: string, text: string, { place: { file, tree } }: FixContext): Fix[] {
  const steps = read.replaceAll('?', '').replaceAll('[]', '.0').split('.').slice(1);
  const entry = tree && fieldEntry(file.text, tree.root, steps);
  return entry ? single(replace(file, entry.value.start, entry.value.end, text)) : [];
}

/** Returns the blanks that end at a position. */
function blanksBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && ' \t'.includes(text.charAt(start - 1))) start -= 1;
  return text.slice(start, end);
}
