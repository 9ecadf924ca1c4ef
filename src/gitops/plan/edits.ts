import { Collector, isError } from '../../core/diagnostics/index.ts';
import { type Allowance, allowance, MAX_NESTING, MAX_SUBSTITUTED, spend } from '../../core/model/limits.ts';
import { type Document, groupKindOf, isKubeObject, type KubeObject, titleOf } from '../../core/model/object.ts';
import { get, isMap, listOf, ownValue, setKey, textsOf, type Value, type ValueMap } from '../../core/model/value.ts';
import { baseOf, resolvePath } from '../../core/text/paths.ts';
import { byteLength } from '../../core/text/utf8.ts';
import { isNotSubstituted, SUBSTITUTE } from '../../kubernetes/kustomization/index.ts';
import { documentWriter, toJsonText } from '../../yaml/emit/index.ts';
import { fluxParts, kustomizationFile, kustomizationIn } from './kustomization.ts';
import { NotRendered, type Repository, rejected } from './repository.ts';

/** What a controller changes in a kustomization before it builds it: fields of its own object. */
export interface Edits {
  by: 'Argo CD' | 'Flux';
  fields: ValueMap;
}

export interface EditedFile {
  name: string;
  text: string;
}

/** Returns the edited kustomization of a folder. @throws NotRendered if the controller rejects it */
export function editKustomization(folder: string, { by, fields }: Edits, repository: Repository): EditedFile {
  const { tree } = repository;
  const file = kustomizationFile(folder, repository);
  const found = kustomizationIn(folder, repository)?.value;
  if (file === undefined && by === 'Argo CD') throw rejected(`${folder} has no kustomization`);
  if (file !== undefined && found === undefined) throw rejected(`${file} is no kustomization`);
  const edited: ValueMap = { ...(found ?? generated(folder, repository)) };
  const set = (field: string, value: Value | undefined, as = field): void => {
    if (value !== undefined && value !== '') setKey(edited, as, value);
  };
  const add = (field: string, items: readonly Value[]): void =>
    set(field, items.length === 0 ? undefined : [...listOf(ownValue(edited, field)), ...items]);
  for (const field of ['namePrefix', 'nameSuffix'] as const) set(field, fields[field]);
  set('namespace', by === 'Flux' ? fields.targetNamespace : fields.namespace);
  add('patches', listOf(fields.patches));
  const isThere = (component: string): boolean => {
    const at = resolvePath(folder, component);
    return at !== undefined && tree.folder(at) !== undefined;
  };
  const known = by === 'Flux' ? [] : textsOf(edited.components);
  const components = textsOf(fields.components).filter(
    (one) => !known.includes(one) && (fields.ignoreMissingComponents !== true || isThere(one)),
  );
  add('components', components);
  const images = by === 'Flux' ? listOf(fields.images).filter(isMap) : textsOf(fields.images).map(imageOf);
  set('images', images.length === 0 ? undefined : withImages(listOf(edited.images), images, by));
  if (by === 'Flux') {
    add('patchesStrategicMerge', listOf(fields.patchesStrategicMerge).map(toJsonText));
    const patches = listOf(fields.patchesJson6902);
    add(
      'patchesJson6902',
      patches.map((one) => (isMap(one) ? { ...one, patch: toJsonText(one.patch ?? null) } : one)),
    );
    set('buildMetadata', fields.buildMetadata);
  } else {
    const replicas = listOf(fields.replicas).map((one, index) => ({
      name: get(one, 'name') ?? '',
      count: countOf(get(one, 'count') ?? 0n, index),
    }));
    const names = replicas.map((one) => one.name);
    const others = listOf(edited.replicas).filter((one) => !names.includes(get(one, 'name') ?? ''));
    set('replicas', replicas.length === 0 ? undefined : [...others, ...replicas]);
    addCommon(edited, fields);
  }
  return { name: baseOf(file ?? 'kustomization.yaml'), text: toJsonText(edited) };
}

