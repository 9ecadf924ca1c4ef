import type { FoundText } from '../../authoring/input/index.ts';

/** A file as the page has it, and where it is on disk. */
export interface OpenedFile {
  readonly name: string;
  readonly role: string;
  readonly text: string;
  readonly path: string;
}

/** Names of the page are paths below a folder: what leads out of it is cut off, and a second file of a name gets a number. */
export function openedFiles(roles: readonly (readonly [role: string, files: readonly FoundText[]])[]): OpenedFile[] {
  const names = new Set<string>();
  return roles.flatMap(([role, files]) =>
    files.map(({ file: path, text }) => {
      const name = freeName(path.replaceAll('\\', '/').replace(/^(?:\.{0,2}\/)+/, ''), names);
      names.add(name);
      return { name, role, text, path };
    }),
  );
}

function freeName(name: string, names: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${number}/${name}`;
    if (!names.has(free)) return free;
  }
}

/** The page with the files in it; it may send them back only where they are written. */
export function pageWith(page: Uint8Array, opened: readonly OpenedFile[], write: boolean): Uint8Array {
  const html = Buffer.from(page).toString();
  if (opened.length === 0) return page;
  const files = opened.map(({ name, role, text }) => ({ name, role, text }));
  // Nothing in a file can end the element.
  const json = JSON.stringify({ files, options: {}, write }).replaceAll('<', '\\u003c');
  const script = `<script type="application/json" id="opened">${json}</script>`;
  const allowed = write ? html.replace("connect-src 'none'", "connect-src 'self'") : html;
  return Buffer.from(allowed.replace('</body>', () => `${script}</body>`));
}
