import type { Code, Remedy, RemedyKind } from '../../../core/diagnostics/index.ts';
import { sampleValue } from '../../../describe/sample/index.ts';
import { plainReferenceIn } from '../../../kro/definition/index.ts';
import { columnOf } from '../../../yaml/edit/index.ts';
import { toJsonText, yamlScalar } from '../../../yaml/emit/index.ts';
import { entryOf, nodeAt, scalarTextOf, type YamlNode } from '../../../yaml/tree/index.ts';
import type { Place } from '../../place.ts';
import { fieldEntry } from '../../symbols/targets.ts';
import { schemaAt } from '../../yaml/schema.ts';
import { type Fix, type FixContext, type Fixes, replace, single } from './edits.ts';
import {
  converted,
  convertedWhole,
  expression,
  nullFallback,
  readFallback,
  sorted,
  unusedVariable,
} from './expressions.ts';

/** Replaces the innermost scalar at the diagnostic, by its text without quotes and as written. */
const scalar =
  <Argument>(by: (text: string, written: string, argument: Argument) => string): Fixes<Argument> =>
  (argument, { place }) => {
    const { file } = place;
    const { node } = place.scalar(true) ?? {};
    if (node === undefined) return [];
    const text = file.text.slice(node.innerStart, node.innerEnd);
    const written = file.text.slice(node.start, node.end);
    return single(replace(file, node.start, node.end, by(text, written, argument)));
  };

const TRUE = /^(?:true|yes|on|y|enabled)$/i;

/** The title of a fix, and its edits. */
export interface FixRow<Argument> {
  /** `$1` is what the fix names, or an argument of the remedy. */
  readonly title: string;
  readonly named?: (argument: Argument) => string;
  readonly fixes: Fixes<Argument>;
  /** Whether only the author knows that the fix is the intention: no command applies it alone. */
  readonly isGuessed?: boolean;
}

/** The fixes of lints, whose code says everything. Only the author knows the intention of others (docs/editors.md). */
export const LINT_FIXES: { readonly [C in Code]?: FixRow<undefined> } = {
  'lint-unsorted-list': { title: 'Sort the list', fixes: sorted },
  'lint-null-value': { title: 'Use $1 if there is no value', fixes: nullFallback },
  'lint-unused-variable': { title: 'Mark it as unused', fixes: unusedVariable },
  'lint-trailing-newline': { title: 'End the text without a line break', fixes: withoutLineBreak },
  'lint-unread-field': { title: 'Remove the field', fixes: removed, isGuessed: true },
  'lint-scaled-replicas': { title: 'Remove replicas', fixes: removed },
  'lint-unread-input': { title: 'Remove the input', fixes: removed, isGuessed: true },
  'lint-required-default': { title: 'Remove required=true', fixes: optional },
  'lint-plain-reference': { title: 'Make it an expression', fixes: asExpression },
};

