/** The environment of the server: files that are not open, and timers. */
export interface Host {
  /** The version of the program. */
  version: string;
  /** Returns the relevant files below folders, and the folders of repositories, by URI. Absent in a browser. */
  scan?(
    folders: readonly string[],
    progress: (files: number) => void,
  ): AsyncIterable<ScannedFile | { repository: string }>;
  /** Reads a file again; returns `undefined` if it is deleted. */
  read?(uri: string): Promise<string | undefined>;
  /** Returns the text of the descriptions of Kubernetes' fields. */
  descriptions?(): Promise<string>;
  /** Runs the golden test of a test.yaml, and returns the report as text. Absent in a browser. */
  test?(uri: string, updates: boolean): string;
  /** Normalizes a URI: editors escape some characters differently. */
  canonical?(uri: string): string;
  /** Runs a callback later, and returns a function that cancels it. */
  later(run: () => void, milliseconds: number): () => void;
}

interface ScannedFile {
  uri: string;
  text: string;
}
