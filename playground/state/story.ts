import type { PackageFile } from '../engine/protocol.ts';

/** Where a file is shown: definitions above, the instances that use them below. */
export type Side = 'definition' | 'instance';

const DEFINITION = /^kind:\s*["']?(ResourceGraphDefinition|ResourceSet|CustomResourceDefinition)\b/m;
const DEFINED = /^\s+schema:[\s\S]*?\n\s+kind:\s*["']?(\w+)/gm;

/** Returns the side of a file. A file with a definition and instances is a definition. */
export const sideOf = ({ text, role }: PackageFile): Side =>
  role === 'definitions' || (role === 'objects' && DEFINITION.test(text)) ? 'definition' : 'instance';

/** Returns the kinds that a file defines. */
export const kindsIn = (text: string): string[] => [...text.matchAll(DEFINED)].map(([, kind = '']) => kind);

/** Returns the file of the other side that belongs to a file: its definition, or its first instance. */
export function counterpartOf(
  file: PackageFile | undefined,
  files: readonly PackageFile[],
  side: Side,
): PackageFile | undefined {
  const others = files.filter((one) => one !== file && sideOf(one) === side);
  const belongs = (one: PackageFile): boolean => {
    const [definition, instance] = side === 'definition' ? [one, file] : [file, one];
    return kindsIn(definition?.text ?? '').some((kind) =>
      new RegExp(`^kind:\\s*["']?${kind}\\b`, 'm').test(instance?.text ?? ''),
    );
  };
  return others.find(belongs) ?? others[0];
}

/** Returns one line about a file: what it defines or which kinds it has. */
export function aboutFile({ text, role }: PackageFile): string {
  const defined = kindsIn(text);
  if (defined.length > 0) return `defines ${listOf(defined)}`;
  if (role === 'observed') return 'objects of a cluster';
  const kinds = [...new Set([...text.matchAll(/^kind:\s*["']?(\w+)/gm)].map(([, kind = '']) => kind))];
  return kinds.length === 0 ? '' : listOf(kinds);
}

const listOf = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');
