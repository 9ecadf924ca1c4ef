import type { Box } from './measure.ts';

export interface Point {
  x: number;
  y: number;
}

/** The horizontal range of a column of boxes, which have one centre. */
interface Column {
  left: number;
  right: number;
}

/** Returns the columns of boxes, from left to right. */
export function columnsOf(boxes: readonly Box[]): Column[] {
  const columns = new Map<number, Column>();
  for (const { x, width } of boxes) {
    const middle = Math.round(x);
    const known = columns.get(middle) ?? { left: x, right: x };
    columns.set(middle, { left: Math.min(known.left, x - width / 2), right: Math.max(known.right, x + width / 2) });
  }
  return [...columns.values()].sort((a, b) => a.left - b.left);
}

/**
 * Returns the points of an arrow that crosses no box: it passes a column on a level that the layout kept free, and
 * changes its level between columns only. Consecutive points are on one level or across a gap.
 */
export function routeOf(start: Point, bends: readonly Point[], end: Point, columns: readonly Column[]): Point[] {
  const at = ({ x }: Point): Column | undefined => columns.find(({ left, right }) => left <= x && x <= right);
  const points: Point[] = [start];
  const push = (x: number, y: number): void => {
    const last = points.at(-1);
    if (last === undefined || last.x !== x || last.y !== y) points.push({ x, y });
  };
  const first = at(start);
  const last = at(end);
  if (first !== undefined) push(first.right, start.y);
  for (const bend of bends) {
    const column = at(bend);
    if (column === undefined || column === first || column === last) continue;
    push(column.left, bend.y);
    push(column.right, bend.y);
  }
  if (last !== undefined) push(last.left, end.y);
  push(end.x, end.y);
  return points;
}
