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
