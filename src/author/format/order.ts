import { behindNode, columnOf, type Edit, lineBreakOf, lineStart } from '../../yaml/edit/index.ts';
import { type Entry, nodeAt, type YamlNode } from '../../yaml/tree/index.ts';

/** The fields of a map in their order; others are where `*` is. */
type Order = readonly string[];

const METADATA: Order = ['name', 'namespace', 'labels', 'annotations', '*'];
const OBJECT: Order = ['apiVersion', 'kind', 'metadata', '*', 'spec', 'status'];
const RGD: Order = ['*', 'schema', 'resources'];
const SCHEMA = [
  'apiVersion',
  'kind',
  'group',
  'scope',
  'plural',
  'shortNames',
  'categories',
  'metadata',
  'types',
  '*',
  'spec',
  'status',
];
const RESOURCE = ['id', 'includeWhen', 'forEach', 'readyWhen', '*', 'externalRef', 'template'];
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

/** Returns the edits that bring the entries of a block map into an order, with their comments. */
export function orderEdits(text: string, map: YamlNode | undefined, order: Order): Edit[] {
  if (map?.kind !== 'map' || map.flow) return [];
  const { entries } = map;
  const rest = order.indexOf('*');
  const rank = ({ name }: Entry): number => (order.includes(name) ? order.indexOf(name) : rest);
  if (entries.every((entry, index) => index === 0 || rank(entries[index - 1] as Entry) <= rank(entry))) return [];
  const column = columnOf(text, map.start);
  const lines = entries.map(({ key }) => lineStart(text, key.start));
  const prefixes = entries.map(({ key }, index) => text.slice(lines[index], key.start));
  // The first entry may follow a dash.
  const isItem = /^ *(?:- +)+$/.test(prefixes[0] as string);
  if (!prefixes.every((prefix, index) => /^ *$/.test(prefix) || (index === 0 && isItem))) return [];
  const starts = entries.map(({ key }, index) =>
    index === 0 && (isItem || column === 0) ? key.start : startOfChunk(text, lines[index] as number, column),
  );
  const end = behindNode(text, entries.at(-1)?.value.end ?? map.end, column);
  const chunks = entries.map((entry, index) => {
    const [start = 0, next = end] = starts.slice(index);
    const written = text.slice(entry.key.start, next);
    const body = next === end ? written : written.slice(0, written.length - blankBefore(written).length);
    return {
      entry,
      // Blank lines before an entry are at the end of the one above it.
      blank: index === 0 ? '' : blankBefore(text.slice(starts[index - 1], start)),
      comments: text.slice(start, Math.max(start, lines[index] as number)),
      body: /[\n\r]$/.test(body) ? body : body + lineBreakOf(text),
    };
  });
  const sorted = chunks.toSorted((a, b) => rank(a.entry) - rank(b.entry));
  const first = sorted[0];
  const formerFirst = chunks[0];
  // The space above an entry is between two of them.
  if (first !== formerFirst && first !== undefined && formerFirst !== undefined) {
    formerFirst.blank = first.blank;
    first.blank = '';
  }
  const start = isItem ? (lines[0] as number) : (starts[0] as number);
  const head = isItem ? text.slice(start, map.start) : '';
  const parts = sorted.map(({ blank, comments, body }, index) => {
    if (index === 0 && isItem) return comments.replace(/^ *(?=#)/gm, ' '.repeat(head.indexOf('-'))) + head + body;
    return blank + comments + (index === 0 && column === 0 ? '' : ' '.repeat(column)) + body;
  });
  return [{ start, end, text: parts.join('') }];
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

function blankBefore(text: string): string {
  const lineBreak = text.indexOf('\n', text.trimEnd().length);
  return lineBreak < 0 ? '' : text.slice(lineBreak + 1);
}
