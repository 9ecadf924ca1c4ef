import type { CodeAction, TextEdit } from 'vscode-languageserver';
import { columnOf } from '../../../../yaml/edit/index.ts';
import { toJsonText } from '../../../../yaml/emit/index.ts';
import { treeValue } from '../../../../yaml/tree/index.ts';
import { sampleValue } from '../../../sample/index.ts';
import { namesIn } from '../../cel/names.ts';
import { fieldEntry } from '../../symbols/elsewhere.ts';
import { entriesAround, scalarAt } from '../../yaml/context.ts';
import { schemaAt } from '../../yaml/schema.ts';
import { chainFrom, expressionOf, type FixContext, fix, hintOf, replace } from './edits.ts';

type Edit = readonly TextEdit[] | undefined;
type Found = readonly string[];

/** Returns the edits for a hint: of several, each is another fix. Those that are wrong here are not offered. */
type Edits = (found: Found, context: FixContext) => readonly Edit[];

/** Replaces the innermost scalar at the diagnostic, by its text without quotes and as written. */
const scalar =
  (by: (text: string, written: string, found: Found) => string): Edits =>
  (found, { file, start }) => {
    const tree = file.treeAt(start);
    const { node } = (tree && scalarAt(tree.root, start, true)) ?? {};
    if (node === undefined) return [];
    const [text, written] = [file.text.slice(node.innerStart, node.innerEnd), file.text.slice(node.start, node.end)];
    return [[replace(file, node.start, node.end, by(text, written, found))]];
  };

/** Replaces the expression at the diagnostic. */
const expression =
  (by: (source: string, found: Found) => string): Edits =>
  (found, context) => {
    const { source: all = '', textOffset } = expressionOf(context)?.expression ?? {};
    if (textOffset === undefined) return [];
    const source = all.trim();
    const from = all.indexOf(source);
    return [[replace(context.file, textOffset(from), textOffset(from + source.length), by(source, found))]];
  };

const TRUE = /^(?:true|yes|on|y|enabled)$/i;

