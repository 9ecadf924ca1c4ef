import { EVENT_ID, SCALAR_STYLE } from 'js-yaml';
import type { KubeObject } from '../../core/model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../../core/model/value.ts';
import type { Reference } from './aliases.ts';
import type { Edit } from './edits.ts';
import { addEntries, fillEmpty, hasQuotes, isJson, removeEntries } from './entries.ts';
import { flowText, isOnlyText } from './flow.ts';
import type { Nodes, TextEntry, TextNode } from './nodes.ts';

/** An object with its position in a text. */
export interface WrittenObject {
  nodes: Nodes;
  node: TextNode;
  object: KubeObject;
  references: readonly Reference[];
}

/** Thrown if an annotation of an object cannot be changed without other changes. */
export class Entangled extends Error {
  override name = 'Entangled';
}

/**
 * Returns the edits that set annotations of an object and change nothing else: in the style of its `metadata`, after
 * existing entries. The content of an alias or `<<` is expanded if all readers agree on it.
 * @throws Entangled
 */
export function setAnnotations(written: WrittenObject, added: Readonly<Record<string, string>>): Edit[] {
  const { nodes, node, object } = written;
  const metadata = asMap(get(object, 'metadata'));
  const annotations = { ...asMap(get(metadata, 'annotations')), ...added };
  const inMetadata = ownEntry(written, node, 'metadata');
  if (inMetadata === undefined) return addWhole(written, node, { metadata: { ...metadata, annotations } });
  const whole = { ...metadata, annotations };
  if (!nodes.isMap(inMetadata.value)) return replaceWhole(written, inMetadata, whole);
  const inAnnotations = ownEntry(written, inMetadata.value, 'annotations');
  const freed = expandAliases(written, inMetadata.value, metadata);
  if (inAnnotations === undefined) return [...freed, ...addWhole(written, inMetadata.value, { annotations })];
  if (!nodes.isMap(inAnnotations.value)) return [...freed, ...replaceWhole(written, inAnnotations, annotations)];
  for (const edit of expandAliases(written, inAnnotations.value, asMap(get(metadata, 'annotations')))) freed.push(edit);
  return [...freed, ...setEntries(written, inAnnotations.value, added)];
}

/**
 * Returns the edits that remove annotations of an object, and an empty `annotations` map.
 * @throws Entangled
 */
export function removeAnnotations(written: WrittenObject, names: readonly string[]): Edit[] {
  const { nodes, node, object } = written;
  const metadata = asMap(get(object, 'metadata'));
  const inMetadata = ownEntry(written, node, 'metadata')?.value;
  const inAnnotations = inMetadata && ownEntry(written, inMetadata, 'annotations')?.value;
  if (inAnnotations === undefined || !nodes.isMap(inAnnotations)) throw new Entangled('come from elsewhere');
  const freed = expandAliases(written, inMetadata as TextNode, metadata);
  for (const edit of expandAliases(written, inAnnotations, asMap(get(metadata, 'annotations')))) freed.push(edit);
  const isNamed = ({ name }: TextEntry): boolean => name !== undefined && names.includes(name);
  const entries = nodes.entries(inAnnotations);
  const left = entries.filter((entry) => !isNamed(entry));
  const expected = Object.keys(asMap(get(metadata, 'annotations'))).filter((name) => names.includes(name));
  if (expected.some((name) => !entries.some((entry) => entry.name === name)) || hasAnchors(written, entries)) {
    throw new Entangled('come from elsewhere, or are used elsewhere');
  }
  const parent = inMetadata as TextNode;
  const goesWhole = left.length === 0 && nodes.entries(parent).length > 1;
  const removed = goesWhole
    ? removeEntries(nodes, parent, ({ name }) => name === 'annotations')
    : left.length === 0
      ? [{ start: inAnnotations.start, end: inAnnotations.end, text: '{}' }]
      : removeEntries(nodes, inAnnotations, isNamed);
  if (removed === undefined) throw new Entangled('do not stand on lines of their own');
  return [...freed, ...removed];
}

