export { type Reference, referencesIn } from './aliases.ts';
export { Entangled, removeAnnotations, setAnnotations, type WrittenObject } from './annotations.ts';
export { type Edit, withEdits } from './edits.ts';
export { blockLines, hasQuotes, withoutFlowParts } from './entries.ts';
export { flowText } from './flow.ts';
export { jsonEvents } from './json-events.ts';
export { behindNode, columnOf, isLineStart, lineBreakOf, lineStart } from './lines.ts';
export { type DocumentText, Nodes, type TextEntry, type TextNode } from './nodes.ts';
export { textWithValue } from './values.ts';
