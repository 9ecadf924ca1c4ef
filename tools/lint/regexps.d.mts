export interface Finding {
  /** The regular expression; undefined if the source cannot be read. */
  literal: string | undefined;
  rule: string;
  message: string;
}

export function findings(text: string): Finding[];
