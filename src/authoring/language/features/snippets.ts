import texts from '../../../../data/snippets.json';
import { defaultRenderOptions } from '../../../core/model/render.ts';
import type { Graph } from '../../../kro/compile/index.ts';
import { sampleInstance } from '../../sample/index.ts';
import { type Proposal, type Proposals, proposal } from '../cel/complete.ts';
import type { SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The file that each of these texts is for. */
const FILES: Readonly<Record<string, string>> = { 'render-rgd.yaml': 'render-rgd.yaml', 'golden test': 'test.yaml' };

/** Returns whole documents for an empty document at an offset; `undefined` if it is not empty. */
export function snippetsAt(file: SourceFile, offset: number, workspace: Workspace): Proposals | undefined {
  const start = file.text.lastIndexOf('\n---', offset) + 1;
  const document = file.text.slice(start).replace(/^---.*\n?/, '');
  const own =
    document
      .split(/^---/m)[0]
      ?.replace(/^\s*#.*$/gm, '')
      .trim() ?? '';
  const written = /^[\w.-]*$/.exec(own)?.[0];
  if (written === undefined || !file.text.slice(0, offset).endsWith(written)) return undefined;
  const name = file.uri.slice(file.uri.lastIndexOf('/') + 1);
  const graphs = new Map<string, Graph>();
  for (const checked of workspace.checked) for (const [kind, graph] of checked.graphs) graphs.set(kind, graph);
  const instances = [...graphs].map(([kind, graph]) => {
    const { text } = sampleInstance(graph, defaultRenderOptions);
    return snippetOf(graph.kind, text.replace(/(?<=^ {2}name: )example$/m, '«example»'), kind, 1);
  });
  const proposals = Object.entries(texts).map(([label, lines]) => {
    const rank = FILES[label] === undefined ? 2 : FILES[label] === name ? 0 : 3;
    return snippetOf(label, `${lines.join('\n')}\n`, FILES[label] ?? 'a new document', rank);
  });
  return { start: offset - written.length, end: offset, proposals: [...proposals, ...instances] };
}

/** Returns a text with placeholders between `«` and `»`. */
function snippetOf(label: string, text: string, detail: string, rank: number): Proposal {
  let stop = 0;
  const escaped = text.replace(/[$}\\]/g, '\\$&').replace(/«(.*?)»/g, (_, word) => `\${${++stop}:${word}}`);
  return proposal('macro', label, detail, rank, { text: escaped, plain: text.replace(/[«»]/g, ''), isSnippet: true });
}
