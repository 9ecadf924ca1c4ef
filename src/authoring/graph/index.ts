/** Graphs of RGDs as pictures. */

export { dotText } from './dot.ts';
export { type Drawn, drawPackage, type Subject } from './draw.ts';
export { graphsOf } from './graphs.ts';
export type { Direction } from './layout.ts';
export { mermaidText } from './mermaid.ts';
export type { DrawOptions } from './options.ts';
export { type Picture, type PictureNode, picturesOf, picturesOfInstance, type State } from './picture.ts';
export { layoutPicture, svgText } from './svg.ts';
