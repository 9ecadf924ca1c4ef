import { selectsObject } from '../../../core/model/label-selector.ts';
import { isKubeObject, type KubeObject, nameOf } from '../../../core/model/object.ts';
import { get, getAt, isMap, listAt, type Path, type Value } from '../../../core/model/value.ts';
import { isInputProvider, isResourceSet, templateName } from '../../../flux/index.ts';
import { standardNames } from '../../../languages/gotemplate/index.ts';
import { type DocumentTree, type Entry, entryOf, nodeAt, treeValue, type YamlNode } from '../../../yaml/tree/index.ts';
import { type Proposal, type Proposals, proposal } from '../cel/complete.ts';
import type { SourceFile } from '../workspace/file.ts';
import type { Package } from '../workspace/packages.ts';

/** One input set in the text: in a ResourceSet, or as the default values of a provider. */
export interface InputSource {
  file: SourceFile;
  tree: DocumentTree;
  values: YamlNode;
  name: string;
}

/** A ResourceSet that is being edited, with the inputs of its templates. */
export interface SetModel {
  file: SourceFile;
  tree: DocumentTree;
  set: KubeObject;
  sources: readonly InputSource[];
  /** Templates read an input below the name of its source. */
  isPermuted: boolean;
}

/** Returns the model of a document; `undefined` if it is not a ResourceSet. */
export function setModel(file: SourceFile, tree: DocumentTree, plan: Package | undefined): SetModel | undefined {
  if (!file.text.slice(tree.start, tree.end).includes('ResourceSet')) return undefined;
  const set = treeValue(file.text, tree.root);
  if (!isKubeObject(set) || !isResourceSet(set)) return undefined;
  const own = nodeAt(tree.root, ['spec', 'inputs']);
  const written = own?.kind === 'list' ? own.items.map(({ value }) => value) : [];
  const sources = written.map((values): InputSource => ({ file, tree, values, name: nameOf(set) }));
  const isPermuted = getAt(set, ['spec', 'inputStrategy', 'name']) === 'Permute';
  return { file, tree, set, isPermuted, sources: [...sources, ...(plan ? chosenIn(plan, file, set) : [])] };
}

/** Returns the ResourceSets of a package. `newer` is a version of a file that the package may not contain yet. */
export const setsIn = (plan: Package, newer: SourceFile): SetModel[] =>
  filesOf(plan, newer)
    .filter(({ facts }) => facts.isOurs)
    .flatMap((file) => file.trees.flatMap((tree) => setModel(file, tree, plan) ?? []));

const filesOf = ({ files }: Package, newer: SourceFile): SourceFile[] =>
  files.map((file) => (file.uri === newer.uri ? newer : file));

/** Returns the default values of the valid providers of a package that a ResourceSet reads. */
const chosenIn = (plan: Package, newer: SourceFile, set: KubeObject): InputSource[] =>
  filesOf(plan, newer).flatMap((file) =>
    file.read.documents.flatMap(({ object, source }): InputSource[] => {
      if (!isKubeObject(object) || !isInputProvider(object) || !isChosen(set, object)) return [];
      const tree = source && file.trees[source.document];
      const values = nodeAt(tree?.root, ['spec', 'defaultValues']);
      return tree && values ? [{ file, tree, values, name: nameOf(object) }] : [];
    }),
  );

/** Reports whether `spec.inputsFrom` names or selects a provider. */
function isChosen(set: KubeObject, provider: KubeObject): boolean {
  return listAt(set.spec, 'inputsFrom').some((reference) => {
    const name = get(reference, 'name') ?? null;
    return name === null ? selectsObject(get(reference, 'selector') ?? null, provider) : name === nameOf(provider);
  });
}

/** Returns the first declaration of an input, by its path after `inputs` in templates. */
export function inputEntry(
  { sources, isPermuted }: SetModel,
  path: readonly string[],
): { source: InputSource; entry: Entry } | undefined {
  const from = isPermuted ? sources.filter(({ name }) => templateName(name) === path[0]) : sources;
  const inside = isPermuted ? path.slice(1) : path;
  const key = inside.at(-1);
  for (const source of key === undefined ? [] : from) {
    const entry = entryOf(nodeAt(source.values, inside.slice(0, -1)), key as string);
    if (entry !== undefined) return { source, entry };
  }
  return undefined;
}

/** Returns the path in templates for a path of a source. */
export const readPath = ({ isPermuted }: SetModel, { name }: InputSource, path: Path): string[] =>
  [...(isPermuted ? [templateName(name)] : []), ...path].map(String);

