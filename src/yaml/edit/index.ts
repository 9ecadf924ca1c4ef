export { Entangled, removeAnnotations, setAnnotations, type WrittenObject } from './annotations.ts';
export { behindNode, columnOf, type Edit, flowText, isLineStart, lineBreakOf, lineStart, withEdits } from './edits.ts';
export { addEntries, removeEntries, withoutFlowParts } from './entries.ts';
export { textWithValue } from './values.ts';
