import type { CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import protocol from '../../../data/language-server.json';
import texts from '../../../data/snippets.json';
import { ownValue } from '../../core/model/value.ts';
import { baseOf } from '../../core/text/paths.ts';
import { sampleInstance } from '../../describe/sample/index.ts';
import type { CelType } from '../../languages/cel/index.ts';
import { defaultRenderOptions } from '../../render/options/index.ts';
import { completeExpression, type Proposal, type Proposals, proposal } from '../cel/complete.ts';
import type { Expected } from '../cel/expected.ts';
import type { Expression } from '../expressions.ts';
import { Place } from '../place.ts';
import { completeInputs } from '../templates/complete.ts';
import { SourceFile } from '../workspace/file.ts';
import { completeYaml } from '../yaml/complete.ts';
import { completeSettings } from '../yaml/complete-settings.ts';
import { inFlowList, writingAt } from '../yaml/context.ts';
import { schemaAt, schemaType } from '../yaml/schema.ts';
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
  const { file, offset, expression, checked, workspace } = place;
  if (expression !== undefined) {
    const asked = { ...expression, expected: expectedOf(expression, place) };
    const found = completeExpression(asked, expression.sourceOffset(offset));
    const { textOffset } = expression;
    return found && { ...found, start: textOffset(found.start), end: Math.max(textOffset(found.end), offset) };
  }
  const inputs = completeInputs(place);
  if (inputs !== undefined) return inputs;
  const begun = begunExpression(place);
  if (begun !== undefined) return begun;
  const context = writingAt(file.text, offset);
  if (context === undefined) return undefined;
  const inside = inFlowList(context);
  return completeSettings(inside, file.uri, workspace) ?? completeYaml(inside, checked);
}

const KIND_OF_TYPE: Readonly<Record<string, readonly CelType['kind'][]>> = {
  string: ['string'],
  integer: ['int'],
  number: ['double', 'int'],
  boolean: ['bool'],
  array: ['list'],
  object: ['object', 'map'],
};

/** Returns the types that the value of an expression may have, by its place. */
function expectedOf({ written }: Expression, { checked, value }: Place): Expected | undefined {
  if (written === undefined) return undefined;
  const { place, path, standalone } = written;
  if (place === 'forEach') return new Set(['list']);
  if (place === 'includeWhen' || place === 'readyWhen') return new Set(['bool']);
  if (place !== 'template') return undefined;
  if (!standalone) return new Set(['string']);
  const kinds = ownValue(KIND_OF_TYPE, schemaType(schemaAt(value, path, checked)) ?? '');
  return kinds && new Set(kinds);
}

/** Completes a dollar sign, with which an expression begins. */
function begunExpression({ file, offset, workspace }: Place): Proposals | undefined {
  if (file.text.charAt(offset - 1) !== '$' || file.text.charAt(offset) === '{') return undefined;
  const start = offset - 1;
  const inside = (source: string): Proposal[] => {
    const text = `${file.text.slice(0, start)}\${${source}}${file.text.slice(offset)}`;
    const at = offset + 1 + source.length;
    const written = new Place(new SourceFile(file.uri, text, file.version), at, workspace);
    return (written.expression && proposalsAt(written)?.proposals) ?? [];
  };
  const names = inside('');
  if (names.length === 0) return undefined;
  const fields = inside('schema.spec.').filter(({ kind, rank }) => kind === 'field' && rank < 2);
  const wrapped = (one: Proposal, prefix: string, rank: number): Proposal => {
    const source = `${prefix}${one.label}`;
    const label = `\${${source}}`;
    return { ...one, label, text: label, plain: label, isSnippet: false, rank };
  };
  const proposals = [
    ...fields.map((one) => wrapped(one, 'schema.spec.', one.rank)),
    ...names.filter(({ kind }) => kind === 'variable').map((one) => wrapped(one, '', one.rank + 1)),
  ];
  return { start, end: offset, proposals };
}

/** Sorts by the typed prefix, then by rank and name. */
function ranked(proposals: readonly Proposal[], typed: string): Proposal[] {
  const wanted = typed.replace(/^["']/, '').toLowerCase();
  const score = ({ label, rank }: Proposal): number => {
    const name = label.toLowerCase();
    if (wanted === '' || name.startsWith(wanted)) return rank;
    return name.includes(wanted) ? rank + 10 : rank + 100;
  };
  const use = (one: Proposal): number => one.use ?? 1;
  return [...proposals].sort((a, b) => score(a) - score(b) || use(a) - use(b) || (a.label < b.label ? -1 : 1));
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
