import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { diagnosticsPage } from '../src/pages/diagnostics.ts';
import { optionsPage } from '../src/pages/options.ts';

const page = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');

describe('generated pages (npm run docs writes them)', () => {
  it('options.md is up to date', () => expect(page('options.md')).toBe(optionsPage()));
  it('diagnostics.md is up to date', () => expect(page('diagnostics.md')).toBe(diagnosticsPage()));
});
