import type { Entry } from './list.ts';
import { git } from './run.ts';

/** Returns the contents of blobs, in order. */
export function readBlobs(entries: readonly Entry[]): { contents: Buffer[] } | { fault: string } {
  const contents = new Map<string, Buffer>();
  for (const repository of new Set(entries.map((entry) => entry.repository))) {
    const hashes = entries.filter((entry) => entry.repository === repository).map(({ hash }) => hash);
    const answer = git(repository, ['cat-file', '--batch'], `${hashes.join('\n')}\n`);
    if ('fault' in answer) return answer;
    const blobs = splitBlobs(answer.output, hashes.length);
    if (blobs === undefined) return { fault: `it does not have all of them in ${repository}` };
    for (const [index, hash] of hashes.entries()) contents.set(hash, blobs[index] as Buffer);
  }
  return { contents: entries.map(({ hash }) => contents.get(hash) as Buffer) };
}

/** `HASH blob SIZE\n`, the content and a newline, for each. */
function splitBlobs(output: Buffer, count: number): Buffer[] | undefined {
  const blobs: Buffer[] = [];
  let at = 0;
  while (blobs.length < count) {
    const end = output.indexOf('\n', at);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(output.subarray(at, end).toString())?.[1];
    if (end < 0 || size === undefined) return undefined;
    blobs.push(output.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return blobs;
}
