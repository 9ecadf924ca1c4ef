import type { CodeLens, InlayHint } from 'vscode-languageserver';
import { groupKind, groupVersionKind, isKubeObject, titleOf } from '../../../core/model/object.ts';
import { entryOf, nodeAt } from '../../../yaml/tree/index.ts';
import { typeText } from '../cel/types.ts';
import { type Model, modelOf } from '../rgd/model.ts';
import type { Range, SourceFile } from '../workspace/file.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { isTest } from './links.ts';
import { firstValue } from './preview.ts';

/** Returns the types of iterators, and the values of expressions in the first instance. */
export function inlayHintsOf(file: SourceFile, range: Range, workspace: Workspace): InlayHint[] {
  const checked = workspace.known(file.uri);
  if (checked === undefined) return [];
  const [from, to] = [file.offsetAt(range.start), file.offsetAt(range.end)];
  return file.trees.flatMap((tree) => {
    const model = tree.end < from || tree.start > to ? undefined : modelOf(file, tree, workspace);
    if (model === undefined) return [];
    const values = model.expressions.flatMap((expression): InlayHint[] => {
      const { node, place, standalone, closed, path, scalar } = expression;
      if (
        node === undefined ||
        place !== 'template' ||
        !standalone ||
        !closed ||
        scalar.start < from ||
        scalar.end > to
      )
        return [];
      const { id = '', template, path: own = [] } = model.definition.nodes[node] ?? {};
      // A node of a nested graph may have the id of another node.
      const value =
        template && own.length === 3
          ? firstValue(id, model.definition.kind, path.slice(4), checked, workspace.settings)
          : undefined;
      return value === undefined
        ? []
        : [{ position: file.positionAt(scalar.end), label: `= ${value}`, paddingLeft: true }];
    });
    return [...iteratorHints(model, file), ...values];
  });
}

function iteratorHints({ definition, scopes, tree }: Model, file: SourceFile): InlayHint[] {
  return definition.nodes.flatMap(({ forEach }, index) =>
    forEach.flatMap(({ name, path }): InlayHint[] => {
      const key = entryOf(nodeAt(tree.root, path.slice(0, -1)), name)?.key;
      const type = scopes.iterators(index).get(name);
      if (key === undefined || type === undefined) return [];
      return [{ position: file.positionAt(key.end), label: `: ${typeText(type)}`, kind: 1 }];
    }),
  );
}

/** Returns lenses that preview instances, and draw RGDs; of a golden test, those that run it if the host can. */
export function lensesOf(file: SourceFile, workspace: Workspace, runsTests: boolean): CodeLens[] {
  const lens = (range: Range, title: string, command: string, ...more: string[]): CodeLens => ({
    range,
    command: { title, command: `render-rgd.${command}`, arguments: [file.uri, ...more] },
  });
  if (isTest(file)) {
    const top = file.rangeOf(0, 0);
    return runsTests ? [lens(top, 'run test', 'test'), lens(top, 'update test', 'updateTest')] : [];
  }
  const checked = workspace.known(file.uri);
  if (checked === undefined) return [];
  return file.read.documents.flatMap(({ object, source }): CodeLens[] => {
    const tree = source && file.trees[source.document];
    const kind = tree && entryOf(tree.root, 'kind');
    if (!isKubeObject(object) || kind === undefined) return [];
    const range = file.rangeOf(kind.key.start, kind.value.end);
    const own = file.facts.rgds.find(({ document }) => document === source?.document);
    if (own !== undefined) {
      const instances = [...checked.rendered.keys()].filter(
        (one) => groupKind(groupVersionKind(one)) === own.kind,
      ).length;
      const title = `graph (${instances} ${instances === 1 ? 'instance' : 'instances'} here)`;
      return [lens(range, title, 'graph')];
    }
    const count = checked.rendered.get(object);
    if (count === undefined) return [];
    const title = `renders ${count} ${count === 1 ? 'object' : 'objects'}: show`;
    return [lens(range, title, 'show', titleOf(object))];
  });
}
