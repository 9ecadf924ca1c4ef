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
  const published = kind === 'example' ? await exampleContents(id) : await lessonContents(id);
  if (published === undefined) throw new Error(`There is no ${kind} ${JSON.stringify(id.slice(0, 80))}.`);
  return published;
}

async function lessonContents(wanted: string): Promise<Contents | undefined> {
  const { lessons } = await import('../lessons/index.ts');
  const lesson = lessons.find(({ id }) => id === wanted);
  return lesson && { files: lesson.files, options: lesson.options ?? {} };
}

async function exampleContents(name: string): Promise<Contents | undefined> {
  const { contents } = await import('virtual:example-files');
  return Object.hasOwn(contents, name) ? contents[name] : undefined;
}
