export { Entangled, removeAnnotations, setAnnotations, type WrittenObject } from './annotations.ts';
export { type Edit, withEdits } from './edits.ts';
export { blockLines, hasQuotes, withoutFlowParts } from './entries.ts';
export { flowText } from './flow.ts';
export { behindNode, columnOf, isLineStart, lineBreakOf, lineStart } from './lines.ts';
export { textWithValue } from './values.ts';
