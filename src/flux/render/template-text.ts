import type { Path, Value } from '../../core/model/value.ts';

/** The text of a template and its location. */
export interface TemplateText {
  /** What is parsed, in bytes. */
  bytes: string;
  path: Path;
  /** The value that the text was made of; none for text as it is. */
  entry?: Value;
}
