import type { KubeObject } from '../../core/model/object.ts';
import { get, mapOf, setKey, type ValueMap } from '../../core/model/value.ts';
import {
  contains,
  type Entry,
  entryOf,
  isAlias,
  isBlockScalar,
  type MapNode,
  type ScalarNode,
  type YamlNode,
} from '../tree/index.ts';
import { addEntries, type Edit, Entangled, fillEmpty, flowText, isOnlyText, removeEntries } from './edits.ts';

export interface WrittenObject {
  text: string;
  node: YamlNode;
  object: KubeObject;
  aliases: readonly ScalarNode[];
}

/**
 * Returns the edits that set annotations of an object and change nothing else: in the style of its `metadata`, after
 * existing entries. The content of an alias or `<<` is expanded if all readers agree on it.
 * @throws Entangled
 */
export function setAnnotations(written: WrittenObject, added: Readonly<Record<string, string | null>>): Edit[] {
  const { node, object } = written;
  const metadata = mapOf(get(object, 'metadata'));
  const annotations = { ...mapOf(get(metadata, 'annotations')), ...added };
  const inMetadata = ownEntry(node, 'metadata');
  if (inMetadata === undefined) return addWhole(written, node, { metadata: { ...metadata, annotations } });
  const whole = { ...metadata, annotations };
  if (inMetadata.value.kind !== 'map') return replaceWhole(written, inMetadata, whole);
  const inAnnotations = ownEntry(inMetadata.value, 'annotations');
  const freed = expandAliases(written, inMetadata.value, metadata);
  if (inAnnotations === undefined) return [...freed, ...addWhole(written, inMetadata.value, { annotations })];
  if (inAnnotations.value.kind !== 'map') return [...freed, ...replaceWhole(written, inAnnotations, annotations)];
  for (const edit of expandAliases(written, inAnnotations.value, mapOf(get(metadata, 'annotations')))) freed.push(edit);
  return [...freed, ...setEntries(written, inAnnotations.value, added)];
}

/**
 * Returns the edits that remove annotations of an object, and an empty `annotations` map.
 * @throws Entangled
 */
export function removeAnnotations(written: WrittenObject, names: readonly string[]): Edit[] {
  const { text, node, object } = written;
  const metadata = mapOf(get(object, 'metadata'));
  const inMetadata = ownEntry(node, 'metadata')?.value;
  const inAnnotations = inMetadata && ownEntry(inMetadata, 'annotations')?.value;
  if (inMetadata?.kind !== 'map' || inAnnotations?.kind !== 'map') throw new Entangled('come from elsewhere');
  const annotations = mapOf(get(metadata, 'annotations'));
  const freed = [
    ...expandAliases(written, inMetadata, metadata),
    ...expandAliases(written, inAnnotations, annotations),
  ];
  const { start, end, entries } = inAnnotations;
  const isElsewhere = (name: string): boolean => Object.hasOwn(annotations, name) && !entryOf(inAnnotations, name);
  const isUsed = ({ key, value }: Entry): boolean => isReferred(written, key) || isReferred(written, value);
  if (names.some(isElsewhere) || entries.some(isUsed)) {
    throw new Entangled('come from elsewhere, or are used elsewhere');
  }
  const isNamed = ({ name }: Entry): boolean => names.includes(name);
  if (!entries.every(isNamed)) return [...freed, ...removeEntries(text, inAnnotations, isNamed)];
  if (inMetadata.entries.length === 1) return [...freed, { start, end, text: '{}' }];
  return [...freed, ...removeEntries(text, inMetadata, ({ name }) => name === 'annotations')];
}

/** Returns the entry of a key in a map at this position, but not in the map of an alias. */
function ownEntry(map: YamlNode, name: string): Entry | undefined {
  if (isAlias(map)) throw new Entangled('is written as an alias');
  return entryOf(map, name);
}

const isReferred = ({ aliases }: WrittenObject, node: YamlNode): boolean =>
  aliases.some(({ target }) => target === node);

function addWhole(written: WrittenObject, map: YamlNode, added: ValueMap): Edit[] {
  if (map === written.node && isReferred(written, map)) throw new Entangled('is used elsewhere by an alias');
  const [value = null] = Object.values(added);
  if (map.kind !== 'map' || !isOnlyText(value)) throw new Entangled('has values that come from elsewhere');
  return addEntries(written.text, map, added);
}

function replaceWhole(written: WrittenObject, entry: Entry, value: ValueMap): Edit[] {
  if (isReferred(written, entry.value)) throw new Entangled('is used elsewhere by an alias');
  if (!isOnlyText(value)) throw new Entangled('has values that come from elsewhere');
  return fillEmpty(written.text, entry, value);
}

function setEntries(written: WrittenObject, map: MapNode, added: Readonly<Record<string, string | null>>): Edit[] {
  const edits: Edit[] = [];
  const missing: ValueMap = {};
  for (const [name, value] of Object.entries(added)) {
    const entry = entryOf(map, name);
    if (entry === undefined) setKey(missing, name, value);
    else edits.push(replaceScalar(written, entry.value, value));
  }
  return Object.keys(missing).length === 0 ? edits : [...edits, ...addEntries(written.text, map, missing)];
}

function replaceScalar(written: WrittenObject, node: YamlNode, value: string | null): Edit {
  const { start, end } = node;
  if (isReferred(written, node) || isBlockScalar(node) || node.kind === 'map') {
    throw new Entangled('is used elsewhere, or written in an unusual way');
  }
  const isEmpty = node.kind === 'scalar' && node.style === 'empty';
  if (isEmpty && written.text[end - 1] !== ':') throw new Entangled('is written in an unusual way');
  return { start, end, text: `${isEmpty ? ' ' : ''}${JSON.stringify(value)}` };
}

/** Expands, inside the object, the aliases of a node that is about to change. */
function expandAliases(written: WrittenObject, changed: YamlNode, value: ValueMap): Edit[] {
  const { node, aliases } = written;
  if (isReferred(written, node)) throw new Entangled('is used elsewhere by an alias');
  return aliases.flatMap((alias) => {
    if (alias.target !== changed) return [];
    if (!contains(node, alias) || !isOnlyText(value)) throw new Entangled('is used elsewhere by an alias');
    const { start, end } = alias;
    return [{ start, end, text: flowText(value, false) }];
  });
}
