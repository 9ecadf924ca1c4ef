import type { Path, Value } from '../../model/value.ts';

/** The text of a template, and where it stands. */
export interface TemplateText {
  /** What is parsed, in bytes. */
  bytes: string;
  path: Path;
  /** The value that the text was made of; none for text as it stands. */
  entry?: Value;
}
