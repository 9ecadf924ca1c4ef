const API = 'https://api.github.com';

/** Returns why an address is none of GitHub; undefined if it is one. */
export const addressFault = (text: string): string | undefined =>
  requestFor(text) === undefined ? 'expected the address of a file, a folder or a gist on github.com' : undefined;

/** Returns the request for the address of a file, a folder or a gist, as a browser shows it. */
export function requestFor(address: string): string | undefined {
  const [, gist] = /^https:\/\/gist\.github\.com\/(?:[\w-]+\/)?([0-9a-f]+)\/?$/.exec(address) ?? [];
  if (gist !== undefined) return `${API}/gists/${gist}`;
  const [, owner, name, , ref, path = ''] =
    /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+)(?:\/(blob|tree)\/([^/]+)(?:\/(.*?))?)?\/?$/.exec(address) ?? [];
  if (owner === undefined || name === undefined) return undefined;
  return `${API}/repos/${owner}/${name}/contents/${path}${ref === undefined ? '' : `?ref=${ref}`}`;
}

interface Content {
  readonly name: string;
  readonly content: string;
}

/** Returns the files at an address. @throws Error if it cannot be read */
export async function fetchedFiles(address: string): Promise<File[]> {
  const found = await read(requestFor(address) ?? '');
  const files =
    'files' in found
      ? Object.values(found.files as Record<string, GistFile>).map(gistFile)
      : [found].flat().filter(isManifest);
  const contents = await Promise.all(files.map(async (file) => ('content' in file ? file : read(file.url))));
  if (contents.length === 0) throw new Error('there are no YAML or JSON files at this address');
  return contents.map(({ name, content }: Content) => new File([bytesOf(content)], name));
}

interface GistFile {
  readonly filename: string;
  readonly content: string;
}

const gistFile = ({ filename, content }: GistFile): Content => ({
  name: filename,
  content: btoa(String.fromCharCode(...new TextEncoder().encode(content))),
});

const isManifest = ({ name }: { readonly name: string }): boolean => /\.(?:ya?ml|json)$/.test(name);

const bytesOf = (content: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(content.replace(/\s/g, '')), (character) => character.charCodeAt(0));

// biome-ignore lint/suspicious/noExplicitAny: an answer of another program
async function read(url: string): Promise<any> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`GitHub answers ${response.status} ${response.statusText}`);
  return response.json();
}
