import type { TextStream } from '../../yaml/parse/index.ts';

/** A text that was read. */
export interface FoundText extends TextStream {
  /** Nobody named the file: it was found in a folder, or among the templates of a Helm chart below it. */
  found?: 'folder' | 'chart';
}
