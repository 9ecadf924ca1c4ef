import type { CompletionItem } from 'vscode-languageserver';
import { completeExpression, type Proposal, type Proposals } from '../cel/complete.ts';
import { expressionAt } from '../expression-at.ts';
import { completeInputs } from '../templates/complete.ts';
import type { Position, SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { completeYaml } from '../yaml/complete.ts';
import { writingAt } from '../yaml/context.ts';
import { paragraphs, schemaText } from './markdown.ts';
import { snippetsAt } from './snippets.ts';

/** The numbers of the protocol. */
const KINDS: Readonly<Record<Proposal['kind'], CompletionItem['kind'] & number>> = {
  field: 5,
  variable: 6,
  function: 3,
  method: 2,
  macro: 15,
  keyword: 14,
  value: 12,
};
const SNIPPET = 2;

/** Returns the completions at a position, the best first. */
export function completionsAt(
  file: SourceFile,
  position: Position,
  workspace: Workspace,
  snippets: boolean,
): CompletionItem[] {
  const offset = file.offsetAt(position);
  const found = snippetsAt(file, offset, workspace) ?? proposalsAt(file, offset, workspace);
  if (found === undefined) return [];
  const range = file.rangeOf(found.start, found.end);
  const typed = file.text.slice(found.start, offset);
  return ranked(found.proposals, typed).map((one, index): CompletionItem => {
    const isSnippet = one.isSnippet && snippets;
    const documentation = paragraphs([one.about, one.schema && schemaText(one.schema)]);
    return {
      label: one.label,
      kind: KINDS[one.kind],
      detail: one.detail,
      sortText: String(index).padStart(5, '0'),
      filterText: one.label,
      textEdit: { range, newText: isSnippet ? one.text : (one.plain ?? withoutStops(one)) },
      ...(isSnippet ? { insertTextFormat: SNIPPET } : {}),
      ...(documentation === '' ? {} : { documentation: { kind: 'markdown', value: documentation } }),
    };
  });
}

function proposalsAt(file: SourceFile, offset: number, workspace: Workspace): Proposals | undefined {
  const tree = file.treeAt(offset);
  if (tree === undefined) return undefined;
  const expression = expressionAt(file, offset, workspace);
  if (expression !== undefined) {
    const { inspected, names, forbidden, environment, sourceOffset, textOffset } = expression;
    const found = inspected && completeExpression(inspected, sourceOffset(offset), names, forbidden, environment);
    return found && { ...found, start: textOffset(found.start), end: Math.max(textOffset(found.end), offset) };
  }
  const checked = workspace.known(file.uri);
  const inputs = completeInputs(file, tree, offset, checked?.plan);
  const context = inputs === undefined ? writingAt(file.text, offset) : undefined;
  return inputs ?? (context && completeYaml(context, checked));
}

/** Sorts by the typed prefix, then by rank and name. */
function ranked(proposals: readonly Proposal[], typed: string): Proposal[] {
  const wanted = typed.replace(/^["']/, '').toLowerCase();
  const score = ({ label, rank }: Proposal): number => {
    const name = label.toLowerCase();
    if (wanted === '' || name.startsWith(wanted)) return rank;
    return name.includes(wanted) ? rank + 10 : rank + 100;
  };
  return [...proposals].sort((a, b) => score(a) - score(b) || (a.label < b.label ? -1 : 1));
}

/** For an editor without snippets, reduces a function to its name and a parenthesis. */
const withoutStops = ({ text, isSnippet }: Proposal): string =>
  isSnippet ? text.slice(0, text.search(/[$]/)).replace(/"$/, '') : text;