/** Argo CD reads an integer or a text of one. @throws NotRendered for anything else */
function countOf(count: Value, index: number): bigint {
  const text = typeof count === 'bigint' || typeof count === 'string' ? String(count) : '';
  if (!/^[-+]?\d+$/.test(text)) {
    throw rejected(`kustomize.replicas[${index}].count is ${toJsonText(count)}, expected an integer`);
  }
  return BigInt.asIntN(64, BigInt(text.replace(/^\+/, '')));
}

/** The kustomization that kustomize-controller generates for a folder without one. */
function generated(folder: string, repository: Repository): ValueMap {
  const { files, folders } = fluxParts(folder, repository);
  const relative = (path: string): string => (folder === '' ? path : path.slice(folder.length + 1));
  const resources = [...files, ...folders].map(relative);
  return { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources };
}

/** Reads `[NAME=]NEW-NAME[:TAG][@DIGEST]`, as `kustomize edit set image` does; `*` keeps what is there. */
function imageOf(text: string): ValueMap {
  const cut = text.indexOf('=');
  const [name, rest] = cut < 0 ? ['', text] : [text.slice(0, cut), text.slice(cut + 1)];
  const [, image = '', tag = '', digest = ''] = /^(.*?)(?::([^:/@]+))?(?:@(.+))?$/s.exec(rest) ?? [];
  return {
    name: name || image,
    ...(name !== '' && { newName: image }),
    ...(tag !== '' && { newTag: tag }),
    ...(digest !== '' && { digest }),
  };
}

/** Sets images by their name: Argo CD replaces an entry, and Flux merges it; a new tag or digest replaces both. */
function withImages(old: readonly Value[], images: readonly ValueMap[], by: Edits['by']): Value[] {
  const merged = [...old];
  for (const image of images) {
    const at = merged.findIndex((one) => get(one, 'name') === image.name);
    const was = merged[at];
    if (!isMap(was)) merged.push(image);
    else if (by === 'Argo CD') {
      const preserved = Object.entries(image).map(([key, value]) => [
        key,
        value === '*' ? (ownValue(was, key) ?? '') : value,
      ]);
      merged[at] = Object.fromEntries(preserved) as ValueMap;
    } else {
      const { newTag, digest, ...rest } = was;
      const kept = image.newTag === undefined && image.digest === undefined;
      merged[at] = {
        ...rest,
        ...(kept && { ...(newTag !== undefined && { newTag }), ...(digest !== undefined && { digest }) }),
        ...image,
      };
    }
  }
  return merged;
}

/** Adds labels and annotations, as `kustomize edit add` does, which rejects those that are there. */
function addCommon(edited: ValueMap, fields: ValueMap): void {
  for (const [field, force, what] of [
    ['commonLabels', 'forceCommonLabels', 'label'],
    ['commonAnnotations', 'forceCommonAnnotations', 'annotation'],
  ] as const) {
    const given = fields[field];
    if (!isMap(given) || Object.keys(given).length === 0) continue;
    if (field === 'commonLabels' && fields.labelWithoutSelector === true) {
      const includeTemplates = fields.labelIncludeTemplates === true;
      setKey(edited, 'labels', [...listOf(edited.labels), { pairs: given, includeSelectors: false, includeTemplates }]);
      continue;
    }
    const was = edited[field];
    const known = isMap(was) ? was : {};
    const twice = Object.keys(given).find((key) => get(known, key) !== undefined);
    if (twice !== undefined && fields[force] !== true)
      throw rejected(`its kustomization has the ${what} ${twice} already`);
    setKey(edited, field, { ...known, ...given });
  }
}

export interface Variables {
  values: Readonly<Record<string, string>>;
  /** The objects with further ones, which are not read: an unknown variable stays as it is written, and is not empty. */
  unread: readonly string[];
}