/** A read of inputs in an action of a template: `inputs.team.name`, or `get inputs "team"`. */
interface InputName {
  path: readonly string[];
  /** The start of the name in the text, without quotes. */
  start: number;
  end: number;
}

const ACTION = /<<-?([\s\S]*?)>>/g;
/** Quoted texts, comments, and `inputs` with the keys after it. */
const PART =
  /"(?:[^"\\\n]|\\.)*"|`[^`]*`|\/\*[\s\S]*?\*\/|(?<![\w$.])inputs(?<dots>(?:\.[A-Za-z_]\w*)*)(?<quoted>(?:[ \t]+"[^"\\\n]+")*)/g;
/** Functions that read a key of a map: `get inputs "team"`. */
const LOOKUP = /(?:^|[\s(|])(?:get|index|hasKey)[ \t]+$/;

/** Returns the names of inputs in a text of templates. */
export function inputNamesIn(text: string): InputName[] {
  const found: InputName[] = [];
  for (const action of text.matchAll(ACTION)) {
    const body = action[1] ?? '';
    const from = action.index + action[0].length - 2 - body.length;
    for (const part of body.matchAll(PART)) {
      const { dots, quoted = '' } = part.groups ?? {};
      if (dots === undefined) continue;
      const path: string[] = [];
      const start = from + part.index + 'inputs'.length;
      for (const { 1: name = '', index } of dots.matchAll(/\.(\w+)/g)) {
        path.push(name);
        found.push({ path: [...path], start: start + index + 1, end: start + index + 1 + name.length });
      }
      if (!LOOKUP.test(body.slice(0, part.index))) continue;
      for (const { 1: name = '', index } of quoted.matchAll(/"([^"]+)"/g)) {
        const at = start + dots.length + index + 1;
        path.push(name);
        found.push({ path: [...path], start: at, end: at + name.length });
      }
    }
  }
  return found;
}

/** Completes inputs inside `<< >>` in a ResourceSet; returns `undefined` elsewhere. */
export function completeInputs(
  file: SourceFile,
  tree: DocumentTree,
  offset: number,
  plan: Package | undefined,
): Proposals | undefined {
  const open = file.text.lastIndexOf('<<', offset - 1);
  if (open < tree.start || /[\r\n]/.test(file.text.slice(open, offset)) || file.text.slice(open, offset).includes('>>'))
    return undefined;
  const model = setModel(file, tree, plan);
  if (model === undefined) return undefined;
  const before = file.text.slice(open + 2, offset);
  const word = /[\w.]*$/.exec(before)?.[0] ?? '';
  const rest = /^\w*/.exec(file.text.slice(offset))?.[0] ?? '';
  const dot = word.lastIndexOf('.');
  const start = offset - (word.length - dot - 1);
  const proposals =
    dot < 0
      ? [
          proposal('variable', 'inputs', 'the inputs', 0),
          ...standardNames().map((name) => proposal('function', name, 'function', 1)),
        ]
      : fieldsBelow(model, word.slice(0, dot));
  return { start, end: offset + rest.length, proposals };
}

/** Returns the keys of the inputs of the set and its providers. */
function fieldsBelow(model: SetModel, path: string): Proposal[] {
  const [root, ...steps] = path.replace(/^\$?\.?/, '').split('.');
  if (root !== 'inputs') return [];
  if (model.isPermuted && steps.length === 0) {
    const names = new Set(model.sources.map(({ name }) => templateName(name)));
    return [...names].map((name) => proposal('field', name, 'inputs of this name', 0));
  }
  const of = model.isPermuted ? model.sources.filter(({ name }) => templateName(name) === steps[0]) : model.sources;
  const inside = model.isPermuted ? steps.slice(1) : steps;
  const keys = new Map<string, Value>();
  for (const { file, values } of of) {
    const sample = getAt(treeValue(file.text, values), inside);
    for (const [key, value] of isMap(sample) ? Object.entries(sample) : []) if (!keys.has(key)) keys.set(key, value);
  }
  const own =
    inside.length === 0
      ? [
          proposal('field', 'id', 'the id of the input set', 2),
          proposal('field', 'provider', 'where the inputs come from', 2),
        ]
      : [];
  return [
    ...[...keys].map(([key, value]) => proposal('field', key, exampleOf(value), 0)),
    ...own.filter(({ label }) => !keys.has(label)),
  ];
}

const exampleOf = (value: Value): string =>
  isMap(value) ? 'map' : Array.isArray(value) ? 'list' : `for example ${String(value).slice(0, 60)}`;
