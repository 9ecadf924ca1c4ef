/** What a wire brings besides the messages: files that nobody has open, and time. */
export interface Host {
  /** The version of the program. */
  version: string;
  /** The files below folders that may be ours, by URI. A browser has none. */
  scan?(folders: readonly string[], progress: (files: number) => void): AsyncIterable<{ uri: string; text: string }>;
  /** Reads a file again; `undefined` when it is gone. */
  read?(uri: string): Promise<string | undefined>;
  /** The one form of a URI: editors write some characters in different ways. */
  canonical?(uri: string): string;
  /** Runs something later, and yields what stops it. */
  later(run: () => void, milliseconds: number): () => void;
}
