import { describe, expect, it } from 'vitest';
import { type ReportInput, writeReport } from '../../../src/check/reports/index.ts';
import type { Diagnostic } from '../../../src/core/diagnostics/index.ts';

const error: Diagnostic = {
  severity: 'error',
  code: 'instance-type',
  stage: 'instance',
  object: 'Site/blog',
  field: 'spec.size',
  file: 'a b/50%.yaml',
  line: 3,
  column: 9,
  message: 'must be "integer",\nnot <string> & co\u0007',
  hint: 'write: 3, no more',
};
const warning: Diagnostic = {
  severity: 'warning',
  code: 'no-instances',
  stage: 'instance',
  message: 'nothing is rendered',
};
const info: Diagnostic = {
  ...error,
  severity: 'info',
  code: 'node-skipped',
  stage: 'expand',
  node: 'web',
  message: 'omitted',
};

const input = (diagnostics: readonly Diagnostic[], more: Partial<ReportInput> = {}): ReportInput => ({
  command: 'validate',
  version: '1.2.3',
  diagnostics,
  files: [{ file: 'a b/50%.yaml', objects: ['Site/blog', 'Site/other'] }],
  sources: new Map([['a b/50%.yaml', 'spec:\n  a: 1\n  size: x\n']]),
  colors: false,
  ...more,
});

describe('the text format', () => {
  it('prints every line and a summary', () => {
    expect(writeReport('text', input([error, warning]))).toBe(`error[instance-type] Site/blog: must be "integer",
    not <string> & co\\u0007
  --> a b/50%.yaml:3:9 spec.size
      size: x
            ^
  hint: write: 3, no more
warning[no-instances]: nothing is rendered
2 objects in 1 file: 1 error and 1 warning
`);
    expect(writeReport('text', input([]))).toBe('2 objects in 1 file: nothing wrong\n');
  });

  it('is coloured on request, and escapes control characters of the input', () => {
    const text = writeReport('text', input([{ ...error, file: '\u001b[2Jx' }], { colors: true }));
    expect(text.split('\n')[0]).toBe('\u001b[1;31merror[instance-type]\u001b[0m Site/blog: must be "integer",');
    expect(text.split('\n')[2]).toBe('  --> \u001b[1m\\u001b[2Jx:3:9\u001b[0m spec.size');
  });
});

describe('the json format', () => {
  it('equals the output of --diagnostics json', () => {
    expect(JSON.parse(writeReport('json', input([warning])))).toEqual([warning]);
    expect(writeReport('json', input([]))).toBe('[]\n');
  });
});

describe('the github format', () => {
  it('writes escaped workflow commands, errors first', () => {
    expect(writeReport('github', input([info, warning, error]))).toBe(
      '::error file=a b/50%25.yaml,line=3,col=9,title=render-rgd instance-type::Site/blog spec.size: must be "integer",%0Anot <string> & co\\u0007%0Ahint: write: 3, no more\n' +
        '::warning title=render-rgd no-instances::nothing is rendered\n' +
        '::notice file=a b/50%25.yaml,line=3,col=9,title=render-rgd node-skipped::Site/blog node web spec.size: omitted%0Ahint: write: 3, no more\n',
    );
    expect(writeReport('github', input([{ ...warning, file: 'a,b:c.yaml', line: 1 }]))).toContain(
      'file=a%2Cb%3Ac.yaml,',
    );
    expect(writeReport('github', input([]))).toBe('');
  });
});

