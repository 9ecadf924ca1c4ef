import { behindNode, columnOf, type Edit, lineStart } from '../../yaml/edit/index.ts';
import { type Entry, type MapNode, nodeAt, type YamlNode } from '../../yaml/tree/index.ts';

/** The fields of a map in their order; others are where `*` is. */
type Order = readonly string[];

const METADATA: Order = ['name', 'namespace', 'labels', 'annotations', '*'];
const OBJECT: Order = ['apiVersion', 'kind', 'metadata', '*', 'spec', 'status'];
const RGD: Order = ['*', 'schema', 'resources'];
const SCHEMA = 'apiVersion kind group scope plural shortNames categories metadata types * spec status'.split(' ');
const RESOURCE = 'id includeWhen forEach readyWhen * externalRef template'.split(' ');
const SET =
  'dependsOn wait serviceAccountName inputStrategy inputs inputsFrom * commonMetadata resources resourcesTemplate';
const SETS = `${SET} steps`.split(' ');

/** Returns the maps of a document that have an order, in levels: a map is in a later level than those inside of it. */
export function orderedMaps(root: YamlNode, isRgd: boolean): (readonly [YamlNode | undefined, Order])[][] {
  const at = (...path: string[]): YamlNode | undefined => nodeAt(root, path);
  const resources = at('spec', 'resources');
  const items = isRgd && resources?.kind === 'list' ? resources.items : [];
  return [
    [
      [at('metadata'), METADATA],
      ...(isRgd ? [[at('spec', 'schema'), [...SCHEMA, 'additionalPrinterColumns']] as const] : []),
      ...items.map(({ value }) => [value, RESOURCE] as const),
    ],
    [[at('spec'), isRgd ? RGD : SETS]],
    [[root, OBJECT]],
  ];
}

/** An entry with the lines above it that belong to it. */
interface Chunk {
  blank: string;
  comments: string;
  /** From its key to the end of its last line. */
  body: string;
}

/** Returns the edits that bring the entries of a block map into an order, with their comments. */
export function orderEdits(text: string, map: YamlNode | undefined, order: Order): Edit[] {
  if (map?.kind !== 'map' || map.flow) return [];
  const rest = order.indexOf('*');
  const rank = ({ name }: Entry): number => (order.includes(name) ? order.indexOf(name) : rest);
  const sorted = map.entries.toSorted((a, b) => rank(a) - rank(b));
  if (sorted.every((entry, index) => entry === map.entries[index])) return [];
  const region = regionOf(text, map);
  return region === undefined ? [] : [reordered(text, map, sorted, region)];
}

interface Region {
  /** The start of each entry with its comments; the end of the last one. */
  starts: number[];
  column: number;
  /** Whether the first entry follows a dash. */
  isItem: boolean;
}

function regionOf(text: string, map: MapNode): Region | undefined {
  const column = columnOf(text, map.start);
  const prefixes = map.entries.map(({ key }) => text.slice(lineStart(text, key.start), key.start));
  const isItem = /^ *(?:- +)+$/.test(prefixes[0] as string);
  if (!prefixes.every((prefix, index) => /^ *$/.test(prefix) || (index === 0 && isItem))) return undefined;
  const starts = map.entries.map(({ key }, index) =>
    index === 0 && (isItem || column === 0) ? key.start : startOfChunk(text, lineStart(text, key.start), column),
  );
  const end = behindNode(text, map.entries.at(-1)?.value.end ?? map.end, column);
  return { starts: [...starts, end], column, isItem };
}

/** Returns the start of the comments directly above a line, in its column. */
function startOfChunk(text: string, line: number, column: number): number {
  let start = line;
  while (start > 0) {
    const above = lineStart(text, start - 1 - Number(text.startsWith('\r\n', start - 2)));
    if (!text.startsWith(`${' '.repeat(column)}#`, above)) break;
    start = above;
  }
  return start;
}

function reordered(text: string, map: MapNode, sorted: readonly Entry[], region: Region): Edit {
  const { starts, column, isItem } = region;
  const chunks = new Map(map.entries.map((entry, index) => [entry, chunkOf(text, entry, index, starts)]));
  const [first, formerFirst] = [sorted[0], map.entries[0]].map((entry) => chunks.get(entry as Entry) as Chunk);
  // The space above an entry is between two of them.
  if (first !== formerFirst && first !== undefined && formerFirst !== undefined) {
    formerFirst.blank = first.blank;
    first.blank = '';
  }
  const start = isItem ? lineStart(text, map.start) : (starts[0] as number);
  const head = isItem ? text.slice(start, map.start) : '';
  const margin = ' '.repeat(column);
  const parts = sorted.map((entry, index) => {
    const { blank, comments, body } = chunks.get(entry) as Chunk;
    if (index > 0 || !isItem) return blank + comments + (index === 0 && column === 0 ? '' : margin) + body;
    return comments.replace(/^ *(?=#)/gm, ' '.repeat(head.indexOf('-'))) + head + body;
  });
  return { start, end: starts.at(-1) as number, text: parts.join('') };
}

function chunkOf(text: string, { key }: Entry, index: number, starts: readonly number[]): Chunk {
  const [start, end] = [starts[index] as number, starts[index + 1] as number];
  // Blank lines before the next entry are above it.
  const before = index === 0 ? '' : blankBefore(text.slice(starts[index - 1], start));
  const line = lineStart(text, key.start);
  const written = text.slice(key.start, end);
  const isLast = index === starts.length - 2;
  const body = isLast ? written : written.slice(0, written.length - blankBefore(written).length);
  return {
    blank: before,
    comments: text.slice(start, Math.max(start, line)),
    body: /[\n\r]$/.test(body) ? body : `${body}\n`,
  };
}

function blankBefore(text: string): string {
  const lineBreak = text.indexOf('\n', text.trimEnd().length);
  return lineBreak < 0 ? '' : text.slice(lineBreak + 1);
}
