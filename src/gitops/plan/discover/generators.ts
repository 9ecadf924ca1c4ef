import { Collector } from '../../../core/diagnostics/index.ts';
import { matches, parseSelector } from '../../../core/model/label-selector.ts';
import { get, isMap, listAt, mergeMaps, setKey, textAt, type Value, type ValueMap } from '../../../core/model/value.ts';
import { baseOf, foldersFrom, parentOf } from '../../../core/text/paths.ts';
import { patternTest } from '../../../languages/glob/index.ts';
import { toJsonText } from '../../../yaml/emit/index.ts';
import type { Discovery } from '../application.ts';
import { isSameRepository, NotRendered, rejected } from '../repository.ts';
import { revisionFault } from '../revisions.ts';
import { fill, flattened, sanitized, type TemplateLanguage } from './parameters.ts';

function differingKey(one: ValueMap, other: ValueMap): string | undefined {
  const known = flattened(one);
  return [...flattened(other)].find(([key, value]) => known.has(key) && known.get(key) !== value)?.[0];
}

/** Groups parameters by the values of some keys. With goTemplate a key is a key of the map, and not a path. */
function byKeys(sets: readonly ValueMap[], names: readonly string[], goTemplate: boolean): Map<string, ValueMap> {
  const found = new Map<string, ValueMap>();
  for (const one of sets) {
    const flat = flattened(one);
    const valueAt = (name: string): Value => (goTemplate ? get(one, name) : flat.get(name)) ?? null;
    const key = toJsonText(names.map(valueAt));
    if (found.has(key)) throw rejected(`two parameter sets of its merge generator have the mergeKeys ${key}`);
    found.set(key, one);
  }
  return found;
}

/** Returns the template of an ApplicationSet merged with that of a generator, whose fields win. */
export function templateFor(generator: Value, template: ValueMap): ValueMap {
  const own = isMap(generator) ? Object.values(generator).map((one) => get(one, 'template')) : [];
  return own.filter(isMap).reduce((whole, one) => mergeMaps(whole, withoutEmpty(one)), template);
}

/** Argo CD treats empty fields as missing. */
function withoutEmpty(map: ValueMap): ValueMap {
  const kept: ValueMap = {};
  for (const [key, value] of Object.entries(map)) {
    if (value === '' || value === false || value === null) continue;
    setKey(kept, key, isMap(value) ? withoutEmpty(value) : value);
  }
  return kept;
}

export interface GeneratorContext extends Pick<Discovery, 'repository' | 'urls' | 'tags' | 'revisions' | 'meter'> {
  language: TemplateLanguage;
}

/** https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/Generators/ @throws NotRendered */
export function generate(generator: Value, context: GeneratorContext, outer: ValueMap = {}): ValueMap[] {
  if (!isMap(generator)) throw rejected('a generator is no map');
  const { selector, ...own } = generator;
  const kinds = filled(own, outer, context);
  if (Object.keys(kinds).length === 0) throw rejected('a generator is empty');
  const found = Object.entries(kinds).flatMap(([kind, one]) => {
    const read = GENERATORS.get(kind);
    if (read === undefined) throw new NotRendered(`its ${kind} generator needs a cluster or another service`);
    return read(one, context);
  });
  if (selector === undefined || selector === null) return found;
  const parsed = parseSelector(selector);
  const [fault] = parsed.faults;
  if (fault !== undefined) throw rejected(`the selector of a generator: ${fault.message}`);
  return found.filter((one) => matches(parsed.selector, Object.fromEntries(flattened(one))));
}

/** Reports whether a generator has a type: without one, Argo CD rejects it in a matrix or merge, and else ignores it. */
export const hasType = (generator: Value): boolean =>
  !isMap(generator) || Object.entries(generator).some(([key, value]) => key !== 'selector' && value !== null);

/** Fills the second generator of a matrix from the first; the values of a git generator follow later. */
function filled(generator: ValueMap, outer: ValueMap, { language }: GeneratorContext): ValueMap {
  if (Object.keys(outer).length === 0) return generator;
  const whole = fill(generator, outer, language) as ValueMap;
  const values = get(generator.git ?? null, 'values');
  return isMap(whole.git) && values !== undefined ? { ...whole, git: { ...whole.git, values } } : whole;
}

function listParameters(list: Value, { repository: { parse }, language }: GeneratorContext): ValueMap[] {
  const text = textAt(list, 'elementsYaml');
  const documents = text === '' ? [] : parse([{ file: 'elementsYaml', text }], new Collector(), false);
  const elements = listAt(list, 'elements');
  if (!language.goTemplate) elements.forEach(refuseOtherThanTexts);
  return [...elements, ...documents.flatMap(({ object }) => object)].filter(isMap);
}

/** Without goTemplate, Argo CD rejects an element with anything but strings, and a map of strings as `values`. */
function refuseOtherThanTexts(element: Value): void {
  if (!isMap(element)) return;
  const { values = {}, ...own } = element;
  const wrong = Object.entries({ ...own, ...(isMap(values) ? values : { values }) }).find(
    ([, value]) => typeof value !== 'string',
  );
  if (wrong === undefined) return;
  throw rejected(`${wrong[0]} of an element of its list generator is no string, which needs goTemplate`);
}

