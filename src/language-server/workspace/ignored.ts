import { foldersFrom } from '../../core/text/paths.ts';

/** The files and folders that git ignores, and those of them that a kustomization or a setting names, by URI. */
export class IgnoredPaths {
  readonly #ignored = new Set<string>();
  readonly #named = new Set<string>();

  get isEmpty(): boolean {
    return this.#ignored.size === 0;
  }

  ignore(uri: string): void {
    this.#ignored.add(uri);
  }

  /** Includes a file, or everything below a folder, although git ignores it. */
  include(uri: string): void {
    this.#named.add(uri);
  }

  clear(): void {
    this.#ignored.clear();
    this.#named.clear();
  }

  /** Reports whether git ignores a file or folder that nothing names. */
  has(uri: string): boolean {
    if (this.isEmpty) return false;
    const around = foldersFrom(uri);
    const isIn = (paths: ReadonlySet<string>): boolean => around.some((one) => paths.has(one));
    return isIn(this.#ignored) && !isIn(this.#named);
  }
}
