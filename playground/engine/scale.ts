import type { Size } from './protocol.ts';

/** The largest scale that a panel uses. */
const LARGEST = 1.15;

/** Returns the scale at which a picture fits a panel. */
export const scaleOf = ({ width, height }: Size, panel: Size): number =>
  Math.min(panel.width / Math.max(1, width), panel.height / Math.max(1, height), LARGEST);
