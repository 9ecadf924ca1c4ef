import { clipped } from '../../core/text/clip.ts';
import type { Picture, PictureNode } from './picture.ts';

/** Longer notes get a line each. */
const LONGEST = 40;

/** Returns the lines in the box of a node: its id, the kind of its objects, and notes. */
export function linesOf(node: PictureNode, pictures: readonly Picture[]): string[] {
  const list = node.kind === 'collection' || node.kind === 'externalCollection';
  const object = `${node.object}${list ? ' []' : ''}`;
  const notes = [
    ...(isExternal(node) ? ['external'] : []),
    ...(node.iterators.length > 0 ? [`for each ${node.iterators.join(', ')}`] : []),
    ...(node.conditions.length > 0 ? ['conditional'] : []),
    ...(node.chained === undefined ? [] : [`RGD ${pictures[node.chained]?.name ?? ''}`]),
    ...(node.outcome === undefined || node.outcome === 'included' ? [] : [node.outcome]),
  ];
  const line = notes.join(', ');
  return [node.id, object, ...(line.length > LONGEST ? notes : line === '' ? [] : [line])];
}

export const isExternal = ({ kind }: PictureNode): boolean => kind === 'external' || kind === 'externalCollection';

/** Returns the title of an RGD: its name and the kind that it defines, or its instance. */
export const titleOfPicture = ({ name, title }: Picture): string => `${name} (${title})`;

/** Returns the tooltip of a box: the full conditions. */
export const conditionsOf = ({ conditions }: PictureNode): string =>
  conditions.map((condition) => `if ${clipped(condition, 1000)}`).join('\n');
