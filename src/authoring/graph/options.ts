import type { Direction } from './layout.ts';

/** How pictures are drawn. */
export interface DrawOptions {
  /** The direction of arrows. Default: LR; for SVG with `width` the narrower one. */
  direction?: Direction | undefined;
  /** Whether arrows show the fields that are read. Default: false. */
  edgeLabels?: boolean;
  /** The maximum width of an SVG in pixels; a wider one is scaled down. Default: no limit. */
  width?: number;
}
