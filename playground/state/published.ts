import { first } from 'virtual:examples';
import type { Place } from './place.ts';
import type { Contents } from './workspace.ts';

export const firstExample = (): Contents => ({ files: first, options: {} });

/**
 * Returns the package of a place as it was published; undefined if only the browser has it.
 * @throws Error with the problem, in a sentence for the user
 */
export async function publishedAt({ kind, id }: Place): Promise<Contents | undefined> {
  if (kind === 'link') return (await import('./share.ts')).decodeShared(id);
  if (kind === 'own' || kind === 'kept') return undefined;
  const files =
    kind === 'example'
      ? await exampleFiles(id)
      : (await import('../lessons/index.ts')).lessons.find((lesson) => lesson.id === id)?.files;
  if (files === undefined) throw new Error(`There is no ${kind} ${JSON.stringify(id.slice(0, 80))}.`);
  return { files, options: {} };
}

async function exampleFiles(name: string): Promise<Contents['files'] | undefined> {
  const { files } = await import('virtual:example-files');
  return Object.hasOwn(files, name) ? files[name] : undefined;
}
