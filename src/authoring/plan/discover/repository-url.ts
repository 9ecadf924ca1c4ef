/**
 * Reports whether a URL leads to this repository. Of a URL only host and path count, so that https and ssh are alike.
 * Where no URL of this repository is known, every one does.
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
