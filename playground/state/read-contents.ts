import type { PackageFile, PackageOptions, Role } from '../engine/protocol.ts';
import { type Contents, contentsFault } from './workspace.ts';

const ROLES: readonly Role[] = ['objects', 'definitions', 'observed', 'inputs'];
const ON_PENDING = ['fail', 'skip', 'passthrough', 'placeholder'] as const;

/** Validates contents from outside. @throws Error with the problem */
export function readContents(value: unknown): Contents {
  const { files, options } = membersOf(value);
  if (!Array.isArray(files)) throw new Error('it holds no files');
  const contents = { files: files.map(readFile), options: readOptions(options) };
  const fault = contentsFault(contents);
  if (fault !== undefined) throw new Error(fault);
  return contents;
}

/** @throws Error with the problem */
export function readFile(value: unknown): PackageFile {
  const { name, text, role = 'objects' } = membersOf(value);
  if (typeof name !== 'string' || typeof text !== 'string') throw new Error('a file has a name and a text');
  if (!ROLES.includes(role as Role)) throw new Error('a file has a role that is not known');
  return { name, text, role: role as Role };
}

export function readOptions(value: unknown = {}): PackageOptions {
  const { namespace, onPending, strict, assumeEmptyStatus, kro, experimental } = membersOf(value);
  const known = ON_PENDING.find((one) => one === onPending);
  return {
    ...(typeof namespace === 'string' ? { namespace } : {}),
    ...(known === undefined ? {} : { onPending: known }),
    ...(strict === true ? { strict } : {}),
    ...(assumeEmptyStatus === true ? { assumeEmptyStatus } : {}),
    ...(kro === '0.10' ? { kro } : {}),
    ...(Array.isArray(experimental) && experimental.includes('graph') ? { experimental: ['graph'] } : {}),
  };
}

/** @throws Error if the value is no object */
export function membersOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('it is no object');
  return value as Record<string, unknown>;
}
