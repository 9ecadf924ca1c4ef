/** Graphs of RGDs as pictures. */

export { dotText } from './dot.ts';
export { drawPackage, graphsOf } from './draw.ts';
export type { DrawOptions } from './label.ts';
export { mermaidText } from './mermaid.ts';
export { type Picture, type PictureNode, picturesOf, picturesOfInstance, type State } from './picture.ts';
export { layoutPicture, svgText } from './svg.ts';
