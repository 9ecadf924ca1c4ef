/** Graphs of RGDs as pictures. */

export { drawPackage, graphsOf } from './draw.ts';
export type { DrawOptions } from './layout.ts';
export { type Picture, type PictureNode, picturesOf, picturesOfInstance, type State } from './picture.ts';
export { layoutPicture, svgText } from './svg.ts';
export { dotText, mermaidText } from './text.ts';
