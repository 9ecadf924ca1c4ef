/**
 * The list of written files: a line for each, `DIGEST  PATH`, as `sha256sum --check` reads it. It is not YAML, because
 * Argo CD and others read every .yaml file below a folder as objects.
 */
export const LIST = '.render-rgd.sha256';

/** The valid digests of each owned file: more than one after an interrupted write, or a merge. */
export type Owned = ReadonlyMap<string, ReadonlySet<string>>;

const LINE = /^([0-9a-f]{64}) {2}(.+)$/;
/** Conflict markers of git. */
const CONFLICT = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/;

/** Parses lists. A path that leaves the folder, or names a hidden file, is rejected; `lenient` skips such lines. */
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

/** Formats the list of files and their digests. */
export function ownedText(files: readonly { path: string; digest: string }[]): string {
  const lines = files.map(({ path, digest }) => ({ path, line: `${digest}  ${path}\n` }));
  return lines
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ line }) => line)
    .join('');
}

/** Reports whether a layout can produce a path. */
function isBelow(path: string): boolean {
  return path !== '' && !path.includes('\\') && path.split('/').every((name) => name !== '' && !name.startsWith('.'));
}
