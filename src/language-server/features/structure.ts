import type {
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  SelectionRange,
  TextEdit,
  WorkspaceSymbol,
} from 'vscode-languageserver';
import { formatText } from '../../author/format/index.ts';
import { isKustomizationFile } from '../../core/model/kustomization.ts';
import { getAt, type Path, textAt, textOf, type Value } from '../../core/model/value.ts';
import { changedRange } from '../../core/text/changed-range.ts';
import { parentOf } from '../../core/text/paths.ts';
import { FUNCTION_CONFIG } from '../../render/options/index.ts';
import { type Entry, entryOf, nodeAt, scalarTextOf, treeValue, type YamlNode } from '../../yaml/tree/index.ts';
import { joined } from '../workspace/definition-overrides.ts';
import type { Position, SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { collect } from '../yaml/context.ts';
import { isRgdDocument } from '../yaml/schema.ts';

/** The numbers of the protocol. */
const SYMBOL = { object: 19, field: 8, type: 5, node: 23 } as const;

export const symbolsOf = (file: SourceFile): DocumentSymbol[] =>
  file.trees.flatMap(({ root }) => documentSymbol(file, root) ?? []);

function documentSymbol(file: SourceFile, root: YamlNode): DocumentSymbol | undefined {
  if (root.kind !== 'map' || root.entries.length === 0) return undefined;
  const value = treeValue(file.text, root);
  const name = `${textAt(value, 'kind') || 'document'} ${textOf(getAt(value, ['metadata', 'name']))}`.trim();
  const children = isRgdDocument(value) ? rgdSymbols(file, root, value) : [];
  const range = file.rangeOf(root.start, Math.max(root.end, root.start));
  const first = root.entries[0] as Entry;
  return { name, kind: SYMBOL.object, range, selectionRange: file.rangeOf(first.key.start, first.key.end), children };
}

function rgdSymbols(file: SourceFile, root: YamlNode, value: Value): DocumentSymbol[] {
  const schema = nodeAt(root, ['spec', 'schema']);
  const parts = ['spec', 'types', 'status'].flatMap((part) => entryOf(schema, part) ?? []);
  const resources = nodeAt(root, ['spec', 'resources']);
  const nodes = resources?.kind === 'list' ? resources.items : [];
  return [
    ...parts.map((entry) => fieldSymbol(file, entry, 3)),
    ...nodes.flatMap(({ value: node }, index): DocumentSymbol[] => {
      const id = entryOf(node, 'id')?.value;
      const object = getAt(value, ['spec', 'resources', index]);
      const kind = textOf(getAt(object, ['template', 'kind']) ?? getAt(object, ['externalRef', 'kind']));
      if (id?.kind !== 'scalar' || id.end === id.start) return [];
      const name = file.text.slice(id.innerStart, id.innerEnd);
      const range = file.rangeOf(Math.min(node.start, id.start), Math.max(node.end, id.end));
      return [{ name, detail: kind, kind: SYMBOL.node, range, selectionRange: file.rangeOf(id.start, id.end) }];
    }),
  ];
}

function fieldSymbol(file: SourceFile, entry: Entry, depth: number): DocumentSymbol {
  const { key, name, value } = entry;
  const inner = value.kind === 'map' && depth > 0 ? value.entries.filter(({ complete }) => complete) : [];
  return {
    name: name || '?',
    ...(value.kind === 'scalar' ? { detail: file.text.slice(value.start, value.end).split('\n')[0] ?? '' } : {}),
    kind: SYMBOL.field,
    range: file.rangeOf(key.start, Math.max(value.end, key.end)),
    selectionRange: file.rangeOf(key.start, key.end),
    children: inner.map((one) => fieldSymbol(file, one, depth - 1)),
  };
}

/** Returns keys and items with values of several lines. */
export function foldingOf(file: SourceFile): FoldingRange[] {
  const lines = new Map<number, number>();
  const spans = file.trees.flatMap(({ root }) => [
    [root.start, root.end] as const,
    ...collect(root, (node, _, entry) => [
      ...(entry === undefined ? [] : [[entry.key.start, node.end] as const]),
      ...(node.kind === 'list' ? node.items.map(({ dash, value }) => [dash, value.end] as const) : []),
    ]),
  ]);
  for (const [start, end] of spans) {
    const startLine = file.positionAt(start).line;
    const endLine = file.positionAt(start + file.text.slice(start, end).trimEnd().length).line;
    if (endLine > startLine && !lines.has(startLine)) lines.set(startLine, endLine);
  }
  return [...lines].map(([startLine, endLine]) => ({ startLine, endLine })).sort((a, b) => a.startLine - b.startLine);
}

/** Returns the documents, nodes and fields of all packages whose name contains a text. */
export function symbolsIn(workspace: Workspace, query: string): WorkspaceSymbol[] {
  const wanted = query.toLowerCase();
  return workspace.packages.flatMap(({ files }) =>
    files.flatMap((file) => {
      const flat = (one: DocumentSymbol, containerName: string): WorkspaceSymbol[] => {
        const { name, kind, selectionRange: range, children = [] } = one;
        const inside = children.flatMap((child) => flat(child, name));
        if (!name.toLowerCase().includes(wanted)) return inside;
        return [{ name, kind, containerName, location: { uri: file.uri, range } }, ...inside];
      };
      return symbolsOf(file).flatMap((one) => flat(one, ''));
    }),
  );
}

type Span = readonly [start: number, end: number];

/** Returns the growing ranges around positions: expressions, values, entries, maps and documents. */
export const selectionsOf = (file: SourceFile, positions: readonly Position[]): SelectionRange[] =>
  positions.map((position) => {
    const offset = file.offsetAt(position);
    const inside = file.trees.flatMap(({ root }) =>
      collect(root, (node, _, entry) => {
        const isScalar = node.kind === 'scalar';
        const text = isScalar ? file.text.slice(node.start, node.end) : '';
        const expressions = [...text.matchAll(/(?<=\$\{)[^}]*(?=\})/g)].map(({ index, 0: found }): Span => {
          return [node.start + index, node.start + index + found.length];
        });
        const own: Span[] = [[node.start, node.end], ...(isScalar ? [[node.innerStart, node.innerEnd] as Span] : [])];
        const ofEntry: Span[] = entry
          ? [
              [entry.key.start, entry.key.end],
              [entry.key.start, node.end],
            ]
          : [];
        return [...own, ...expressions, ...ofEntry];
      }),
    );
    const spans: Span[] = [[0, file.text.length], ...inside];
    return spans
      .filter(([start, end]) => start <= offset && offset <= end)
      .sort((a, b) => b[1] - b[0] - (a[1] - a[0]))
      .reduce<SelectionRange | undefined>((parent, [start, end]) => {
        const range = file.rangeOf(start, end);
        return parent === undefined ? { range } : { range, parent };
      }, undefined) as SelectionRange;
  });

