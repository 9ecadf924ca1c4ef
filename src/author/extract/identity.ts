import { isSubdomain } from '../../core/model/names.ts';
import { groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { getAt, textsIn } from '../../core/model/value.ts';
import { withoutEnds } from '../../core/text/ends.ts';
import type { KindRegistry } from '../../kubernetes/schema/index.ts';
import type { Copy, Identity } from './model.ts';
import { OWN, withOwn } from './texts.ts';

const INSTANCE_LABEL = ['metadata', 'labels', 'app.kubernetes.io/instance'];
/** How many names of a copy are cut into words, to find the one that all of them have. */
const MOST_NAMES = 8;
/** How many words of a name are tried. */
const MOST_WORDS = 12;

/** Returns the name and the namespace of each copy's instance. */
export function identitiesOf(copies: readonly Copy[], kinds: KindRegistry): Identity[] {
  const objects = copies.map((copy) => copy.objects.map(({ object }) => object));
  const namespaces = namespacesOf(objects, kinds);
  const candidates = [
    objects.map(instanceLabel),
    objects.map(commonWords),
    copies.map(({ name }) => toName(name)),
    objects.map((own) => mostFrequent(own.map(namespaceOf).filter((namespace) => namespace !== ''))),
  ];
  const names = objects.map((own) => own.map(nameOf));
  const [best] = candidates
    .filter((candidate) => candidate.every((own) => own !== ''))
    .map((candidate, order) => ({
      candidate,
      order,
      score: scoreOf(candidate, names),
      texts: textsWith(candidate, objects),
    }))
    .sort((x, y) => y.score - x.score || y.texts - x.texts || x.order - y.order);
  const own = best?.candidate ?? copies.map(({ name }) => toName(name));
  const folders = copies.map(({ name }) => toName(name));
  const numbered = folders.map((name, index) => `${name === '' ? 'copy' : name}-${index + 1}`);
  const chosen = [own, folders].find((candidate) => isUsable(candidate, namespaces)) ?? numbered;
  return chosen.map((name, index) => ({ name, namespace: namespaces[index] ?? '', own: own[index] ?? '' }));
}

const instanceLabel = (objects: readonly KubeObject[]): string => {
  const labels = new Set(objects.flatMap((object) => getAt(object, INSTANCE_LABEL) ?? []));
  const [only] = labels;
  return labels.size === 1 && typeof only === 'string' ? only : '';
};

/** Returns the words of names that most names of a copy have in common; the longest of them. */
function commonWords(objects: readonly KubeObject[]): string {
  const names = objects.map(nameOf);
  let best = '';
  let most = 0;
  for (const run of new Set(names.slice(0, MOST_NAMES).flatMap(wordRuns))) {
    const count = names.filter((name) => withOwn(name, run) !== name).length;
    if (count > most || (count === most && run.length > best.length)) {
      best = run;
      most = count;
    }
  }
  return most * 2 >= names.length ? best : '';
}

/** Returns every run of words of a name: `shop`, `shop-web`, `web`. */
function wordRuns(name: string): string[] {
  const words = name.split('-').slice(0, MOST_WORDS);
  return words.flatMap((_, start) =>
    words.slice(start).map((__, length) => words.slice(start, start + length + 1).join('-')),
  );
}

function toName(text: string): string {
  const plain = text.toLowerCase().replace(/\.(ya?ml|json)$/, '');
  return withoutEnds(plain.replace(/[^a-z0-9]+/g, '-'), '-');
}

function mostFrequent(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  let best = '';
  for (const [text, count] of counts) if (count > (counts.get(best) ?? 0)) best = text;
  return best;
}

/** Instances need valid names that differ within a namespace. */
function isUsable(names: readonly string[], namespaces: readonly string[]): boolean {
  const identities = new Set(names.map((name, index) => `${namespaces[index]}/${name}`));
  return identities.size === names.length && names.every((name) => name.length <= 63 && isSubdomain(name));
}

/**
 * Counts the names that are in every copy without their own part, and those that have such a part. A name may contain
 * the own part of one copy by chance too: that of another copy shows it.
 */
function scoreOf(candidate: readonly string[], names: readonly (readonly string[])[]): number {
  const plain = names.map((own, index) => own.map((name) => withOwn(name, candidate[index] ?? '')));
  const known = names.map((own) => new Set(own));
  const isCommon = (name: string): boolean =>
    known.every((own, index) => own.has(name.replaceAll(OWN, candidate[index] ?? '')));
  const commonIn = (own: readonly string[] = []): number => [...new Set(own)].filter(isCommon).length;
  const common = Math.max(commonIn(plain[0]), commonIn(plain[1]));
  const marked = plain.flat().filter((name) => name.includes(OWN)).length;
  return common * 1000 + (marked * 999) / Math.max(1, plain.flat().length);
}

/** Counts the texts with the own part of their copy: a label or an argument may have it where no name has. */
function textsWith(candidate: readonly string[], objects: readonly (readonly KubeObject[])[]): number {
  let count = 0;
  for (const [index, own] of objects.entries()) {
    const name = candidate[index] ?? '';
    const texts = own.flatMap((object) => [...textsIn(object)]);
    count += texts.filter(({ text }) => withOwn(text, name) !== text).length;
  }
  return count;
}

/**
 * Returns the namespace of each copy; '' for one whose objects have none. All have '' if the objects of one have
 * several, or if one contains its namespace.
 */
function namespacesOf(objects: readonly (readonly KubeObject[])[], kinds: KindRegistry): string[] {
  const namespaces = objects.map((own) => {
    const written = own
      .filter((object) => kinds.find(groupVersionKind(object))?.namespaced !== false)
      .map(namespaceOf)
      .filter((namespace, _, all) => namespace !== '' || all.some((other) => other !== ''));
    const main = mostFrequent(written);
    const isOwn = own.some(
      (object) => object.kind === 'Namespace' && object.apiVersion === 'v1' && nameOf(object) === main,
    );
    return written.includes('') || isOwn ? undefined : main;
  });
  return namespaces.map((namespace) => (namespaces.includes(undefined) ? '' : (namespace ?? '')));
}