const asMap = (value: Value | undefined): ValueMap => (isMap(value) ? value : {});

/** Returns the entry of a key in a map at this position, but not in the map of an alias. */
function ownEntry({ nodes }: WrittenObject, map: TextNode, name: string): TextEntry | undefined {
  if (nodes.isAlias(map)) throw new Entangled('is written as an alias');
  return nodes.entry(map, name);
}

const isReferred = ({ references }: WrittenObject, { index }: TextNode): boolean =>
  references.some(({ anchor }) => anchor === index);

function hasAnchors(written: WrittenObject, entries: readonly TextEntry[]): boolean {
  return entries.some(({ key, value }) => isReferred(written, key) || isReferred(written, value));
}

function addWhole(written: WrittenObject, map: TextNode, added: ValueMap): Edit[] {
  if (map === written.node && isReferred(written, map)) throw new Entangled('is used elsewhere by an alias');
  const [value = null] = Object.values(added);
  if (!isOnlyText(value)) throw new Entangled('has values that come from elsewhere');
  return addEntries(written.nodes, map, added);
}

/** Replaces an alias or a missing value with a map. */
function replaceWhole(written: WrittenObject, entry: TextEntry, value: ValueMap): Edit[] {
  const { nodes } = written;
  if (isReferred(written, entry.value)) throw new Entangled('is used elsewhere by an alias');
  if (!isOnlyText(value)) throw new Entangled('has values that come from elsewhere');
  if (nodes.isAlias(entry.value)) {
    const { start, end } = entry.value;
    return [{ start, end, text: flowText(value, isJson(nodes.document.text)) }];
  }
  const filled = fillEmpty(nodes, entry, value);
  if (filled === undefined) throw new Entangled('is written in an unusual way');
  return filled;
}

function setEntries(written: WrittenObject, map: TextNode, added: Readonly<Record<string, string>>): Edit[] {
  const { nodes } = written;
  const edits: Edit[] = [];
  const missing: ValueMap = {};
  for (const [name, value] of Object.entries(added)) {
    const entry = nodes.entry(map, name);
    if (entry === undefined) missing[name] = value;
    else edits.push(...replaceScalar(written, entry, value));
  }
  return Object.keys(missing).length === 0 ? edits : [...edits, ...addEntries(nodes, map, missing)];
}

function replaceScalar(written: WrittenObject, entry: TextEntry, value: string): Edit[] {
  const { nodes } = written;
  const { start, end } = entry.value;
  const event = nodes.event(entry.value);
  const isBlock =
    event.type === EVENT_ID.SCALAR &&
    (event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK);
  if (isReferred(written, entry.value) || isBlock || nodes.isMap(entry.value)) {
    throw new Entangled('is used elsewhere, or written in an unusual way');
  }
  const isEmpty = event.type === EVENT_ID.SCALAR && event.valueStart < 0;
  if (isEmpty && nodes.document.text[end - 1] !== ':') throw new Entangled('is written in an unusual way');
  return [{ start, end, text: `${isEmpty ? ' ' : ''}${JSON.stringify(value)}` }];
}

/** Expands, inside the object, the aliases of a node that is about to change. */
function expandAliases(written: WrittenObject, changed: TextNode, value: ValueMap): Edit[] {
  const { nodes, node, references } = written;
  const aliases = references.filter(({ anchor }) => anchor === changed.index).map(({ alias }) => alias);
  if (isReferred(written, node)) throw new Entangled('is used elsewhere by an alias');
  return aliases.map((alias) => {
    const isOutside = alias < node.index || alias >= node.next;
    if (isOutside || !isOnlyText(value)) throw new Entangled('is used elsewhere by an alias');
    const event = nodes.document.events[alias];
    if (event?.type !== EVENT_ID.ALIAS) throw new Entangled('is used elsewhere by an alias');
    const { original } = nodes.document;
    return {
      start: original(event.anchorStart - 1),
      end: original(event.anchorEnd),
      text: flowText(value, hasQuotes(nodes, node)),
    };
  });
}
