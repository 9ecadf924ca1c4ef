export interface Fault {
  line: number;
  rule: string;
}

export const RULES: Readonly<Record<string, unknown>>;

/** Without names, the rules that hold for the path. */
export function faultsIn(path: string, text: string, names?: readonly string[]): Fault[];