function gitParameters(git: Value, context: GeneratorContext): ValueMap[] {
  const url = textAt(git, 'repoURL');
  if (!isSameRepository(url, context.urls)) throw new NotRendered(`its git generator reads another repository: ${url}`);
  const complete = (parameters: ValueMap, path: ValueMap): ValueMap => withValues(git, parameters, path, context);
  const revision = textAt(git, 'revision');
  const other = revisionFault(revision, context);
  if (other !== undefined) throw new NotRendered(`of its git generator: ${other}`);
  const matching = (paths: readonly string[], key: string, testOf: (pattern: string) => (path: string) => boolean) => {
    const tests = listAt(git, key).map((item) => ({
      matches: testOf(textAt(item, 'path')),
      isExcluded: get(item, 'exclude') === true,
    }));
    const isMatched = (path: string, isExcluded: boolean): boolean =>
      tests.some((one) => one.isExcluded === isExcluded && one.matches(path));
    return paths.filter((path) => isMatched(path, false) && !isMatched(path, true));
  };
  const { tree, parse } = context.repository;
  if (listAt(git, 'directories').length > 0) {
    const folders = new Set(tree.paths.flatMap((path) => foldersFrom(parentOf(path))));
    const open = [...folders].filter((path) => path !== '' && !/(^|\/)\./.test(path)).sort();
    return matching(open, 'directories', directoryTest).map((path) => complete({}, pathParameter(path)));
  }
  if (listAt(git, 'files').length === 0) throw rejected('its git generator has no directories or files');
  return matching(tree.paths, 'files', pathspecTest).flatMap((path) => {
    const text = tree.text(path);
    if (text === undefined) throw rejected(`its git generator cannot read ${path}`);
    // Argo CD reads the first document, and an empty file as a map.
    const content = parse([{ file: path, text }], new Collector(), false)[0]?.object ?? {};
    const items = Array.isArray(content) ? content : [content];
    const maps = items.filter(isMap);
    if (maps.length < items.length) throw rejected(`its git generator reads ${path}, which is no map`);
    const filename = baseOf(path);
    const file = { filename, filenameNormalized: sanitized(filename) };
    return maps.map((map) => complete(map, { ...pathParameter(parentOf(path)), ...file }));
  });
}

const directoryTest = (pattern: string): ((path: string) => boolean) =>
  patternTest(pattern, { matchesSlash: false, braces: false });

/** As `git ls-files -- PATTERN`, whose wildcards match slashes: a folder stands for all files below it. */
function pathspecTest(pattern: string): (path: string) => boolean {
  const spec = pattern.replace(/^(\.\/+)+/, '').replace(/(?<!\/)\/+$/, '');
  const matches = patternTest(spec, { matchesSlash: true, braces: false });
  return (path) => spec === '' || spec === '.' || matches(path) || path.startsWith(`${spec}/`);
}

/** Adds the path, below `pathParamPrefix`, and `values`, in which the other parameters are substituted. */
function withValues(git: Value, own: ValueMap, path: ValueMap, { language }: GeneratorContext): ValueMap {
  const prefix = textAt(git, 'pathParamPrefix');
  const known = get(own, prefix);
  const parameters: ValueMap =
    prefix === '' ? { ...own, path } : { ...own, [prefix]: { ...(isMap(known) ? known : {}), path } };
  const values = get(git, 'values');
  return isMap(values) ? { ...parameters, values: fill(values, parameters, language) } : parameters;
}

const pathParameter = (path: string): ValueMap => ({
  path,
  basename: baseOf(path),
  basenameNormalized: sanitized(baseOf(path)),
  segments: path.split('/'),
});

function matrixParameters(matrix: Value, context: GeneratorContext): ValueMap[] {
  const [first, second, third] = listAt(matrix, 'generators');
  if (first === undefined || second === undefined || third !== undefined) {
    throw rejected('its matrix generator does not have two generators');
  }
  const { meter } = context.language;
  return generate(first, context).flatMap((one) =>
    generate(second, context, one).map((other) => {
      meter.spendItems(1 + Object.keys(one).length + Object.keys(other).length);
      // Without goTemplate, Argo CD rejects two values of one parameter.
      const twice = context.language.goTemplate ? undefined : differingKey(one, other);
      if (twice === undefined) return mergeMaps(other, one);
      throw rejected(`both generators of its matrix give ${twice}`);
    }),
  );
}

function mergeParameters(merge: Value, context: GeneratorContext): ValueMap[] {
  const [base, ...others] = listAt(merge, 'generators');
  const names = listAt(merge, 'mergeKeys').map(String);
  if (base === undefined || others.length === 0) throw rejected('its merge generator has less than two generators');
  if (names.length === 0) throw rejected('its merge generator has no mergeKeys');
  const result = byKeys(generate(base, context), names, context.language.goTemplate);
  for (const other of others) {
    for (const [key, one] of byKeys(generate(other, context), names, context.language.goTemplate)) {
      const known = result.get(key);
      if (known !== undefined) result.set(key, mergeMaps(known, one));
    }
  }
  return [...result.values()];
}

const GENERATORS = new Map([
  ['list', listParameters],
  ['git', gitParameters],
  ['matrix', matrixParameters],
  ['merge', mergeParameters],
]);
