import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { removeFolders, temporaryFolder } from '../../temporary.ts';

/** Sources that a plugin of Biome rejects, and sources that it accepts. */
interface Sources {
  wrong: readonly string[];
  right: readonly string[];
}

const PLUGINS: Readonly<Record<string, Sources>> = {
  'catches.grit': {
    wrong: ['try { a(); } catch { b(); }'],
    right: ['try { a(); } catch (error) { b(error); }', 'try { a(); } finally { b(); }'],
  },
  'fields.grit': {
    wrong: ['class A { b = () => this.c; }', 'class A { #b = (c: number) => { return this.d + c; }; }'],
    right: ['class A { b = () => 1; c() { return this.b; } }'],
  },
  'git.grit': {
    wrong: ["run('git', ['status']);", 'run(`git -C ${a} log`);', "run('/bin/sh', ['-c', 'cd a && git ls-files']);"],
    right: ["say('git finds no commit');", "open('.git/HEAD');"],
  },
  'names.grit': {
    wrong: [
      'trusted.definition(nameOf(object));',
      'trusted.error(`no ${titleOf(one)} here`);',
      'trusted.file(a + fullTitleOf(b));',
    ],
    right: ['nameText(object, true);', 'trusted.file(path);'],
  },
  'programs.grit': {
    wrong: [
      "import { spawn } from 'node:child_process';",
      "const a = await import('child_process');",
      'require("node:child_process");',
    ],
    right: ["import { join } from 'node:path';"],
  },
  'spreads.grit': {
    wrong: ['list.push(...more);', 'Math.max(...sizes);', 'f.apply(undefined, list);', 'new Set(...lists);'],
    right: ['const all = [...list];', 'list.push(one);', 'const map = { ...other };'],
  },
  'texts.grit': {
    wrong: ['const a = name as Text;', 'show(`${name}` as Text);'],
    right: ['const a = name as string;', 'const a: Text = composeText`b`;'],
  },
  'writes.grit': {
    wrong: [
      "import { writeFileSync } from 'node:fs';",
      "import { readFileSync, rmSync } from 'fs';",
      "import { rename } from 'node:fs/promises';",
      "import * as fs from 'node:fs';",
      "import fs from 'node:fs';",
      "const fs = require('node:fs');",
      "const fs = process.getBuiltinModule('fs');",
      "const fs = await import('node:fs/promises');",
    ],
    right: ["import { readFileSync, type Stats } from 'node:fs';", "import { write } from '../write/index.ts';"],
  },
};

afterAll(removeFolders);

/** Returns the names of the files that Biome reports with one plugin. */
function reportedIn(folder: string, plugin: string): string[] {
  const config = { root: true, plugins: [resolve('tools/lint', plugin)], linter: { rules: { recommended: false } } };
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(config));
  const { stdout, stderr } = spawnSync(resolve('node_modules/.bin/biome'), ['lint', '--reporter=json', '.'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stderr).not.toContain('configuration');
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: unknown } }[] };
  const paths = diagnostics.map(({ location }) => JSON.stringify(location.path));
  return readdirSync(folder).filter((name) => name.endsWith('.ts') && paths.some((path) => path.includes(name)));
}

it('is tested with a violation for each plugin', () => {
  const plugins = readdirSync('tools/lint').filter((name) => name.endsWith('.grit'));
  expect(Object.keys(PLUGINS)).toEqual(plugins.sort());
});

it.each(Object.entries(PLUGINS))('rejects what it finds, and nothing else: %s', (plugin, { wrong, right }) => {
  const folder = temporaryFolder('lint');
  for (const [index, source] of wrong.entries()) writeFileSync(join(folder, `wrong-${index}.ts`), `${source}\n`);
  for (const [index, source] of right.entries()) writeFileSync(join(folder, `right-${index}.ts`), `${source}\n`);
  expect(reportedIn(folder, plugin)).toEqual(wrong.map((_, index) => `wrong-${index}.ts`));
});
