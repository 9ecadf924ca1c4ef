/** Graphs of RGDs as pictures. */

import { svgText } from './svg.ts';
import { dotText, mermaidText } from './text.ts';

export { drawPackage, graphsOf } from './draw.ts';
export type { DrawOptions } from './layout.ts';
export { type Picture, type PictureNode, picturesOf, picturesOfInstance, type State } from './picture.ts';
export { layoutPicture, svgText } from './svg.ts';
export { mermaidText } from './text.ts';

/** The formats of pictures as texts. */
export const graphWriters = { mermaid: mermaidText, dot: dotText, svg: svgText };
