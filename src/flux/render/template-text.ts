import type { Path, Value } from '../../core/model/value.ts';

/** The text of a template and its location. */
export interface TemplateText {
  /** The parsed text, in bytes. */
  bytes: string;
  path: Path;
  /** The value from which the text was written; none for a literal text. */
  entry?: Value;
}