/** https://fluxcd.io/flux/components/kustomize/kustomizations/#post-build-variable-substitution @throws NotRendered */
export function substituteVariables(
  documents: readonly Document[],
  variables: Variables,
  parse: Repository['parse'],
): readonly Document[] {
  const names = Object.keys(variables.values);
  if (variables.unread.length === 0 && names.length === 0) return documents;
  const wrong = names.find((name) => !/^[_A-Za-z]\w*$/.test(name));
  const write = documentWriter();
  const budget = allowance(MAX_SUBSTITUTED);
  return documents.map((document): Document => {
    const { object } = document;
    if (!isKubeObject(object)) return document;
    if (isNotSubstituted(object)) return document;
    if (wrong !== undefined) throw rejected(`'${wrong}' is not a valid name of a variable`);
    const text = write(object);
    if (!text.includes('$')) return document;
    const reports = new Collector();
    const filled = substituted(text, { ...variables, budget, object });
    const [made] = parse([{ file: 'substituted', text: filled }], reports, false);
    const fault = reports.all.find(isError);
    if (fault !== undefined || made === undefined)
      throw rejected(`a value of spec.postBuild breaks ${object.kind}: ${fault?.message ?? 'it is empty'}`);
    return { ...document, object: made.object };
  });
}

interface Substitution extends Variables {
  /** The object, for messages. */
  object: KubeObject;
  /** What is left of `MAX_SUBSTITUTED`. */
  budget: Allowance;
}

function substituted(text: string, variables: Substitution): string {
  let out = '';
  let from = 0;
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', from)) {
    out += text.slice(from, at);
    if (text[at + 1] === '{') {
      const { value, end } = expression(text, at + 2, variables, 0);
      out += value;
      from = end;
    } else {
      out += '$';
      from = text[at + 1] === '$' ? at + 2 : at + 1;
    }
  }
  return out + text.slice(from);
}

const MOST_QUOTED = 60;

/** Flux rejects what is no variable of its own, such as an expression of an RGD. */
function badSubstitution(text: string, start: number, { object }: Substitution): NotRendered {
  const cure = `set its annotation ${SUBSTITUTE} to disabled`;
  if (groupKindOf(object) === 'Secret.')
    return rejected(`spec.postBuild fails for ${titleOf(object)} (bad substitution): ${cure}`);
  const [line = ''] = text.slice(start, start + MOST_QUOTED).split('\n', 1);
  const end = line.indexOf('}');
  const quoted = end < 0 ? line : line.slice(0, end + 1);
  return rejected(
    `spec.postBuild fails for ${titleOf(object)}, because '\${${quoted}' is no variable of Flux (bad substitution): ${cure}`,
  );
}

interface Evaluated {
  value: string;
  end: number;
}

