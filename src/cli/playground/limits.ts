import { flag, integer } from '../../render/options/index.ts';

export const MOST_CHARACTERS = 5_000_000;
export const MOST_FILES = 500;

/** Returns why a file of the page cannot have this name, or undefined. */
export function nameFault(name: string, others: readonly string[] = []): string | undefined {
  if (name.trim() === '') return 'a file needs a name';
  if (name.length > 200) return 'a name has at most 200 characters';
  if (/[\p{Cc}\p{Cf}\p{Cs}\\]/u.test(name)) return 'a name has no control characters and no \\';
  if (name.startsWith('/') || name.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return 'a name is a path below the folder, such as apps/site.yaml';
  }
  return others.includes(name) ? `there is a file ${name}` : undefined;
}

/** Returns the files that the page takes, in order, and why it does not take the others. */
export function fitting<F extends { readonly name: string; readonly text: string }>(
  files: readonly F[],
): { taken: F[]; left: { name: string; reason: string }[] } {
  const taken: F[] = [];
  const left: { name: string; reason: string }[] = [];
  let size = 0;
  for (const file of files) {
    const { name, text } = file;
    const isLarge = size + text.length > MOST_CHARACTERS;
    const limit = `the page takes ${isLarge ? `${MOST_CHARACTERS / 1e6} MB` : `${MOST_FILES} files`}`;
    const reason = nameFault(name) ?? (isLarge || taken.length === MOST_FILES ? limit : undefined);
    if (reason !== undefined) left.push({ name, reason });
    else {
      taken.push(file);
      size += text.length;
    }
  }
  return { taken, left };
}

export const playgroundOptions = {
  port: integer('PORT', 'Serve on this port; 0 takes one that is free.', { default: 0, minimum: 0 }),
  write: flag('Write changes of the opened files back to disk.'),
};
