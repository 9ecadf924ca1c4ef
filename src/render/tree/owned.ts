/**
 * The list of what was written: a line for each file, `DIGEST  PATH`, as `sha256sum --check` reads it. No YAML, since
 * Argo CD and others take every .yaml file below a folder for objects.
 */
export const LIST = '.render-rgd.sha256';

/** What each file may hold and still be ours: more than one after a write that was interrupted, or a merge. */
export type Owned = ReadonlyMap<string, ReadonlySet<string>>;

const LINE = /^([0-9a-f]{64}) {2}(.+)$/;
/** What git leaves in a file that it cannot merge. */
const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/;

/**
 * Reads lists. A path that leads out of the folder, or to what is hidden in it, was not written here; `lenient` passes
 * over such lines.
 */
export function parseOwned(texts: readonly string[], lenient = false): { owned: Owned } | { fault: string } {
  const owned = new Map<string, Set<string>>();
  for (const text of texts) {
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      if (line === '' || CONFLICT.test(line)) continue;
      const [, digest = '', path = ''] = LINE.exec(line) ?? [];
      if (isBelow(path)) owned.set(path, (owned.get(path) ?? new Set()).add(digest));
      else if (!lenient) return { fault: `line ${index + 1} is not the digest and the path of a file below it` };
    }
  }
  return { owned };
}

/** The list of files and their digests. */
export function ownedText(files: readonly { path: string; digest: string }[]): string {
  const lines = files.map(({ path, digest }) => ({ path, line: `${digest}  ${path}\n` }));
  return lines
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ line }) => line)
    .join('');
}

/** Whether a path is one that a layout could have made. */
function isBelow(path: string): boolean {
  return path !== '' && !path.includes('\\') && path.split('/').every((name) => name !== '' && !name.startsWith('.'));
}
