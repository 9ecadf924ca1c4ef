import type { Direction } from './layout.ts';

/** How pictures are drawn. */
export interface DrawOptions {
  /** Where arrows lead. Default: LR; for SVG with `width` what is less wide. */
  direction?: Direction | undefined;
  /** Whether arrows name the fields that are read. Default: false. */
  edgeLabels?: boolean;
  /** The most pixels that an SVG is wide; a wider one is scaled down. Default: no limit. */
  width?: number;
}
