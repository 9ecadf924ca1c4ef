import table from '../../../data/diagnostics.json';

/** The step or command that reports a code. */
export type Stage = keyof typeof table;

/** The name of a diagnostic code. Codes never change their meaning; message texts may. */
export type Code = { [S in Stage]: keyof (typeof table)[S] }[Stage];

export interface CodeEntry {
  stage: Stage;
  /** The error, for the reference page. */
  meaning: string;
  /** The fix, for the reference page. */
  remedy: string;
}

/** Every code by its name, in the order of `docs/diagnostics.md`, which is generated from the same table. */
export const codes = Object.fromEntries(
  Object.entries(table).flatMap(([stage, entries]) =>
    Object.entries(entries).map(([code, { meaning, remedy }]) => [code, { stage, meaning, remedy }]),
  ),
) as Readonly<Record<Code, CodeEntry>>;
