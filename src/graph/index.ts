/** Graphs of RGDs as pictures. */

export { dotText } from './dot.ts';
export { type Drawn, drawPackage, type Subject } from './draw.ts';
export { graphsOf } from './graphs.ts';
export { mermaidText } from './mermaid.ts';
export { type Fate, type Picture, type PictureNode, picturesOf, picturesOfInstance } from './picture.ts';
export { svgText } from './svg.ts';
