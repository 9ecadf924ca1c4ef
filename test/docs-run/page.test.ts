import { describe, expect, it } from 'vitest';
import { blocksOf, matches, stepsOf } from './page.ts';

const page = `
# A page

\`\`\`yaml
# apps/site.yaml
kind: Site
\`\`\`

Text between.

\`\`\`sh
render-rgd render apps
\`\`\`

\`\`\`yaml
kind: ConfigMap
\`\`\`

\`\`\`sh fails
false
\`\`\`

\`\`\`console
error
\`\`\`

\`\`\`sh
true
\`\`\`

It prints nothing, and this is only for show:

\`\`\`yaml
kind: Other
\`\`\`

\`\`\`sh norun
kubectl delete everything
\`\`\`
\`\`\`\`md
\`\`\`sh
not a block
\`\`\`
\`\`\`\`
`;

describe('a page of the docs', () => {
  it('contains files, commands and their output', () => {
    expect(stepsOf(page)).toEqual([
      { line: 4, do: 'write', file: 'apps/site.yaml', text: '# apps/site.yaml\nkind: Site\n' },
      {
        line: 11,
        do: 'run',
        script: 'render-rgd render apps\n',
        fails: false,
        expected: { text: 'kind: ConfigMap\n', form: 'output' },
      },
      { line: 19, do: 'run', script: 'false\n', fails: true, expected: { text: 'error\n', form: 'terminal' } },
      { line: 27, do: 'run', script: 'true\n', fails: false },
    ]);
  });

  it('may have hidden commands', () => {
    expect(stepsOf('text\n<!-- sh\ncp a b\n-->\n\n<!-- no -->\n')).toEqual([
      { line: 2, do: 'run', script: 'cp a b\n', fails: false },
    ]);
  });

  it('must close its blocks', () => {
    expect(() => blocksOf('text\n```sh\nls\n')).toThrow('line 2');
  });

  it.each([
    ['# Kptfile\nkind: Kptfile\n', 'Kptfile'],
    ['// set-namespace.mjs\nimport "node:fs";\n', 'set-namespace.mjs'],
    ['# Only queues with a schedule\nkind: X\n', undefined],
    ['# word\n', undefined],
    ['# ../outside.yaml\n', undefined],
    ['# /etc/passwd.txt\n', undefined],
  ])('maps %j to the file %s', (text, file) => {
    const [step] = stepsOf(`\`\`\`yaml\n${text}\`\`\`\n`);
    expect(step?.do === 'write' ? step.file : undefined).toBe(file);
  });
});

describe('expected output', () => {
  it.each([
    ['a\nb\n', 'a\nb\n', true],
    ['a\nb\n', 'a\nb', true],
    ['a\nb\n', 'a \nb\t', true],
    ['a\n', 'a\nb\n', false],
    ['a\n...\nc\n', 'a\nb\nb\nc\n', true],
    ['a\n...\nc\n', 'a\nc\n', true],
    ['...\nc\n', 'a\nb\n', false],
    ['a\n  ...\n', 'a\nb\n', true],
    ['a in ...\nb\n', 'a in 7ms\nb\n', true],
    ['a...\nb\n', 'ab\nb\n', false],
    ['a.c [x]\n', 'abc [x]\n', false],
    ['', 'a\n', false],
  ])('%j against %j: %s', (expected, text, answer) => {
    expect(matches(expected, text)).toBe(answer);
  });
});
