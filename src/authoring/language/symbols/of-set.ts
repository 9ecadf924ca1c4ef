import { isKubeObject } from '../../../core/model/object.ts';
import type { Path } from '../../../core/model/value.ts';
import { isInputProvider, templatePlaces } from '../../../flux/index.ts';
import { type DocumentTree, nodeAt, scalarTextOf, walkTree } from '../../../yaml/tree/index.ts';
import {
  type InputSource,
  inputEntry,
  inputNamesIn,
  readPath,
  type SetModel,
  setModel,
  setsIn,
} from '../templates/inputs.ts';
import type { Checked } from '../workspace/check.ts';
import type { SourceFile } from '../workspace/file.ts';
import {
  instanceOccurrences,
  type Occurrence,
  occurrenceOf,
  scalarIn,
  selfOf,
  type Target,
  targetAt,
} from './elsewhere.ts';

/** Returns the names in a ResourceSet or in a provider with their targets; none in other documents. */
export function setOccurrences(file: SourceFile, tree: DocumentTree, checked: Checked): Occurrence[] {
  const model = setModel(file, tree, checked.plan);
  if (model !== undefined) {
    return [
      ...ownName(file, tree),
      ...model.sources.filter((one) => one.tree === tree).flatMap((one) => keysOf(one, model)),
      ...readsOf(model),
      ...providerNames(model),
      ...rendered(model, checked),
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

function keysOf(source: InputSource, model: SetModel): Occurrence[] {
  const found: Occurrence[] = [];
  walkTree(source.values, (_, path, entry) => {
    const target = entry && inputTarget(model, readPath(model, source, path));
    if (entry !== undefined && target !== undefined) found.push(occurrenceOf(entry.key, target));
  });
  return found;
}

function readsOf(model: SetModel): Occurrence[] {
  const { file, tree } = model;
  const found: Occurrence[] = [];
  walkTree(tree.root, (node, path) => {
    if (node.kind !== 'scalar' || !isTemplate(path) || !file.text.slice(node.start, node.end).includes('<<')) return;
    const { value, offsets } = scalarTextOf(file.text, node);
    for (const { path: read, ...at } of inputNamesIn(value)) {
      const target = inputTarget(model, read) ?? sourceTarget(model, read);
      const [start, end] = [offsets[at.start] as number, (offsets[at.end - 1] as number) + 1];
      if (target !== undefined) found.push({ start, end, target, inExpression: true });
    }
  });
  return found;
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

function nameTarget({ file, tree, name }: Pick<InputSource, 'file' | 'tree' | 'name'>): Target | undefined {
  const node = scalarIn(tree.root, ['metadata', 'name']);
  return node && targetAt(file, node, 'object', name);
}

function ownName(file: SourceFile, tree: DocumentTree): Occurrence[] {
  const target = nameTarget({ file, tree, name: '' });
  return target === undefined ? [] : [selfOf(target)];
}

/** Returns the names of providers in `spec.inputsFrom`. */
function providerNames(model: SetModel): Occurrence[] {
  const references = nodeAt(model.tree.root, ['spec', 'inputsFrom']);
  if (references?.kind !== 'list') return [];
  return references.items.flatMap(({ value }): Occurrence[] => {
    const node = scalarIn(value, ['name']);
    if (node === undefined) return [];
    const name = scalarTextOf(model.file.text, node).value;
    const source = model.sources.find((one) => one.tree !== model.tree && one.name === name);
    const target = source && nameTarget(source);
    return target === undefined ? [] : [occurrenceOf(node, target)];
  });
}

/** Returns the objects that a ResourceSet renders, if RGDs define their kinds. */
function rendered({ file, tree, set }: SetModel, checked: Checked): Occurrence[] {
  return templatePlaces(set).flatMap(({ path }) => {
    const node = nodeAt(tree.root, path);
    return node === undefined ? [] : instanceOccurrences(file, node, checked);
  });
}

/** Returns the default values of a provider, which ResourceSets read. */
function ofProvider(file: SourceFile, tree: DocumentTree, checked: Checked): Occurrence[] {
  const own = ownName(file, tree);
  for (const model of setsIn(checked.plan, file)) {
    const source = model.sources.find((one) => one.file === file && one.tree.start === tree.start);
    if (source !== undefined) return [...own, ...keysOf(source, model)];
  }
  return own;
}
