import type { FoundText } from '../../authoring/input/index.ts';

/** A file of the page, and its path on disk. */
export interface OpenedFile {
  readonly name: string;
  readonly role: string;
  readonly text: string;
  readonly path: string;
}

/** Returns the files with unique names, which are relative paths: `..` is removed, and a duplicate gets a number. */
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

/** Returns the page with the files in it; it may send them back only if they are writable. */
export function pageWith(page: Uint8Array, opened: readonly OpenedFile[], write: boolean): Uint8Array {
  const html = Buffer.from(page).toString();
  if (opened.length === 0) return page;
  const files = opened.map(({ name, role, text }) => ({ name, role, text }));
  // Escapes the files so that they cannot end the element.
  const json = JSON.stringify({ files, options: {}, write }).replaceAll('<', '\\u003c');
  const script = `<script type="application/json" id="opened">${json}</script>`;
  const allowed = write ? html.replace("connect-src 'none'", "connect-src 'self'") : html;
  return Buffer.from(allowed.replace('</body>', () => `${script}</body>`));
}