const NAME = /[\p{L}\p{Nd}_]+/uy;
const OPERATOR = /}|:[-=?+]|[=:]|\^\^?|,,?|\/[/#%]?|##?|%%?/y;

/** Counts characters before they are written. @throws NotRendered */
function spendCharacters({ budget }: Substitution, count: number): void {
  if (!spend(budget, count))
    throw new NotRendered(`its variables write more than ${MAX_SUBSTITUTED} characters, which is not done here`);
}

/** A variable with its operator and the words of that, and the index after its brace. */
interface ParsedVariable extends Words {
  name: string;
  /** `${#name}`: the value is its length. */
  isLength: boolean;
  operator: string;
}

/** Evaluates the variable after `${`. @throws NotRendered */
function expression(text: string, start: number, variables: Substitution, level: number): Evaluated {
  if (level > MAX_NESTING)
    throw new NotRendered(`more than ${MAX_NESTING} variables of spec.postBuild are in one another`);
  const parsed = parseVariable(text, start, variables, level);
  if (parsed === undefined) throw badSubstitution(text, start, variables);
  const { name, isLength, end } = parsed;
  const { values, unread } = variables;
  const isKnown = unread.length === 0 || Object.hasOwn(values, name);
  const value = ownValue(values, name) ?? '';
  spendCharacters(variables, value.length + end - start);
  if (!isKnown) return { value: `\${${text.slice(start, end)}`, end };
  if (isLength) return { value: String(byteLength(value)), end };
  return { value: operated(value, parsed, variables), end };
}

/** Returns the variable at `start`; undefined if Flux does not read one there. */
function parseVariable(
  text: string,
  start: number,
  variables: Substitution,
  level: number,
): ParsedVariable | undefined {
  const isLength = text[start] === '#';
  NAME.lastIndex = isLength ? start + 1 : start;
  const [name] = NAME.exec(text) ?? [];
  if (name === undefined) return undefined;
  OPERATOR.lastIndex = NAME.lastIndex;
  const [operator] = OPERATOR.exec(text) ?? [];
  if (operator === undefined) return undefined;
  const end = OPERATOR.lastIndex;
  if (operator === '}') return { name, isLength, operator, words: [''], end };
  if (isLength) return undefined;
  const read = wordsOf(text, end, operator, variables, level);
  if (read === undefined || (operator.startsWith('/') && read.words.length < 2)) return undefined;
  return { name, isLength, operator, ...read };
}

/** Returns what an operator makes of the value of its variable. */
function operated(value: string, { operator, words }: ParsedVariable, variables: Substitution): string {
  const operation = ownValue(OPERATIONS, operator);
  if (operation === undefined)
    throw new NotRendered(`the operator ${operator} of a variable in spec.postBuild is not supported`);
  const [word = '', other] = words;
  if (operator === '//' && word !== '' && other !== undefined && other.length > word.length)
    spendCharacters(variables, (value.length / word.length) * other.length);
  return operation(value, word, other);
}

/** The words of an operator, and the index after the brace that ends them. */
interface Words {
  words: readonly string[];
  end: number;
}

/** Reads the words from `start`; undefined if no brace ends them. */
function wordsOf(
  text: string,
  start: number,
  operator: string,
  variables: Substitution,
  level: number,
): Words | undefined {
  const separator = operator === ':' ? ':' : operator.startsWith('/') ? '/' : '';
  const words: string[] = [''];
  let end = start;
  while (text[end] !== '}') {
    if (end >= text.length) return undefined;
    if (text.startsWith('${', end)) {
      const inner = expression(text, end + 2, variables, level + 1);
      spendCharacters(variables, inner.value.length);
      words.push(`${words.pop()}${inner.value}`);
      end = inner.end;
    } else if (text[end] === separator && words.length === 1) {
      words.push('');
      end += 1;
    } else {
      words.push(`${words.pop()}${text[end]}`);
      end += 1;
    }
  }
  return { words, end: end + 1 };
}

const ofFirst = (change: (text: string) => string) => (value: string) => change(value.slice(0, 1)) + value.slice(1);
const orElse = (value: string, word: string): string => (value === '' ? word : value);

/** The functions of the operators; `other` is missing if there is no second word. */
const OPERATIONS: Readonly<Record<string, (value: string, word: string, other: string | undefined) => string>> = {
  '}': (value) => value,
  '^': ofFirst((text) => text.toUpperCase()),
  '^^': (value) => value.toUpperCase(),
  ',': ofFirst((text) => text.toLowerCase()),
  ',,': (value) => value.toLowerCase(),
  '/': (value, word, other = '') => value.replace(word, () => other),
  '//': (value, word, other = '') => (word === '' ? value : value.replaceAll(word, () => other)),
  '/#': (value, word, other = '') => (value.startsWith(word) ? value.replace(word, () => other) : value),
  '/%': (value, word, other = '') =>
    value.endsWith(word) ? value.slice(0, value.length - word.length) + other : value,
  ':': substring,
  '=': orElse,
  ':=': orElse,
  ':-': orElse,
  ':?': orElse,
  ':+': orElse,
};

function substring(value: string, position: string, length: string | undefined): string {
  const [from, count] = [position, length ?? '0'].map((text) => (/^[-+]?\d+$/.test(text) ? Number(text) : undefined));
  // Flux counts bytes.
  if (/[\u0080-\uffff]/.test(value)) throw new NotRendered('a part of a variable that is not ASCII is not supported');
  if (from === undefined || count === undefined) return value;
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  if (length === undefined) return value.slice(start);
  return count < 0 ? value.slice(start, Math.max(start, value.length + count)) : value.slice(start, start + count);
}
