import { GitError, git, type Repository } from './run.ts';

export interface GitObject {
  type: string;
  content: Buffer;
}

const PARTIAL = 'a partial clone lacks files of other commits, and nothing is fetched here: clone without --filter';

/**
 * Returns objects by their hashes, in one call of git. Every object is compared with its hash, so that the hash of a
 * commit decides what is read, whatever the repository stores.
 * @throws {GitError} if one is missing or damaged
 */
export function readObjects(repository: Repository, hashes: Iterable<string>): ReadonlyMap<string, GitObject> {
  const wanted = [...new Set(hashes)];
  const objects = new Map<string, GitObject>();
  if (wanted.length === 0) return objects;
  const output = git(repository, ['cat-file', '--batch'], { input: `${wanted.join('\n')}\n`, hint: PARTIAL });
  let at = 0;
  for (const hash of wanted) {
    const end = output.indexOf('\n', at);
    const [, found, type = '', size] = /^([0-9a-f]+) ([a-z]+) (\d+)$/.exec(output.subarray(at, end).toString()) ?? [];
    if (end < 0 || found !== hash) throw new GitError(`${repository.root} lacks the object ${hash}`, PARTIAL);
    const content = output.subarray(end + 1, end + 1 + Number(size));
    if (hashOf(type, content, hash.length) !== hash) {
      throw new GitError(`the object ${hash} of ${repository.root} is damaged: its content has another hash`);
    }
    objects.set(hash, { type, content });
    at = end + 1 + Number(size) + 1;
  }
  return objects;
}

/** Returns the hash of an object as git computes it: SHA-1, or SHA-256 if it has 64 digits. */
export function hashOf(type: string, content: Buffer, digits: number): string {
  const { hash } = process.getBuiltinModule('node:crypto');
  return hash(digits === 40 ? 'sha1' : 'sha256', Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]));
}
