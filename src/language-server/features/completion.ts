import type { CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import protocol from '../../../data/language-server.json';
import texts from '../../../data/snippets.json';
import { ownValue } from '../../core/model/value.ts';
import { baseOf } from '../../core/text/paths.ts';
import { sampleInstance } from '../../describe/sample/index.ts';
import { defaultRenderOptions } from '../../render/options/index.ts';
import { completeExpression, type Proposal, type Proposals, proposal } from '../cel/complete.ts';
import type { Place } from '../place.ts';
import { completeInputs } from '../templates/complete.ts';
import { completeYaml } from '../yaml/complete.ts';
import { writingAt } from '../yaml/context.ts';
import { paragraphs, schemaText } from './hover.ts';

const KINDS = protocol.completionKinds as Record<Proposal['kind'], CompletionItemKind>;
const SNIPPET = 2;

export function completionsAt(place: Place, snippets: boolean): CompletionItem[] {
  const { file, offset } = place;
  const found = snippetsAt(place) ?? proposalsAt(place);
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

function proposalsAt(place: Place): Proposals | undefined {
  const { file, offset, expression, checked } = place;
  if (expression !== undefined) {
    const found = completeExpression(expression, expression.sourceOffset(offset));
    const { textOffset } = expression;
    return found && { ...found, start: textOffset(found.start), end: Math.max(textOffset(found.end), offset) };
  }
  const inputs = completeInputs(place);
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

/** The file that each of these texts is for. */
const FILES: Readonly<Record<string, string>> = { 'render-rgd.yaml': 'render-rgd.yaml', 'golden test': 'test.yaml' };

/** Returns whole documents for an empty document at an offset; `undefined` if it is not empty. */
function snippetsAt({ file, offset, workspace }: Place): Proposals | undefined {
  const start = file.text.lastIndexOf('\n---', offset) + 1;
  const document = file.text.slice(start).replace(/^---.*\n?/, '');
  const [own = ''] = document.split(/^---/m);
  const written = /^[\w.-]*$/.exec(own.replace(/^[ \t]*#.*$/gm, '').trim())?.[0];
  if (written === undefined || !file.text.slice(0, offset).endsWith(written)) return undefined;
  const name = baseOf(file.uri);
  const graphs = new Map([...workspace.checked].flatMap((checked) => [...checked.graphs]));
  const instances = [...graphs].map(([kind, graph]) => {
    const { text } = sampleInstance(graph, defaultRenderOptions);
    return snippetOf(graph.kind, text.replace(/(?<=^ {2}name: )example$/m, '«example»'), kind, 1);
  });
  const proposals = Object.entries(texts).map(([label, lines]) => {
    const rank = ownValue(FILES, label) === undefined ? 2 : ownValue(FILES, label) === name ? 0 : 3;
    return snippetOf(label, `${lines.join('\n')}\n`, ownValue(FILES, label) ?? 'a new document', rank);
  });
  return { start: offset - written.length, end: offset, proposals: [...proposals, ...instances] };
}

/** Returns a text with placeholders between `«` and `»`. */
function snippetOf(label: string, text: string, detail: string, rank: number): Proposal {
  let stop = 0;
  const escaped = text.replace(/[$}\\]/g, '\\$&').replace(/«(.*?)»/g, (_, word) => `\${${++stop}:${word}}`);
  return proposal('macro', label, detail, rank, { text: escaped, plain: text.replace(/[«»]/g, ''), isSnippet: true });
}
