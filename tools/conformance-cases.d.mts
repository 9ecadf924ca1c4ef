export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
}

export function findCases(folder: string): string[];

export function checkCase(
  folder: string,
  run: (args: readonly string[]) => Promise<RunResult>,
): Promise<string | undefined>;
