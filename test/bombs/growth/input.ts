/** The folders of a working copy that a call reads, and the input of the function. */
import type { Call } from './commands.ts';
import type { Files } from './dimensions.ts';

const FOLDERS = ['p', 'old/p', 'moved', 'live', 'roles', 'tests', '.'];
/** Commands that read the folder in which they run, though no argument names it. */
const READS_HERE = ['plugin'];
/** Golden tests read the package beside them. */
const WITH_PACKAGE = ['tests'];

/** Reports whether a call reads a file of a dimension. */
export function reads({ args, input }: Call, path: string): boolean {
  if (input !== undefined) return path.startsWith('p/');
  if (args.some((arg) => arg === '.') || READS_HERE.includes(args[0] ?? '')) return true;
  const folder = path.slice(0, path.indexOf('/'));
  const named = args.filter((arg) => FOLDERS.includes(arg));
  if (folder === 'p') return named.some((arg) => ['p', 'old/p', 'moved', ...WITH_PACKAGE].includes(arg));
  return named.includes(folder);
}

/** Returns the ResourceList whose items are the objects of a package. */
export function listOf(files: Files): string {
  const items: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    if (!path.startsWith('p/')) continue;
    for (const document of text.split('---\n')) {
      const lines = document.trimEnd().split('\n');
      if (lines[0]?.startsWith('apiVersion: ')) items.push(`- ${lines.join('\n  ')}\n`);
    }
  }
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.join('')}`;
}
