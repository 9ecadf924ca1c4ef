/** Graphs of RGDs as pictures. */

export { dotText } from './dot.ts';
export { drawPackage } from './draw.ts';
export { graphsOf } from './graphs.ts';

export { mermaidText } from './mermaid.ts';
export type { DrawOptions } from './options.ts';
export { type Picture, type PictureNode, picturesOf, picturesOfInstance, type State } from './picture.ts';
export { layoutPicture, svgText } from './svg.ts';
