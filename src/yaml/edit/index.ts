export { Entangled, removeAnnotations, setAnnotations, type WrittenObject } from './annotations.ts';
export {
  addEntries,
  behindNode,
  columnOf,
  type Edit,
  flowText,
  isLineStart,
  lineBreakOf,
  lineStart,
  removeEntries,
  withEdits,
  withoutFlowParts,
} from './edits.ts';
export { textWithValue } from './values.ts';