/** The edits of each kind of remedy. */
export const REMEDY_FIXES: { readonly [K in RemedyKind]: FixRow<Remedy<K>> } = {
  rename: { title: 'Replace it with $1', fixes: suggestedName, isGuessed: true },
  'rename-key': { title: 'Write the key $1', fixes: renamedKey, isGuessed: true },
  'set-kind': { title: 'Make it $1', fixes: otherKind, isGuessed: true },
  'write-value': {
    title: 'Replace it with $1',
    named: ({ value }) => value,
    fixes: scalar((_, written, { value }) => (/^["']/.test(written) ? toJsonText(value) : yamlScalar(value))),
    isGuessed: true,
  },
  quote: { title: 'Put it in quotes', fixes: quoted },
  unquote: { title: 'Remove the quotes', fixes: scalar((text) => text) },
  'make-boolean': { title: 'Make it a boolean', fixes: scalar((text) => String(TRUE.test(text))) },
  'make-list': { title: 'Make it a list', fixes: scalar((_, written) => `[${written}]`) },
  'plain-quotes': {
    title: 'Use plain quotes',
    fixes: scalar((_, written) => written.replace(/[“”„‟‘’]/g, written.startsWith('"') ? "'" : '"')),
  },
  convert: { title: 'Convert it with $1()', named: (remedy) => remedy.function, fixes: convertedWhole },
  'convert-operand': { title: 'Convert with $1()', named: (remedy) => remedy.function, fixes: converted },
  'make-list-expression': { title: 'Make it a list', fixes: expression((source) => `[${source}]`) },
  'add-fallback': {
    title: 'Add a fallback',
    fixes: expression((source, { value }) => `${source}.orValue(${value})`),
    isGuessed: true,
  },
  compare: {
    title: '$1',
    named: (remedy) => remedy.expression,
    fixes: expression((_, remedy) => remedy.expression),
    isGuessed: true,
  },
  rewrite: {
    title: 'Write $1',
    named: (remedy) => remedy.expression,
    fixes: expression((_, remedy) => remedy.expression),
  },
  replace: {
    title: 'Replace it with $1',
    named: ({ by }) => by,
    fixes: ({ text, by }, context) => around(context, text, by),
  },
  'read-with-fallback': { title: 'Read it with a fallback', fixes: readFallback },
  'declare-field': { title: 'Declare $1 in the schema', named: ({ name }) => name, fixes: missingField },
  'declare-default': { title: 'Add a default', fixes: declared },
  'add-field': { title: 'Add $1', named: ({ field }) => field, fixes: inserted },
  'quote-marker': {
    title: 'Quote the value',
    fixes: scalar((_, written, { marker, value }) =>
      written.replace(`${marker}=${value}`, () => `${marker}=${JSON.stringify(value)}`),
    ),
  },
  'join-marker': {
    title: 'Write $1',
    named: ({ marker, value }) => `${marker}=${value}`,
    fixes: scalar((_, written, { marker, value }) =>
      written.replace(new RegExp(`${marker}\\s*=\\s*\\S*?(?=\\s|["']?$)`), () => `${marker}=${value}`),
    ),
  },
  'write-marker': {
    title: 'Write $1',
    named: ({ marker }) => marker,
    fixes: ({ word, marker }, context) => around(context, word, marker),
    isGuessed: true,
  },
};

/** Replaces a name with the suggested one. A prefix that exists already is not repeated. */
function suggestedName({ to: intended }: Remedy<'rename'>, { place }: FixContext): Fix[] {
  const { file, offset: start } = place;
  const before = file.text.slice(0, start);
  // A quote after a name belongs to the name only if one is before it.
  const written = /^(?:["'][\w.$/-]+["']?|[\w.$/-]+)/.exec(file.text.slice(start))?.[0] ?? '';
  // A dash subtracts in an expression.
  const word = place.written === undefined ? /^(?:["'][\w-]+["']?|[\w-]+)/ : /^(?:["']\w+["']?|\w+)/;
  const name = /[./]/.test(intended) ? (written.split('.', 1)[0] ?? '') : (word.exec(written)?.[0] ?? '');
  if (name === '') return [];
  const steps = [...intended.matchAll(/\./g)].map(({ index }) => intended.slice(0, index + 1)).reverse();
  const shown = intended.slice(steps.find((prefix) => before.endsWith(prefix))?.length ?? 0);
  const replaced = intended.includes('/') ? written : name;
  return [{ edits: [replace(file, start, start + replaced.length, shown)], shown }];
}

/** Returns the innermost map around a position. */
function mapAt({ tree, entries }: Place): YamlNode | undefined {
  const [innermost] = entries;
  return innermost && nodeAt(tree?.root, innermost.path.slice(0, -1));
}

/** Writes another key in place of one of the map at the diagnostic. */
function renamedKey({ key, to }: Remedy<'rename-key'>, { place }: FixContext): Fix[] {
  const { file } = place;
  const map = mapAt(place);
  const found = entryOf(map, key);
  if (found === undefined || entryOf(map, to) !== undefined) return [];
  return [{ edits: [replace(file, found.key.innerStart, found.key.innerEnd, to)], shown: to }];
}

/** Writes the apiVersion and the kind of the object whose kind is at the diagnostic. */
function otherKind({ apiVersion, name }: Remedy<'set-kind'>, { place }: FixContext): Fix[] {
  const { file } = place;
  const map = mapAt(place);
  const ofVersion = entryOf(map, 'apiVersion')?.value;
  const ofKind = entryOf(map, 'kind')?.value;
  if (ofVersion?.kind !== 'scalar' || ofKind?.kind !== 'scalar') return [];
  const edits = [
    replace(file, ofVersion.innerStart, ofVersion.innerEnd, apiVersion),
    replace(file, ofKind.innerStart, ofKind.innerEnd, name),
  ];
  return [{ edits, shown: `${apiVersion} ${name}` }];
}

function quoted(_: unknown, { diagnostic: { range }, place: { file } }: FixContext): Fix[] {
  const written = file.text.slice(file.offsetAt(range.start), file.offsetAt(range.end));
  return single({ range, newText: JSON.stringify(written) });
}

/** Adds a field to the schema for an undeclared field of `schema.spec` that is read. */
function missingField({ name }: Remedy<'declare-field'>, { place }: FixContext): Fix[] {
  const { file, offset: start, tree, workspace } = place;
  const spec = tree && entryOf(nodeAt(tree.root, ['spec', 'schema']), 'spec')?.value;
  const isRead = /schema\.spec\.\??$/.test(file.text.slice(0, start));
  const last = spec?.kind === 'map' && !spec.flow ? spec.entries.at(-1) : undefined;
  if (!isRead || spec === undefined || last === undefined) return [];
  if (workspace.packageOf(file.uri) === undefined) return [];
  const line = file.positionAt(file.text.slice(0, last.value.end).trimEnd().length).line + 1;
  const at = { line, character: 0 };
  const newText = `${' '.repeat(columnOf(file.text, spec.start))}${name}: string\n`;
  return [{ edits: [{ range: { start: at, end: at }, newText }], shown: name }];
}

/** Removes the entry from its map, with all of its lines. */
function removed(_: unknown, context: FixContext): Fix[] {
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
function withoutLineBreak(_: unknown, context: FixContext): Fix[] {
  const { file, entries } = context.place;
  const node = entries[0]?.entry.value;
  if (node?.kind !== 'scalar' || (node.style !== 'literal' && node.style !== 'folded')) return [];
  const header = /^[|>][0-9+-]*/.exec(file.text.slice(node.start))?.[0] ?? '';
  return single(replace(file, node.start, node.start + header.length, `${header.replace(/[+-]/, '')}-`));
}

function optional(_: unknown, context: FixContext): Fix[] {
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
function asExpression(_: unknown, context: FixContext): Fix[] {
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

function inserted({ field: key }: Remedy<'add-field'>, { place }: FixContext): Fix[] {
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

function declared({ read, declaration }: Remedy<'declare-default'>, { place: { file, tree } }: FixContext): Fix[] {
  const steps = read.replaceAll('?', '').replaceAll('[]', '.0').split('.').slice(1);
  const entry = tree && fieldEntry(file.text, tree.root, steps);
  return entry ? single(replace(file, entry.value.start, entry.value.end, declaration)) : [];
}

/** Returns the blanks that end at a position. */
function blanksBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && ' \t'.includes(text.charAt(start - 1))) start -= 1;
  return text.slice(start, end);
}
