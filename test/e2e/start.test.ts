import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundle, isNative } from './sandbox.ts';

/** A function of the command as V8 reports it: the first range is all of it. */
interface Covered {
  ranges: { startOffset: number; endOffset: number; count: number }[];
}

const folder = mkdtempSync(join(tmpdir(), 'render-rgd-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The functions of the command that V8 went over for a plain rendering, called or not. */
function functionsOf(): Covered[] {
  const input = join(bundle, '../../examples/collections/input');
  execFileSync(process.execPath, [bundle, 'render', input], { env: { ...process.env, NODE_V8_COVERAGE: folder } });
  return readdirSync(folder)
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).result)
    .filter(({ url }) => url.endsWith('/render-rgd.js'))
    .flatMap(({ functions }) => functions);
}

/** The room of src that a position of the command comes from. */
function roomFinder(): (offset: number) => string | undefined {
  const text = readFileSync(bundle, 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  return (offset) => {
    const before = text.slice(0, offset);
    const entry = map.findEntry(before.split('\n').length - 1, offset - before.lastIndexOf('\n') - 1);
    const source = 'originalSource' in entry ? entry.originalSource : '';
    return /^\.\.\/src\/((?:(?:rgd|cel)\/)?[^/]+)\//.exec(source)?.[1];
  };
}

/** V8 goes over all code that is no part, called or not, before any of it runs (tools/parts.mjs). */
describe.skipIf(isNative)('a plain rendering', () => {
  it('calls functions of each large room that V8 goes over', () => {
    const roomOf = roomFinder();
    const rooms = new Map<string, { functions: number; called: number }>();
    for (const { ranges } of functionsOf()) {
      const [range] = ranges;
      const name = range && roomOf(range.startOffset);
      if (range === undefined || name === undefined) continue;
      const { functions, called } = rooms.get(name) ?? { functions: 0, called: 0 };
      rooms.set(name, { functions: functions + 1, called: called + Math.sign(range.count) });
    }
    const large = [...rooms].filter(([, { functions }]) => functions > 100);
    expect(large.map(([name]) => name)).toContain('rgd/compile');
    expect(large.filter(([, { functions, called }]) => called < functions / 15)).toEqual([]);
  });
});
