import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { Report } from '../../core/diagnostics/index.ts';
import type { FoundText } from '../../describe/input/index.ts';
import { nativeDigest, slashed, statOf } from '../file-system.ts';
import { type Saved, type SaveRoot, saveBelow } from '../write/index.ts';
import { fitting } from './limits.ts';

export interface Snapshot {
  /** A save names what it replaces by its digest. */
  readonly files: readonly { name: string; role: string; text: string; digest: string }[];
  /** The files that the page cannot show. */
  readonly left: readonly { readonly name: string; readonly reason: string }[];
}

/** A folder that was opened, or the folder of a file that was: as it was at the start. */
interface Root extends SaveRoot {
  readonly given: string;
  /** The name of the file; undefined for a folder. */
  readonly file: string | undefined;
}

/** The files of each role as they are now, and what could not be read. */
export interface Found {
  readonly texts: readonly (readonly [role: string, files: readonly FoundText[]])[];
  readonly faults: readonly Report[];
}

/** The files that the command was started with. Each look reads them from disk again. */
export class OpenedFiles {
  readonly #roots: readonly Root[];
  readonly #look: () => Found;
  /** A path keeps its name. */
  readonly #names = new Map<string, string>();
  readonly #paths = new Map<string, string>();
  readonly #digest = nativeDigest();

  constructor(given: readonly string[], look: () => Found) {
    this.#roots = given.map(rootOf);
    this.#look = look;
  }

  /** Identifies the opened paths, so that a browser keeps the changes of each on its own. */
  get key(): string {
    return this.#digest(JSON.stringify(this.#roots.map(({ folder, file }) => [folder, file]))).slice(0, 16);
  }

  snapshot(): Snapshot {
    const { texts, faults } = this.#look();
    const files = texts.flatMap(([role, found]) =>
      found.map(({ file, text }) => ({ name: this.#nameOf(file, role), role, text, digest: this.#digest(text) })),
    );
    const { taken, left } = fitting(files);
    return { files: taken, left: [...left, ...faults.map(({ message }) => ({ name: '', reason: message }))] };
  }

  /** Returns a text that changes when a file does. It reads no file. */
  stamp(): string {
    const paths = [...this.#paths.values(), ...this.#roots.map(({ folder }) => folder)];
    const stats = [...new Set(paths.flatMap((path) => [path, dirname(path)]))].map(statOf);
    return this.#digest(JSON.stringify(stats.map((stat) => stat && [stat.ino, stat.size, stat.mtimeMs])));
  }

  /** Writes a text over the file that has this digest. */
  save(name: string, text: string, digest: string): Saved {
    const path = this.#paths.get(name);
    const root = path === undefined ? undefined : this.#roots.find((one) => holds(one, path));
    if (path === undefined || root === undefined) return { state: 'refused', fault: `${name} was not opened` };
    const way = root.file === undefined ? relative(root.given, path).split(sep) : [root.file];
    return saveBelow(root, way, { text, replaces: digest }, this.#digest);
  }

  /** Names are relative paths: `..` is removed, and a duplicate gets a number. */
  #nameOf(path: string, role: string): string {
    const known = this.#names.get(`${role}\0${path}`);
    if (known !== undefined) return known;
    const wanted = slashed(path).replace(/^(?:\.{0,2}\/)+/, '');
    let name = wanted;
    for (let number = 2; this.#paths.has(name); number += 1) name = `${number}/${wanted}`;
    this.#names.set(`${role}\0${path}`, name);
    this.#paths.set(name, path);
    return name;
  }
}

/** @throws if the path does not exist */
function rootOf(given: string): Root {
  const real = realpathSync(given);
  const isFolder = statSync(real).isDirectory();
  const folder = isFolder ? real : dirname(real);
  return { given, folder, stat: statSync(folder), file: isFolder ? undefined : basename(real) };
}

const holds = ({ given, file }: Root, path: string): boolean =>
  file === undefined ? resolve(path).startsWith(resolve(given, `.${sep}`) + sep) : path === given;

/** Returns the page with the files in it; it may read them again, and send changes back only if they are writable. */
export function pageWith(page: Uint8Array, opened: OpenedFiles, write: boolean): Uint8Array {
  // Escapes the files so that they cannot end the element.
  const json = JSON.stringify({ key: opened.key, write, ...opened.snapshot() }).replaceAll('<', '\\u003c');
  const script = `<script type="application/json" id="opened">${json}</script>`;
  const html = Buffer.from(page).toString().replace("connect-src 'none'", "connect-src 'self'");
  return Buffer.from(html.replace('</body>', () => `${script}</body>`));
}
