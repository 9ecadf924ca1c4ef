import { matches, parseSelector } from '../../../core/model/label-selector.ts';
import { isKubeObject, type KubeObject, nameOf } from '../../../core/model/object.ts';
import { get, getAt, isMap, listOf, type Path, type Value } from '../../../core/model/value.ts';
import { isInputProvider, isResourceSet, templateName } from '../../../flux/index.ts';
import { type DocumentTree, type Entry, entryOf, nodeAt, treeValue, type YamlNode } from '../../../yaml/tree/index.ts';
import type { SourceFile } from '../workspace/file.ts';
import type { Package } from '../workspace/packages.ts';

/** One input set in the text: in a ResourceSet, or as the default values of a provider. */
export interface InputSource {
  file: SourceFile;
  /** The document that holds it. */
  tree: DocumentTree;
  values: YamlNode;
  name: string;
}

/** A ResourceSet that is being edited, with the inputs of its templates. */
export interface SetModel {
  file: SourceFile;
  tree: DocumentTree;
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
  const chosen = (plan === undefined ? [] : providersIn(plan, file)).filter(({ provider }) => isChosen(set, provider));
  return {
    file,
    tree,
    isPermuted: getAt(set, ['spec', 'inputStrategy', 'name']) === 'Permute',
    sources: [
      ...written.map((values) => ({ file, tree, values, name: nameOf(set) })),
      ...chosen.flatMap(({ file: of, tree: inside, provider }): InputSource[] => {
        const values = nodeAt(inside.root, ['spec', 'defaultValues']);
        return values === undefined ? [] : [{ file: of, tree: inside, values, name: nameOf(provider) }];
      }),
    ],
  };
}

/** Returns the ResourceSets of a package. `newer` is a version of a file that the package may not contain yet. */
export const setsIn = (plan: Package, newer: SourceFile): SetModel[] =>
  filesOf(plan, newer).flatMap((file) =>
    file.trees.flatMap((tree): SetModel[] => {
      const model = file.facts.isOurs ? setModel(file, tree, plan) : undefined;
      return model === undefined ? [] : [model];
    }),
  );

const filesOf = ({ files }: Package, newer: SourceFile): SourceFile[] =>
  files.map((file) => (file.uri === newer.uri ? newer : file));

interface ProviderAt {
  file: SourceFile;
  tree: DocumentTree;
  provider: KubeObject;
}

/** Returns the valid providers of a package. */
const providersIn = (plan: Package, newer: SourceFile): ProviderAt[] =>
  filesOf(plan, newer).flatMap((file) =>
    file.read.documents.flatMap(({ object, source }): ProviderAt[] => {
      const tree = source && file.trees[source.document];
      return tree !== undefined && isKubeObject(object) && isInputProvider(object)
        ? [{ file, tree, provider: object }]
        : [];
    }),
  );

/** Reports whether `spec.inputsFrom` names or selects a provider. */
function isChosen(set: KubeObject, provider: KubeObject): boolean {
  const references = getAt(set, ['spec', 'inputsFrom']);
  const labels = getAt(provider, ['metadata', 'labels']);
  return listOf(references).some((reference: Value) => {
    const name = get(reference, 'name');
    if (name !== undefined && name !== null) return name === nameOf(provider);
    const { selector, faults } = parseSelector(get(reference, 'selector') ?? null);
    return faults.length === 0 && matches(selector, isMap(labels) ? labels : {});
  });
}

/** Returns the locations of an input, by its path after `inputs` in templates. */
export function inputEntries(
  { sources, isPermuted }: SetModel,
  path: readonly string[],
): { source: InputSource; entry: Entry }[] {
  const [first, ...rest] = path;
  const from = isPermuted ? sources.filter(({ name }) => templateName(name) === first) : sources;
  return from.flatMap((source) => {
    const entry = entryBelow(source.values, isPermuted ? rest : path);
    return entry === undefined ? [] : [{ source, entry }];
  });
}

const entryBelow = (node: YamlNode, path: readonly string[]): Entry | undefined => {
  const key = path.at(-1);
  return key === undefined ? undefined : entryOf(nodeAt(node, path.slice(0, -1)), key);
};

/** Returns the path in templates for a path of a source. */
export const readPath = ({ isPermuted }: SetModel, { name }: InputSource, path: Path): string[] =>
  [...(isPermuted ? [templateName(name)] : []), ...path].map(String);

/** A read of inputs in an action of a template: `inputs.team.name`, or `get inputs "team"`. */
export interface InputName {
  /** The keys up to and including this name. */
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