/** Returns the edit that formats a file: everything between the first and the last difference. */
export function formattingOf(file: SourceFile): TextEdit[] {
  const before = file.text;
  const after = formatText(before).text;
  const changed = changedRange(before, after);
  if (changed === undefined) return [];
  let { start, end } = changed;
  // A position may not be between a carriage return and its line feed.
  if (before[start - 1] === '\r') start -= 1;
  if (before[end] === '\n' && before[end - 1] === '\r') end += 1;
  const newText = after.slice(start, after.length - (before.length - end));
  return [{ range: file.rangeOf(start, end), newText }];
}

const IN_KUSTOMIZATION = new Set(['resources', 'bases', 'components', 'transformers', 'generators', 'path', 'crds']);
const IN_TEST = new Set(['input', 'definitions', 'observed', 'openapi', 'inputsFrom', 'defaults']);

/** Returns the files that a kustomization, a golden test or a functionConfig names. */
export function linksOf(file: SourceFile, workspace: Workspace): DocumentLink[] {
  const isConfig = file.text.includes(`kind: ${FUNCTION_CONFIG.kind}`);
  const keys = isKustomizationFile(file.uri) ? IN_KUSTOMIZATION : isConfig || isTest(file) ? IN_TEST : undefined;
  return (keys === undefined ? [] : file.trees).flatMap(({ root }) =>
    collect(root, (node, path): DocumentLink[] => {
      if (node.kind !== 'scalar' || !keys?.has(keyOf(path))) return [];
      const { value } = scalarTextOf(file.text, node);
      const isPath = !/^[\w+.-]+:|[\n*]/.test(value);
      const target = isPath ? targetOf(joined(parentOf(file.uri), value), workspace) : undefined;
      return target === undefined ? [] : [{ range: file.rangeOf(node.innerStart, node.innerEnd), target }];
    }),
  );
}

export const isTest = ({ uri }: SourceFile): boolean => uri.endsWith('/test.yaml');

const keyOf = (path: Path): string => String(path.findLast((step) => typeof step === 'string'));

/** Returns a file, or the kustomization or first file of a folder. */
function targetOf(uri: string, { files }: Workspace): string | undefined {
  if (files.has(uri) || /\.(?:ya?ml|json)$/.test(uri)) return uri;
  const inside = [...files.keys()].filter((one) => one.startsWith(`${uri}/`)).sort();
  return inside.find((one) => isKustomizationFile(one) && parentOf(one) === uri) ?? inside[0];
}
