import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ours } from './compare.ts';
import { documented } from './documented.ts';

const page = readFileSync(new URL('../../docs/differences.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');

// `npm run differential` compares the same packages with kro.
describe.each(documented)('$documented', ({ documented: line, sample, code }) => {
  it('is listed in docs/differences.md', () => expect(page).toContain(line));

  it('is the behaviour of this project', () => expect(ours(sample).code).toBe(code));
});