describe('the junit format', () => {
  it('has a suite for each file and a case for each object', () => {
    expect(writeReport('junit', input([error, info, warning]))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="render-rgd validate" tests="3" failures="1" errors="0">
  <testsuite name="a b/50%.yaml" tests="2" failures="1" errors="0" skipped="0">
    <testcase classname="a b/50%.yaml" name="Site/blog" file="a b/50%.yaml" line="3">
      <failure type="instance-type" message="must be &quot;integer&quot;, not &lt;string&gt; &amp; co\\u0007">error[instance-type] Site/blog: must be "integer",
    not &lt;string&gt; &amp; co\\u0007
  --&gt; a b/50%.yaml:3:9 spec.size
  hint: write: 3, no more
</failure>
      <system-out>info[node-skipped] Site/blog node web: omitted
  --&gt; a b/50%.yaml:3:9 spec.size
  hint: write: 3, no more
</system-out>
    </testcase>
    <testcase classname="a b/50%.yaml" name="Site/other" file="a b/50%.yaml"/>
  </testsuite>
  <testsuite name="input" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="input" name="input" file="input">
      <system-out>warning[no-instances]: nothing is rendered
</system-out>
    </testcase>
  </testsuite>
</testsuites>
`);
  });
});

describe('the sarif format', () => {
  const run = (diagnostics: readonly Diagnostic[]) => JSON.parse(writeReport('sarif', input(diagnostics))).runs[0];

  it('has a rule for each code, and a location for each result', () => {
    const { tool, results, invocations } = run([error, info, warning]);
    expect(tool.driver).toMatchObject({ name: 'render-rgd', version: '1.2.3' });
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      'instance-type',
      'no-instances',
      'node-skipped',
    ]);
    for (const rule of tool.driver.rules) expect(rule.help.text).toContain('What to do: ');
    expect(results).toMatchObject([
      { ruleId: 'instance-type', ruleIndex: 0, level: 'error' },
      { ruleId: 'node-skipped', ruleIndex: 2, level: 'note' },
    ]);
    expect(results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'a%20b/50%25.yaml', uriBaseId: '%SRCROOT%' },
      region: { startLine: 3, startColumn: 9 },
    });
    expect(invocations[0].toolExecutionNotifications).toEqual([
      { level: 'warning', message: { text: 'nothing is rendered' }, descriptor: { id: 'no-instances' } },
    ]);
  });

  it('has fingerprints that survive moved lines and distinguish equal findings', () => {
    const prints = (diagnostics: readonly Diagnostic[]): string[] =>
      run(diagnostics).results.map(
        (one: { partialFingerprints: Record<string, string> }) => one.partialFingerprints['renderRgd/v1'],
      );
    const [first, second] = prints([error, error]);
    expect(second).not.toBe(first);
    expect(prints([{ ...error, line: 30 }])).toEqual([first]);
    expect(prints([{ ...error, message: 'other' }])).not.toEqual([first]);
  });

  it.each([
    ['/tmp/a.yaml', { uri: 'file:///tmp/a.yaml' }],
    ['./a.yaml', { uri: 'a.yaml', uriBaseId: '%SRCROOT%' }],
    ['-', { uri: 'stdin', uriBaseId: '%SRCROOT%' }],
    ['apps\\a.yaml', { uri: 'apps/a.yaml', uriBaseId: '%SRCROOT%' }],
  ])('writes the path %s as a URI', (file, location) => {
    expect(run([{ ...error, file }]).results[0].locations[0].physicalLocation.artifactLocation).toEqual(location);
  });
});

describe('the text report of lints', () => {
  const lint = (line: number, code: 'lint-null-value' | 'lint-unread-field', file = 'a.yaml'): Diagnostic => ({
    severity: 'warning',
    code,
    stage: 'lint',
    file,
    line,
    message: `at ${line}`,
  });
  const all = [lint(1, 'lint-null-value'), lint(2, 'lint-unread-field'), lint(3, 'lint-null-value')];
  const files = [{ file: 'a.yaml', objects: ['Site/blog'] }];

  it('folds lints of one code in a file into one line with the count', () => {
    expect(writeReport('text', input(all, { files }))).toBe(
      'warning[lint-null-value]: at 1 (and 1 more in this file, line 3)\n  --> a.yaml:1\n' +
        'warning[lint-unread-field]: at 2\n  --> a.yaml:2\n1 object in 1 file: 3 warnings\n',
    );
  });

  it('keeps lints of two files, all of them with --verbose, and every error', () => {
    const two = [lint(1, 'lint-null-value'), lint(1, 'lint-null-value', 'b.yaml')];
    expect(writeReport('text', input(two, { files })).split('\n')).toHaveLength(6);
    expect(writeReport('text', input(all, { files, verbose: true })).split('\n')).toHaveLength(8);
    expect(writeReport('text', input([error, error], { files })).match(/error\[/g)).toHaveLength(2);
  });

  it('shows at most five of the folded lines', () => {
    const many = Array.from({ length: 9 }, (_, index) => lint(index + 1, 'lint-null-value'));
    expect(writeReport('text', input(many, { files }))).toContain(
      '(and 8 more in this file, lines 2, 3, 4, 5, 6, ...)',
    );
  });
});