/** The hints that contain the corrected text, and their edits. */
const HINTS: readonly (readonly [hint: RegExp, title: string, edits: Edits])[] = [
  [/^write it without quotes/, 'Remove the quotes', scalar((text) => text)],
  [/^write true or false, without quotes/, 'Make it a boolean', scalar((text) => String(TRUE.test(text)))],
  [/^write a list, with - before/, 'Make it a list', scalar((_, written) => `[${written}]`)],
  [/^convert it: (\w+)\(/, 'Convert it with $1()', expression((source, [, name]) => `${name}(${source})`)],
  [/^write a list: \[/, 'Make it a list', expression((source) => `[${source}]`)],
  [/^give a fallback/, 'Add a fallback', expression((source) => `${source}.orValue("")`)],
  [/^compare (?:it, for example|its size:) ((?!.*\.\.\.).+)$/, '$1', expression((_, [, text = '']) => text)],
  [/^convert (?:the \w+ to join|one of them).*?(\w+)\(\.\.\.\)/, 'Convert with $1()', converted],
  [
    /^write (\S+) in place of '?(.+?)'?$/,
    'Replace it with $1',
    ([, by = '', text = ''], one) => [around(one, text, by)],
  ],
  [/^write \$\{(.+)\}: it has the same result in both$/, 'Write $1', expression((_, [, text = '']) => text)],
  [/^write ([=&|]{2}) (?:to|for)/, 'Replace it with $1', ([, by = ''], one) => [around(one, by.slice(1), by)]],
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
    ([, text = ''], one) => [/=true$/, /^default=/].map((part) => around(one, text.replace(part, ''), text)),
  ],
  [/^add ([\w.-]+): /, 'Add $1', inserted],
  [
    /^read (\S+)\.orValue.* a default, [\w.-]+: (.+) \(or /,
    'Add a default',
    ([, read = '', text = ''], one) => [declared(read, text, one)],
  ],
  [
    / declare a default, ([\w-]+): (.+), or guard/,
    'Add a default',
    ([, key = '', text = ''], one) => [declared(readOf(key, one), text, one)],
  ],
];

/** Returns a fix for each hint that contains the corrected text. */
export function hintFixes(context: FixContext): CodeAction[] {
  const hint = hintOf(context.one);
  return HINTS.flatMap(([pattern, title, edits]) => {
    const found = pattern.exec(hint);
    const all = found === null ? [] : edits(found, context);
    return all.flatMap((own) => (own === undefined ? [] : fix(title.replace('$1', found?.[1] ?? ''), context, own)));
  });
}

/** Replaces a text that starts at the diagnostic, or ends there. */
function around({ file, start }: FixContext, text: string, by: string): TextEdit[] | undefined {
  const before = file.text.slice(0, start).trimEnd().length;
  const at = [start, start - 1, before - text.length, start - text.length + 1].find(
    (from) => from >= 0 && file.text.startsWith(text, from),
  );
  return text === '' || at === undefined ? undefined : [replace(file, at, at + text.length, by)];
}

/** Converts one of the names in the expression at the diagnostic. */
function converted([, name]: Found, context: FixContext): TextEdit[][] {
  const { file } = context;
  const found = expressionOf(context);
  if (found === undefined) return [];
  const names = namesIn(found.inspected);
  return names
    .filter(({ role }) => role === 'variable' || role === 'local')
    .map(({ offset }) => {
      const from = found.expression.textOffset(offset);
      const to = found.expression.textOffset(chainFrom(names, offset).at(-1)?.end ?? offset);
      return [replace(file, from, from, `${name}(`), replace(file, to, to, ')')];
    });
}

/** Adds a required field to the map at the diagnostic, or to the one that contains it. */
function inserted([, key = '']: Found, { file, start, workspace }: FixContext): Edit[] {
  const tree = file.treeAt(start);
  if (tree === undefined) return [];
  const root = treeValue(file.text, tree.root);
  return entriesAround(tree.root, start).map(({ entry, path }) => {
    const schema = schemaAt(root, [...path, key], workspace.known(file.uri));
    const text = `${key}: ${schema === undefined ? '""' : toJsonText(sampleValue(schema))}`;
    const { value } = entry;
    const indentation = ' '.repeat(columnOf(file.text, entry.key.start) + 2);
    if (value.kind === 'scalar' && value.style === 'empty')
      return [replace(file, entry.key.end + 1, entry.key.end + 1, `\n${indentation}${text}`)];
    if (value.kind !== 'map') return undefined;
    if (value.flow) {
      const rest = value.entries.length === 0 ? '' : ', ';
      return [replace(file, value.start + 1, value.start + 1, `${text}${rest}`)];
    }
    return [replace(file, value.start, value.start, `${text}\n${' '.repeat(columnOf(file.text, value.start))}`)];
  });
}

/** Returns the read of a field of the schema in the expression at the diagnostic, as far as a key. */
function readOf(key: string, context: FixContext): string {
  const inspected = expressionOf(context)?.inspected;
  const names = inspected === undefined ? [] : namesIn(inspected);
  const chains = names.filter(({ name, role }) => role === 'variable' && name === 'schema');
  const found = chains.map(({ offset }) => chainFrom(names, offset).map(({ name }) => name));
  const chain = found.find((one) => one.includes(key)) ?? [];
  return chain.slice(0, chain.indexOf(key) + 1).join('.');
}

/** Replaces the declaration of a field that an expression reads. */
function declared(read: string, text: string, { file, start }: FixContext): TextEdit[] | undefined {
  const tree = file.treeAt(start);
  const steps = read.replaceAll('?', '').replaceAll('[]', '.0').split('.').slice(1);
  const entry = tree && fieldEntry(file.text, tree.root, steps);
  return entry && [replace(file, entry.value.start, entry.value.end, text)];
}
