import type { CodeAction } from 'vscode-languageserver';
import { columnOf } from '../../../../yaml/edit/index.ts';
import { entryOf, nodeAt } from '../../../../yaml/tree/index.ts';
import { type FixContext, fix, hintOf } from './edits.ts';

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
