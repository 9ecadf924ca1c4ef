import { examples } from 'virtual:examples';
import { readContents } from './read-contents.ts';
import { decodeShared } from './share.ts';
import { loadSession, type Session } from './storage.ts';
import type { Contents } from './workspace.ts';

export interface Start extends Session {
  /** A notice for the user, such as that a link could not be opened. */
  readonly notice?: string;
}

export const firstExample = (): Contents => ({ files: examples[0]?.files ?? [], options: {} });

export const exampleNamed = (name: string): Contents | undefined => {
  const found = examples.find((example) => example.name === name);
  return found && { files: found.files, options: {} };
};

/**
 * Returns the initial contents: a shared package, files of `render-rgd playground`, the last session, or the first
 * example.
 */
export async function startOf(hash: string): Promise<Start> {
  const session = loadSession();
  const fresh = { active: '', panel: session?.panel ?? '', lesson: '' };
  const [kind = '', value = ''] = hash.replace(/^#/, '').split('=');
  if (kind === 's') {
    try {
      return { ...fresh, contents: await decodeShared(value) };
    } catch (error) {
      return { ...(session ?? { ...fresh, contents: firstExample() }), notice: (error as Error).message };
    }
  }
  const example = kind === 'example' ? exampleNamed(decodeURIComponent(value)) : undefined;
  if (example !== undefined) return { ...fresh, contents: example };
  if (kind === 'lesson') return { ...fresh, contents: firstExample(), lesson: value };
  const opened = openedFiles();
  if (opened !== undefined) return { ...fresh, contents: opened };
  return session ?? { ...fresh, contents: firstExample() };
}

/** Reports whether `render-rgd playground --write` saves changes. */
export const savesFiles = (): boolean => /"write":true\}$/.test(document.getElementById('opened')?.textContent ?? '');

/** Returns the files that `render-rgd playground PATH` put into the page. */
function openedFiles(): Contents | undefined {
  const text = document.getElementById('opened')?.textContent;
  return text ? readContents(JSON.parse(text)) : undefined;
}
