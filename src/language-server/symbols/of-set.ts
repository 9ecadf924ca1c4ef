import { isKubeObject } from '../../core/model/object.ts';
import type { Path } from '../../core/model/value.ts';
import { isInputProvider, templatePlaces } from '../../flux/index.ts';
import { type DocumentTree, nodeAt, scalarTextOf } from '../../yaml/tree/index.ts';
import { inputEntry, inputNamesIn, readPath, type SetModel, setModel, setsIn } from '../templates/inputs.ts';
import type { Checked } from '../workspace/check.ts';
import type { SourceFile } from '../workspace/file.ts';
import { collect } from '../yaml/context.ts';
import { instanceOccurrences, type Occurrence, occurrences, type Target, targetAt, textOfNode } from './targets.ts';

/** Returns the names in a ResourceSet or in a provider with their targets; none in other documents. */
export function setOccurrences(file: SourceFile, tree: DocumentTree, checked: Checked): Occurrence[] {
  const model = setModel(file, tree, checked.plan);
  if (model !== undefined) {
    return [
      ...ownName(file, tree),
      ...model.sources.filter((one) => one.tree === tree).flatMap((one) => keysOf(one, model)),
      ...readsOf(model),
      ...providerNames(model),
      // The objects that it renders, if RGDs define their kinds.
      ...templatePlaces(model.set).flatMap(({ path }) => instanceOccurrences(file, nodeAt(tree.root, path), checked)),
    ];
  }
  const object = file.read.documents.find(({ source }) => source?.document === tree.index)?.object;
  return isKubeObject(object) && isInputProvider(object) ? ofProvider(file, tree, checked) : [];
}

/** Returns the first declaration of an input. Nested keys are excluded, because they may be read in other ways. */
function inputTarget(model: SetModel, path: readonly string[]): Target | undefined {
  const first = inputEntry(model, path);
  const isTop = path.length === (model.isPermuted ? 2 : 1);
  return first && targetAt(first.source.file, first.entry.key, isTop ? 'input' : 'template', first.entry.name);
}

const keysOf = (source: SetModel['sources'][number], model: SetModel): Occurrence[] =>
  collect(source.values, (_, path, entry) =>
    occurrences(entry?.key, entry && inputTarget(model, readPath(model, source, path))),
  );

function readsOf(model: SetModel): Occurrence[] {
  const { file, tree } = model;
  return collect(tree.root, (node, path) => {
    if (node.kind !== 'scalar' || !isTemplate(path) || !file.text.slice(node.start, node.end).includes('<<')) return [];
    const { value, offsets } = scalarTextOf(file.text, node);
    return inputNamesIn(value).flatMap(({ path: read, ...at }): Occurrence[] => {
      const target = inputTarget(model, read) ?? sourceTarget(model, read);
      const start = offsets[at.start] as number;
      const end = (offsets[at.end - 1] as number) + 1;
      return target === undefined ? [] : [{ start, end, target, inExpression: true }];
    });
  });
}

const isTemplate = ([spec, part, step, inside]: Path): boolean =>
  spec === 'spec' &&
  (part === 'resources' ||
    part === 'resourcesTemplate' ||
    (part === 'steps' && typeof step === 'number' && (inside === 'resources' || inside === 'resourcesTemplate')));

/** Returns the object whose inputs are below its name. */
function sourceTarget(model: SetModel, path: readonly string[]): Target | undefined {
  const source = path.length === 1 ? model.sources.find((one) => readPath(model, one, [])[0] === path[0]) : undefined;
  return source && nameTarget(source);
}

const nameTarget = ({
  file,
  tree,
  name,
}: Pick<SetModel['sources'][number], 'file' | 'tree' | 'name'>): Target | undefined =>
  targetAt(file, nodeAt(tree.root, ['metadata', 'name']), 'object', name);

const ownName = (file: SourceFile, tree: DocumentTree): Occurrence[] =>
  occurrences(nodeAt(tree.root, ['metadata', 'name']), nameTarget({ file, tree, name: '' }));

function providerNames({ file, tree, sources }: SetModel): Occurrence[] {
  const references = nodeAt(tree.root, ['spec', 'inputsFrom']);
  if (references?.kind !== 'list') return [];
  return references.items.flatMap(({ value }) => {
    const node = nodeAt(value, ['name']);
    const name = textOfNode(file.text, node);
    const source = sources.find((one) => one.tree !== tree && one.name === name);
    return occurrences(node, source && nameTarget(source));
  });
}

function ofProvider(file: SourceFile, tree: DocumentTree, checked: Checked): Occurrence[] {
  const own = ownName(file, tree);
  for (const model of setsIn(checked.plan, file)) {
    const source = model.sources.find((one) => one.file === file && one.tree.start === tree.start);
    if (source !== undefined) return [...own, ...keysOf(source, model)];
  }
  return own;
}
