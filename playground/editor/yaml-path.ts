import { ensureSyntaxTree, type syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

export type Path = readonly (string | number)[];

/** A position in a YAML document: the path of its field, and the text of its document. */
export interface YamlPlace {
  readonly path: Path;
  /** The offset of the start of its document. */
  readonly document: number;
}

/** Returns the field at a position. */
export function pathAt(state: EditorState, position: number): YamlPlace {
  const tree = ensureSyntaxTree(state, position, 200);
  const path: (string | number)[] = [];
  let document = 0;
  for (let node: SyntaxNode | null = tree?.resolveInner(position, -1) ?? null; node !== null; node = node.parent) {
    if (node.name === 'Pair') {
      const key = node.getChild('Key');
      if (key !== null) path.unshift(unquoted(state.sliceDoc(key.from, key.to)));
    } else if (node.name === 'Item') path.unshift(indexOf(node));
    else if (node.name === 'Document') document = node.from;
  }
  return { path, document };
}

function indexOf(item: SyntaxNode): number {
  let index = 0;
  for (let before = item.prevSibling; before !== null; before = before.prevSibling)
    if (before.name === 'Item') index += 1;
  return index;
}

function unquoted(text: string): string {
  if (text.startsWith('"')) {
    try {
      return String(JSON.parse(text));
    } catch {
      return text.slice(1, -1);
    }
  }
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text;
}

/** Returns a path for `explain`: `.spec.ports[0].name`, `.metadata.labels["a.b/c"]`. */
export const fieldText = (path: Path): string =>
  path
    .map((step) =>
      typeof step === 'number'
        ? `[${step}]`
        : /^[A-Za-z_][\w-]*$/.test(step)
          ? `.${step}`
          : `[${JSON.stringify(step)}]`,
    )
    .join('');

/** Returns the node of an RGD at a position, with the path in its template; undefined elsewhere. */
export function templateAt(state: EditorState, position: number): { node: string; path: Path } | undefined {
  const { path } = pathAt(state, position);
  const [spec, resources, index, template, ...rest] = path;
  if (spec !== 'spec' || resources !== 'resources' || typeof index !== 'number' || template !== 'template')
    return undefined;
  const tree = ensureSyntaxTree(state, position, 200);
  let item: SyntaxNode | null = tree?.resolveInner(position, -1) ?? null;
  // The outermost list item is the node.
  let found: SyntaxNode | undefined;
  for (; item !== null; item = item.parent) if (item.name === 'Item') found = item;
  for (const pair of found?.firstChild === null ? [] : pairsOf(found)) {
    const key = pair.getChild('Key');
    if (key === null || state.sliceDoc(key.from, key.to) !== 'id') continue;
    return { node: unquoted(state.sliceDoc(key.to, pair.to).replace(/^\s*:\s*/, '')), path: rest };
  }
  return undefined;
}

const pairsOf = (item: SyntaxNode | undefined): SyntaxNode[] =>
  item?.getChild('BlockMapping')?.getChildren('Pair') ?? item?.getChild('FlowMapping')?.getChildren('Pair') ?? [];
