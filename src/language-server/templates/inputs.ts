import { selectsObject } from '../../core/model/label-selector.ts';
import { isKubeObject, type KubeObject, nameOf } from '../../core/model/object.ts';
import { get, getAt, listAt, type Path } from '../../core/model/value.ts';
import { lastPart } from '../../core/text/ends.ts';
import { isInputProvider, isResourceSet, templateName } from '../../flux/index.ts';
import { type DocumentTree, type Entry, entryOf, nodeAt, treeValue, type YamlNode } from '../../yaml/tree/index.ts';
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
  /** Templates read an input below the name of its source. */
  isPermuted: boolean;
  sources: InputSource[];
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

/** Returns the texts of the actions, with their positions. */
function* actionsIn(text: string): Iterable<{ body: string; from: number }> {
  for (let open = text.indexOf('<<'); open >= 0; ) {
    const from = text.charAt(open + 2) === '-' ? open + 3 : open + 2;
    const close = text.indexOf('>>', from);
    if (close < 0) return;
    yield { body: text.slice(from, close), from };
    open = text.indexOf('<<', close + 2);
  }
}

/** Quoted texts and comments, up to the end of the line or the action if they do not close, and `inputs` with its keys. */
const PART =
  /"(?:[^"\\\n]|\\.)*"?|`[^`]*`?|\/\*[\s\S]*?(?:\*\/|$)|(?<![\w$.])inputs(?<dots>(?:\.[A-Za-z_]\w*)*)(?<quoted>(?:[ \t]+"[^"\\\n]+")*)/g;
/** Functions that read a key of a map: `get inputs "team"`. */
const LOOKUP = /(?:^|[\s(|])(?:get|index|hasKey)[ \t]+$/;

/** A name of an input in an action, without its quotes. */
export interface InputName {
  /** The names before it, and its own. */
  path: readonly string[];
  start: number;
  end: number;
}

/** Inputs that are deeper in others have no references: each of them has a path of its own. */
const MOST_DEEP = 100;

/** Returns the names of the inputs that actions read: `inputs.team.name` or `get inputs "team"`. */
export function inputNamesIn(text: string): InputName[] {
  const found: InputName[] = [];
  for (const { body, from } of actionsIn(text)) {
    for (const part of body.matchAll(PART)) {
      const { dots, quoted = '' } = part.groups ?? {};
      if (dots === undefined) continue;
      const path: string[] = [];
      const start = from + part.index + 'inputs'.length;
      for (const { 1: name = '', index } of dots.matchAll(/\.(\w+)/g)) {
        if (path.length === MOST_DEEP) break;
        path.push(name);
        found.push({ path: [...path], start: start + index + 1, end: start + index + 1 + name.length });
      }
      if (!LOOKUP.test(lastPart(body, part.index))) continue;
      for (const { 1: name = '', index } of quoted.matchAll(/"([^"]+)"/g)) {
        const at = start + dots.length + index + 1;
        if (path.length === MOST_DEEP) break;
        path.push(name);
        found.push({ path: [...path], start: at, end: at + name.length });
      }
    }
  }
  return found;
}
