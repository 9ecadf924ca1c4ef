/**
 * Every diagnostic code, in one place: its stage, what it means and what to do. `docs/diagnostics.md` is generated
 * from this table. Codes never change their meaning; message texts may.
 */
export type Stage = 'parse' | 'compile' | 'instance' | 'expand' | 'pending' | 'collision';

export interface CodeEntry {
  stage: Stage;
  /** What is wrong, for the reference page. */
  meaning: string;
  /** What to do about it, for the reference page. */
  remedy: string;
}

const table = {
  // parse: the input is not valid YAML or not a valid RGD shape
  'yaml-syntax': {
    stage: 'parse',
    meaning: 'The text is not valid YAML or JSON.',
    remedy: 'Mend the syntax at the position shown.',
  },
  'duplicate-key': {
    stage: 'parse',
    meaning: 'A map has one key twice.',
    remedy: 'Remove or rename one of them.',
  },
} as const satisfies Record<string, CodeEntry>;

export type Code = keyof typeof table;

export const codes: Readonly<Record<Code, CodeEntry>> = table;
