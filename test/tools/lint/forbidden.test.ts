import { expect, it } from 'vitest';
import { faultsIn, RULES } from '../../../tools/lint/forbidden.mjs';

/** Sources that a rule rejects, and sources that it accepts. */
interface Sources {
  wrong: readonly string[];
  right: readonly string[];
}

const SOURCES: Readonly<Record<string, Sources>> = {
  catches: {
    wrong: ['try { a(); } catch { b(); }', 'try { a(); } catch {\n}'],
    right: ['try { a(); } catch (error) { b(error); }', 'try { a(); } finally { b(); }'],
  },
  fields: {
    wrong: ['class A { b = () => this.c; }', 'class A { #b = (c: number) => { return this.d + c; }; }'],
    right: ['class A { b = () => 1; c() { return this.b; } }'],
  },
  git: {
    wrong: ["run('git', ['status']);", 'run(`git -C ${a} log`);', "run('/bin/sh', ['-c', 'cd a && git ls-files']);"],
    right: ["say('git finds no commit');", "open('.git/HEAD');", '// git log -1'],
  },
  names: {
    wrong: [
      'trusted.definition(nameOf(object));',
      'trusted.error(`no ${titleOf(one)} here`);',
      'trusted.file(a + fullTitleOf(b));',
    ],
    right: ['nameText(object, true);', 'trusted.file(path);', 'trusted.file(titleText(one));'],
  },
  programs: {
    wrong: [
      "import { spawn } from 'node:child_process';",
      "const a = await import('child_process');",
      'require("node:child_process");',
    ],
    right: ["import { join } from 'node:path';"],
  },
  spreads: {
    wrong: [
      'list.push(...more);',
      'Math.max(...sizes);',
      'f.apply(undefined, list);',
      'new Set(...lists);',
      'f(...(g() as never[]));',
    ],
    right: [
      'const f = (...all: string[]) => g(...all);',
      'const all = [...list];',
      'list.push(one);',
      'const map = { ...other };',
    ],
  },
  texts: {
    wrong: ['const a = name as Text;', 'show(`${name}` as Text);'],
    right: ['const a = name as string;', 'const a: Text = composeText`b`;', 'const a = name as TextValue;'],
  },
  writes: {
    wrong: [
      "import { writeFileSync } from 'node:fs';",
      "import { readFileSync, rmSync } from 'fs';",
      "import { rename } from 'node:fs/promises';",
      "import * as fs from 'node:fs';",
      "import fs from 'node:fs';",
      "import { rmSync as remove } from 'node:fs';",
      "export { writeFileSync } from 'node:fs';",
      "export * from 'node:fs';",
      "const fs = require('node:fs');",
      "const fs = process.getBuiltinModule('fs');",
      "const fs = await import('node:fs/promises');",
    ],
    right: ["import { readFileSync, type Stats } from 'node:fs';", "import { write } from '../write/index.ts';"],
  },
};

it('is tested with a violation of each rule', () => {
  expect(Object.keys(SOURCES)).toEqual(Object.keys(RULES));
});

it.each(Object.entries(SOURCES))('rejects what breaks the rule %s, and nothing else', (rule, { wrong, right }) => {
  for (const source of wrong) expect(faultsIn('src/a.ts', source, [rule]), source).toEqual([{ line: 1, rule }]);
  for (const source of right) expect(faultsIn('src/a.ts', source, [rule]), source).toEqual([]);
});

it('exempts a place that says why', () => {
  expect(faultsIn('src/a.ts', '// allowed: a tuple\nlist.push(...more);\nlist.push(...others);')).toEqual([
    { line: 3, rule: 'spreads' },
  ]);
  expect(faultsIn('src/a.ts', '// allowed:\nlist.push(...more);')).toEqual([{ line: 2, rule: 'spreads' }]);
});

it.each([
  ['src/kro/a.ts', true],
  ['src/cli/writer.ts', true],
  ['src/cli/write/a.ts', false],
  ['test/a.ts', false],
])('rejects a write in %s: %s', (path, isRejected) => {
  const faults = faultsIn(path, "import { rmSync } from 'node:fs';");
  expect(faults).toEqual(isRejected ? [{ line: 1, rule: 'writes' }] : []);
});
