import type { TextStream } from '../../yaml/parse/index.ts';

/** A text with its origin. */
export interface FoundText extends TextStream {
  /** Set if the file was not named: it was found in a folder, or among the templates of a Helm chart below it. */
  found?: 'folder' | 'chart';
}
