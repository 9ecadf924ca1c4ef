/**
 * Reports whether a URL is that of this repository. Only host and path count, so that https and ssh are equal. If no
 * URL of this repository is known, every URL matches.
 */
export function isSameRepository(url: string, urls: readonly string[]): boolean {
  return urls.length === 0 || urls.some((one) => normalized(one) === normalized(url));
}

const normalized = (url: string): string =>
  url
    .trim()
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^/:]+):(?!\d+\/)/, '$1/')
    .replace(/^([^/:]+):\d+\//, '$1/')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .toLowerCase();

/** A commit, a tag, or a version or range of versions, which Argo CD looks for among the tags. */
export function isPinned(revision: string, tags: ReadonlySet<string> = new Set()): boolean {
  if (/^[0-9a-f]{7,64}$/.test(revision) || revision.startsWith('refs/tags/') || tags.has(revision)) return true;
  return /^[v=~^<>! ]*\d+(\.(\d+|[x*]))*([-+ ,|].*)?$/i.test(revision) || revision === '*';
}
