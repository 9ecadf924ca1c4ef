import {
  type Code,
  type Collector,
  composeText,
  isError,
  type Problem,
  phrase,
  type Report,
  type Reporter,
  reporterFor,
  shown,
  type Text,
  type Told,
  titleText,
  told,
  toReport,
  trusted,
  unplaced,
} from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { DIGEST, ITEM_PATH, RENDERED } from '../../core/model/keys.ts';
import {
  annotationOf,
  type InputObject,
  identityOf,
  isKubeObject,
  type KubeObject,
  nameOf,
  type Source,
} from '../../core/model/object.ts';
import { get, getAt, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import { enumerated } from '../../core/text/clip.ts';
import { docsUrl } from '../../core/text/docs-url.ts';
import type { RenderOutput } from '../../render/pipeline.ts';
import {
  definedKindAsOrigin,
  functionName,
  type KeepReason,
  originKind,
  originOf,
} from '../../render/rerender/index.ts';
import { noObjectProblems, readStream, type StreamDocument, type TextStream, treeIn } from '../../yaml/parse/index.ts';
import type { SyntaxTree } from '../../yaml/tree/index.ts';

/** An item from a file follows the rules for documents: kustomize fn run passes every map of a folder. */
function itemProblems(items: readonly Value[]): Problem[] {
  return items.flatMap((item, index) => {
    if (isKubeObject(item)) return [];
    const file = isMap(item) ? annotationOf(item, ITEM_PATH) : undefined;
    if (!isMap(item) || file === undefined) {
      const message = phrase`an item must be an object with apiVersion and kind`;
      return [{ code: 'resource-list', message, path: ['items', index] }];
    }
    const problems = noObjectProblems(asWritten(item), { file: file.replace(/^.*\//, ''), isItem: false });
    return problems.map((problem) => ({ ...problem, path: ['items', index, ...problem.path] }));
  });
}

/** Removes the annotations of the runner, for which it adds the metadata. */
function asWritten(item: ValueMap): ValueMap {
  const { metadata, ...rest } = item;
  const annotations = getAt(item, ['metadata', 'annotations']);
  const isAdded =
    isMap(metadata) &&
    isMap(annotations) &&
    Object.keys(metadata).length === 1 &&
    Object.keys(annotations).every((key) => /^(internal\.)?config\.(kubernetes|k8s)\.io\//.test(key));
  return isAdded ? rest : item;
}

export interface ResourceList {
  value: ValueMap;
  items: readonly Value[];
  functionConfig: Value | undefined;
  /** The name of the functionConfig, which distinguishes several ones over the same items. */
  name: string;
  source: Source;
  /** Its YAML errors, and those of its items, that do not prevent reading; their paths start at the list. */
  faults: readonly Report[];
  tree: SyntaxTree;
}

/** Decodes a ResourceList that was read with positions. Missing `items` are empty. */
function readResourceList(
  document: StreamDocument,
  source: Source,
  faults: readonly Report[] = [],
): ResourceList | Problem {
  const { value } = document;
  const apiVersion = get(value, 'apiVersion');
  const isList = typeof apiVersion === 'string' && apiVersion.startsWith('config.kubernetes.io/');
  if (!isMap(value) || !isList || get(value, 'kind') !== 'ResourceList') {
    const hint = phrase`to render files or a stream of objects: render-rgd render PATH...`;
    return { code: 'resource-list', message: phrase`standard input must hold one ResourceList`, path: [], hint };
  }
  const items = get(value, 'items') ?? [];
  if (!Array.isArray(items)) return { code: 'resource-list', message: phrase`items must be a list`, path: ['items'] };
  const strange = itemProblems(items);
  const wrong = strange.find(isError);
  if (wrong !== undefined) return wrong;
  const functionConfig = get(value, 'functionConfig') ?? undefined;
  const name = functionName(isMap(functionConfig) ? nameOf(functionConfig) : '');
  const tree = treeIn(source.text, document.index);
  const all = [...faults, ...strange.map((problem) => ({ ...toReport(problem), source }))];
  return { value, items, functionConfig, name, source, faults: all, tree };
}

/** Reads a text with one ResourceList. Returns `undefined`, and reports the error, otherwise. */
export function readListText({ file, text }: TextStream, reports: Collector): ResourceList | undefined {
  const { documents, problems, moreTwice = 0 } = readStream(text);
  if (moreTwice > 0) reports.count('duplicate-key', 'warning', moreTwice);
  const sourceOf = (document: number) => ({ file, text, document, path: [] });
  const faults = problems.map(
    ({ document, line, column, ...problem }): Report => ({
      ...toReport(problem),
      source: sourceOf(document),
      position: { line, column },
    }),
  );
  const refuse = (...own: Report[]): undefined => {
    reports.addAll([...faults, ...own]);
  };
  const [first, second] = documents;
  if (faults.some(({ code }) => code === 'yaml-syntax' || code === 'yaml-alias')) return refuse();
  if (first === undefined || second !== undefined)
    return refuse(unplaced('resource-list', composeText`standard input must hold one ResourceList`));
  const source = sourceOf(first.index);
  const read = readResourceList(first, source, faults);
  return 'code' in read ? refuse({ ...toReport(read), source }) : read;
}

interface ListItem extends InputObject {
  source: Source & { item: number };
}

export const objectsAmong = (list: ResourceList): ListItem[] =>
  list.items.flatMap((item, index) => (isKubeObject(item) ? [itemAt(list, index)] : []));

export function itemAt(list: ResourceList, index: number): ListItem {
  const source = { ...list.source, path: ['items', index], item: index };
  return { object: list.items[index] as InputObject['object'], source };
}

export function reportAltered(item: InputObject, reports: Collector): void {
  reporterFor(item, reports).report({
    code: 'earlier-mismatch',
    message: phrase`the object does not match its annotation, so it is treated as your own object`,
    path: ['metadata', 'annotations', RENDERED],
    severity: 'warning',
    hint: phrase`remove the annotation, or the object`,
  });
}

const functionOf = (object: KubeObject): string => annotationOf(object, RENDERED)?.replace(/\/[^/]*$/, '') ?? '';

/** Returns the first object of a list that a function of another name rendered. */
export const objectOfOther = (list: ResourceList): KubeObject | undefined =>
  list.items.filter(isKubeObject).find((object) => originOf(object, list.name) === 'foreign');

/**
 * Adds what to do about objects of another function to a report about two objects of one identity. The name of the
 * function may change silently, as kpt has its own for options in the Kptfile: then objects collide.
 */
export function withNameHint(report: Report, foreign: KubeObject | undefined, name: string): Report {
  if (report.code !== 'identity-collision' || foreign === undefined) return report;
  const hint = composeText`a function named '${trusted.definition(functionOf(foreign))}' rendered objects here, this one is '${trusted.definition(name)}': keep one name, or remove them`;
  return { ...report, hint };
}

/** Reports objects that a function of another name rendered from an RGD here: after a rename they are stale. */
export function reportOthers(list: ResourceList, { defined }: RenderOutput, reports: Collector): void {
  const others = list.items.filter(isKubeObject).filter((object) => originOf(object, list.name) === 'foreign');
  if (others.length === 0) return;
  const kinds = new Set(defined.map(definedKindAsOrigin));
  const left = others.filter((object) => kinds.has(originKind(object)));
  for (const [name, objects] of groupBy(left, functionOf)) reports.add(ofOtherFunction(name, objects));
}

const KEEP_REASONS: Readonly<Record<KeepReason | 'no RGD', string>> = {
  'no digest': `its annotation ${DIGEST} is missing, which says what was rendered`,
  'another package': 'it was rendered in another package',
  changed: 'it was changed since it was rendered',
  'no RGD': 'the RGD that it was rendered from is not here',
};

export function reportKept(reporter: Reporter, keepReason: KeepReason | 'no RGD'): void {
  const message = phrase`is no longer rendered, and stays: ${{ reason: KEEP_REASONS[keepReason] }}`;
  const hint = phrase`remove it, or its annotation ${shown(RENDERED)} to keep it as an object of your own`;
  reporter.report({ code: 'earlier-doubtful', message, path: [], severity: 'warning', hint });
}

const warning = (code: Code, message: Text | Told, hint: Text): Report => unplaced(code, message, hint, 'warning');

export const changedObjects = (changed: readonly KubeObject[]): Report =>
  warning(
    'earlier-changed',
    told`${{ objects: listed(changed) }} ${changed.length === 1 ? 'was' : 'were'} changed since rendering, and will be as rendered again`,
    composeText`change the instance or its RGD; functions that change objects go before render-rgd`,
  );

const ofOtherFunction = (name: string, objects: readonly KubeObject[]): Report =>
  warning(
    'earlier-elsewhere',
    told`${{ objects: listed(objects) }} ${objects.length === 1 ? 'was' : 'were'} rendered by a function named '${{ name: trusted.definition(name) }}' and not by this one, and will stay`,
    composeText`remove the remaining objects, or use the previous name of the function`,
  );

export const updatedInstances = (instances: readonly KubeObject[]): Report =>
  warning(
    'upstream-instance-kept',
    told`kpt pkg update ran, and kept instances that upstream removed, because render-rgd marked them: ${{ objects: listed(instances) }}`,
    composeText`remove them; how to avoid it: ${trusted.file(docsUrl('kpt.md#kpt-pkg-update'))}`,
  );

const listed = (objects: readonly KubeObject[]): Text =>
  enumerated(
    objects.map((object) => titleText(object, false)),
    5,
  );

export const partOfPackage = (isSelective: boolean): Report =>
  warning(
    'earlier-part',
    isSelective
      ? composeText`selectors or exclude of the Kptfile may hide items, so what is no longer rendered stays as it is`
      : composeText`the items hold neither an RGD nor an instance, so what was rendered earlier stays as it is`,
    composeText`pass the whole package to the function, without selectors`,
  );

export function reportEmpty(list: ResourceList, isAllowed: boolean, reports: Collector): void {
  const fromKustomize = isConfigAlone(list);
  if (isAllowed && !fromKustomize) return;
  const listed = composeText`list the function under transformers: kustomize gives generators no items`;
  const isBare = fromKustomize || list.items.length === 0;
  const message = isAllowed
    ? composeText`there are no items, so nothing is rendered`
    : composeText`nothing is left to apply, which would delete everything that was`;
  const hint = isBare ? listed : composeText`add an instance, or set allowEmpty`;
  reports.add(unplaced('empty-output', message, hint, isAllowed ? 'warning' : 'error'));
}

/** kustomize passes generators, and transformers without resources, a copy of their configuration as the only item. */
function isConfigAlone({ items, functionConfig }: ResourceList): boolean {
  const [item, second] = items;
  return (
    second === undefined &&
    isKubeObject(item) &&
    isKubeObject(functionConfig) &&
    identityOf(item) === identityOf(functionConfig) &&
    annotationOf(item, ITEM_PATH) === undefined
  );
}
