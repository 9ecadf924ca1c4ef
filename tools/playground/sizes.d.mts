export interface FileSize {
  readonly file: string;
  readonly bytes: number;
  readonly gzip: number;
  /** Whether the first load includes it. */
  readonly first: boolean;
}

export function sizesOf(folder: string): FileSize[];
