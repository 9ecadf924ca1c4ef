import { composeText, joinTexts, type Text } from '../../core/diagnostics/index.ts';
import { clipped } from '../../core/text/clip.ts';
import type { Direction } from './layout.ts';
import type { FieldRead, Picture, PictureNode } from './picture.ts';

/** Longer notes get a line each. */
const LONGEST = 40;

/** Returns the lines in the box of a node: its id, the kind of its objects, and notes. */
export function linesOf(node: PictureNode, pictures: readonly Picture[]): Text[] {
  const list = node.kind === 'collection' || node.kind === 'externalCollection';
  const object = list ? composeText`${node.object} []` : node.object;
  const notes = [
    ...(isExternal(node) ? [composeText`external`] : []),
    ...(node.iterators.length > 0 ? [composeText`for each ${joinTexts(node.iterators, ', ')}`] : []),
    ...(node.conditions.length > 0 ? [composeText`conditional`] : []),
    ...(node.chained === undefined ? [] : [composeText`RGD ${pictures[node.chained]?.name ?? ''}`]),
    ...(node.outcome === undefined || node.outcome === 'included' ? [] : [composeText`${node.outcome}`]),
  ];
  const line = joinTexts(notes, ', ');
  return [node.id, object, ...(line.length > LONGEST ? notes : line === '' ? [] : [line])];
}

export const isExternal = ({ kind }: PictureNode): boolean => kind === 'external' || kind === 'externalCollection';

/** Returns the title of an RGD: its name and the kind that it defines, or its instance. */
export const titleOfPicture = ({ name, title }: Picture): Text => composeText`${name} (${title})`;

/** Returns the tooltip of a box: the full conditions. */
export const conditionsOf = ({ conditions }: PictureNode): Text =>
  joinTexts(
    conditions.map((condition) => composeText`if ${clipped(condition, 1000)}`),
    '\n',
  );

const MOST_LINES = 3;
const MOST_LETTERS = 40;

/** Returns the lines on an arrow: the fields that are read. */
export function labelOf(reads: readonly FieldRead[]): Text[] {
  const whole = composeText`the object`;
  const fields = [...new Set(reads.map(({ read }) => clipped(read === '' ? whole : read, MOST_LETTERS)))];
  const shown = fields.length > MOST_LINES ? fields.slice(0, MOST_LINES - 1) : fields;
  return shown.length === fields.length ? shown : [...shown, composeText`and ${fields.length - shown.length} more`];
}

const MOST_READS = 20;

/** Returns the tooltip of an arrow: the reading and the read fields, a line each. */
export function tooltipOf(reads: readonly FieldRead[], from?: PictureNode, to?: PictureNode): Text {
  const lines = reads
    .slice(0, MOST_READS)
    .map(
      ({ read, by }) =>
        composeText`${to?.id ?? ''}: ${clipped(by, 200)} reads ${from?.id ?? ''}${read === '' ? '' : joined(clipped(read, 200))}`,
    );
  const more = reads.length > MOST_READS ? [composeText`and ${reads.length - MOST_READS} more`] : [];
  return joinTexts([...lines, ...more], '\n');
}

const joined = (read: Text): Text => (read.startsWith('[') ? read : composeText`.${read}`);

/** How pictures are drawn. */
export interface DrawOptions {
  /** The direction of arrows. Default: LR; for SVG with `width` the narrower one. */
  direction?: Direction | undefined;
  /** Whether arrows show the fields that are read. Default: false. */
  edgeLabels?: boolean;
  /** The maximum width of an SVG in pixels; a wider one is scaled down. Default: no limit. */
  width?: number;
}
