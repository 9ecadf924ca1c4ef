import { describe, expect, it } from 'vitest';
import * as library from '../../src/api/tools/index.ts';
import { invoke } from '../cli/invoke.ts';
import { command, folder } from './tools-files.ts';

const { compat, diff, explain, formatCoverage, formatDiff, formatExplanation, formatGraph, graph, jsonSchema } =
  library;
const { project, reference, runTests, sample } = library;

const RGD = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: note }
spec:
  schema:
    apiVersion: v1alpha1
    kind: Note
    spec: { text: string, size: integer | default=9007199254740993, loud: boolean | default=false }
  resources:
    - id: paper
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: "\${schema.metadata.name}" }
        data: { text: "\${schema.spec.text}", size: "\${string(schema.spec.size)}" }
    - id: secret
      includeWhen: ["\${schema.spec.loud}"]
      template:
        apiVersion: v1
        kind: Secret
        metadata: { name: "\${paper.metadata.name}" }
        stringData: { text: "\${schema.spec.text}" }
`;
const text = (file: string, content: string): library.TextSource => ({ file, text: content });
const note = (spec: object, name = 'a') => ({
  apiVersion: 'kro.run/v1alpha1',
  kind: 'Note',
  metadata: { name, namespace: 'desk' },
  spec,
});
const rgd = text('rgd.yaml', RGD);
const input = (spec: object, name?: string): library.RenderInput => ({ objects: [rgd, note(spec, name)] });
const codesOf = (result: { diagnostics: readonly library.Diagnostic[] }): string[] =>
  result.diagnostics.map(({ code }) => code);
const broken: library.RenderInput = { objects: [text('broken.yaml', 'a: [')] };
const nothing: library.RenderInput = { objects: [] };

describe('every function of the tools', () => {
  const verbs: Record<
    string,
    (one: library.RenderInput, options?: object) => { diagnostics: readonly library.Diagnostic[] }
  > = {
    diff: (one, options) => diff({ before: one, after: one }, options),
    compat: (one, options) => compat({ before: one, after: one }, options),
    graph,
    explain: (one, options) => explain(one, { object: 'Note/a' }, options),
    sample: (one, options) => sample(one, 'Note', options),
    jsonSchema: (one, options) => jsonSchema(one, 'Note', options),
    reference,
    runTests: (one, options) => runTests([{ name: 'one', input: one, options: options ?? {} }]).results[0] as never,
  };
  const each = Object.entries(verbs);

  it.each(each)('%s reports a text with an error', (_, verb) => expect(codesOf(verb(broken))).toContain('yaml-syntax'));
  it.each(each)('%s reports an unknown option', (_, verb) =>
    expect(codesOf(verb(nothing, { order: 'helm' }))).toEqual(['library-option']),
  );
  it.each(each)('%s throws for an invalid input', (_, verb) => {
    expect(() => verb({ objects: 'text' } as never)).toThrow(/objects must be a list of texts and objects/);
    expect(() => verb(undefined as never)).toThrow(TypeError);
  });
  it.each(each)('%s throws for objects that JSON cannot represent, with the path', (_, verb) => {
    const itself: Record<string, library.JsonValue> = {};
    itself.again = itself;
    let deep: library.JsonValue = {};
    for (let level = 0; level < 50_000; level += 1) deep = { a: deep };
    for (const name of ['objects', 'definitions', 'observed']) {
      const given = (spec: library.JsonValue) =>
        ({ objects: [], [name]: [note(spec as object)] }) as library.RenderInput;
      expect(() => verb(given(itself))).toThrow(new RegExp(`part of itself, at .*${name}\\[0\\]\\.spec\\.again`));
      expect(() => verb(given(deep))).toThrow(new RegExp(`more than 1000 deep, at .*${name}\\[0\\]\\.spec\\.a`));
    }
    expect(() => verb({ objects: [], openapi: itself })).toThrow(/part of itself, at .*openapi\.again/);
    expect(() => verb({ objects: [], openapi: deep })).toThrow(/more than 1000 deep, at .*openapi\.a/);
  });
  it.each(each)('%s does not change its input, and returns the same again', (_, verb) => {
    const one = input({ text: 'x' });
    const copy = structuredClone(one);
    expect(verb(one)).toEqual(verb(one));
    expect(one).toEqual(copy);
  });
  it.each(each)('%s returns plain values', (_, verb) => {
    const answer = verb(input({ text: 'x' }));
    expect(structuredClone(answer)).toEqual(answer);
  });
  it.each(['graph', 'explain', 'sample', 'jsonSchema', 'reference'])('%s finds nothing in an empty input', (name) =>
    expect(codesOf((verbs[name] as (typeof verbs)[string])(nothing))).toEqual(['not-found']),
  );
});

describe('diff', () => {
  const changed = diff({ before: input({ text: 'x', loud: true }), after: input({ text: 'y', loud: true }) });

  it('reports every object that differs', () => {
    expect(changed.counts).toEqual({ added: 0, removed: 0, changed: 2, replaced: 0, unchanged: 0 });
    expect(changed.changes[0]).toMatchObject({
      change: 'changed',
      before: { kind: 'ConfigMap', name: 'a', namespace: 'desk', instance: 'Note/a', node: 'paper' },
      fields: [{ path: 'data.text', before: 'x', after: 'y' }],
    });
  });

  it('shows no value of a Secret', () => {
    expect(changed.changes[1]?.fields).toEqual([
      { path: 'stringData.text', before: '(hidden, before)', after: '(hidden, after)' },
    ]);
  });

  it.each(['text', 'markdown'] as const)('is written as %s as the command writes it', async (format) => {
    const versions = ['x', 'y'].map((value) => input({ text: value, loud: true }));
    const [before = nothing, after = nothing] = versions;

    const paths = [folder(before), folder(after)];
    const shown = await command(['diff', ...paths, '-o', format]);
    expect(formatDiff(diff({ before, after }), format)).toBe(shown);
    expect(shown).toContain('ConfigMap desk/a');
  });

  it('returns no changes without objects, and reports errors', () => {
    expect(diff({ before: nothing, after: nothing }).changes).toEqual([]);
    expect(diff({ before: input({ text: 'x' }), after: input({ text: 7 }) })).toMatchObject({
      changes: [],
      counts: { removed: 0 },
    });
  });

  it('names the version and the path of an invalid object', () => {
    expect(() => diff({ before: nothing, after: { objects: [7 as never] } })).toThrow('after.objects[0]');
    expect(() => formatDiff(changed, 'html' as never)).toThrow(TypeError);
  });
});

describe('compat', () => {
  const after = { objects: [text('rgd.yaml', RGD.replace('default=9007199254740993', 'default=9 minimum=5'))] };
  it('names what a change breaks', () => {
    const { compatible, diagnostics } = compat({
      before: { objects: [rgd] },
      after,
      instances: [note({ text: 'x', size: 3 })],
    });
    expect(compatible).toBe(false);
    const [breaking] = diagnostics.filter(({ severity }) => severity === 'error');
    expect(breaking).toMatchObject({ code: 'breaking-change', file: 'rgd.yaml', line: 8 });
    expect(breaking?.message).toContain('Note/a');
  });
  it('accepts changes of severity info', () => {
    const wider = { objects: [text('rgd.yaml', RGD.replace('text: string', 'text: string, more: string'))] };
    const result = compat({ before: { objects: [rgd] }, after: wider });
    expect([result.compatible, codesOf(result)]).toEqual([true, ['compatible-change']]);
  });
  it('accepts a boolean for conservative', () =>
    expect(() => compat({ before: nothing, after: nothing }, { conservative: 'yes' as never })).toThrow(TypeError));
});

describe('exceptions', () => {
  const narrower = RGD.replace(', loud: boolean | default=false', '').replace('${schema.spec.loud}', '${false}');
  const versions = {
    before: { objects: [{ file: 'a', text: RGD }] },
    after: { objects: [{ file: 'a', text: narrower }] },
  };

  it('of compat are warnings with their reason, as with --allow', () => {
    expect(compat(versions).compatible).toBe(false);
    const { compatible, diagnostics } = compat(versions, {
      allow: [{ change: 'property-removed', field: 'spec.loud', reason: 'nobody was loud' }],
    });
    expect(compatible).toBe(true);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'breaking-change',
        severity: 'warning',
        message: expect.stringContaining('nobody'),
      }),
    );
    expect(compat(versions, { allow: [{ change: '*', field: 'spec.text', reason: 'x' }] }).compatible).toBe(false);
  });

  it.each([
    [[{ change: 'type-changed', reason: ' ' }]],
    [[{ change: 'type-chnged', reason: 'x' }]],
    [[{ reason: 'x' }]],
    ['property-removed=x'],
  ])('of compat need a change and a reason: %j', (allow) =>
    expect(() => compat(versions, { allow: allow as never })).toThrow(TypeError),
  );

  it('of diff name kinds that hold data, as with --holds-data', () => {
    const thing = { apiVersion: 'db.example.com/v1', kind: 'Store', metadata: { name: 'a' } };
    const removal = { before: { objects: [thing] }, after: { objects: [] } };
    expect(diff(removal, { all: true }).warnings).toEqual([]);
    expect(diff(removal, { all: true, holdsData: ['Store.*.example.com'] }).warnings).toHaveLength(1);
    expect(() => diff(removal, { holdsData: ['Store'] })).toThrow(/holdsData: Store is not Kind\.group/);
  });
});

describe('graph', () => {
  it('returns pictures, and draws them in three formats', () => {
    const { pictures } = graph({ objects: [rgd] });
    expect(pictures).toMatchObject([{ name: 'note', nodes: [{ id: 'paper' }, { id: 'secret' }], edges: [[0, 1]] }]);
    expect(formatGraph(pictures)).toContain('flowchart');
    expect(formatGraph(pictures, 'dot')).toContain('digraph');
    expect(formatGraph(pictures, 'svg')).toContain('<svg');
    expect(() => formatGraph(pictures, 'png' as never)).toThrow(TypeError);
  });
  it('reports the state of the nodes of an instance', () => {
    const { pictures } = graph(input({ text: 'x' }), { instance: 'Note/a' });
    expect(pictures[0]?.nodes.map(({ outcome: fate }) => fate)).toEqual(['included', 'skipped']);
  });
  it('reports what does not exist', () => {
    expect(graph({ objects: [rgd] }, { rgds: ['paper'] }).diagnostics).toMatchObject([
      { code: 'not-found', message: 'there is no RGD paper; there is note' },
    ]);
    expect(codesOf(graph(input({ text: 'x' }), { instance: 'Note/b' }))).toContain('not-found');
    expect(() => graph(nothing, { rgds: ['a'], instance: 'A/b' })).toThrow(TypeError);
    expect(() => graph(nothing, { rgds: 'a' as never })).toThrow(TypeError);
  });
});

describe('explain', () => {
  const one = input({ text: 'x' });
  it('explains an instance, a node and a field', () => {
    const told = [{}, { node: 'secret' }].map((more) => explain(one, { object: 'Note/a', ...more }).explanation);
    expect(told).toMatchObject([
      { about: 'instance', details: { rgd: 'note', nodes: [{ id: 'paper' }, { id: 'secret', verdict: 'skipped' }] } },
      { about: 'node', details: { id: 'secret', verdict: 'skipped', reads: [{ id: 'paper' }] } },
    ]);
    const field = explain(one, { object: 'ConfigMap/a', field: '.data.size' });
    expect(field).toMatchObject({
      explanation: { about: 'field', details: { value: '9007199254740993', origin: { from: 'expression' } } },
      diagnostics: [],
    });
  });
  it('is written as the command writes it', async () => {
    const path = folder(one);
    for (const [question, words] of [
      [{ object: 'Note/a' }, ['Note/a']],
      [{ object: 'Note/a', node: 'secret' }, ['Note/a', 'secret']],
      [{ object: 'ConfigMap/a', field: '.data.size' }, ['ConfigMap/a', '.data.size']],
    ] as const) {
      const { explanation } = explain(one, question);
      const shown = await command(['explain', ...words, path]);
      expect(
        shown
          .replaceAll(`${path}/`, '')
          .replaceAll('0.yaml', 'rgd.yaml')
          .replace(/ {2}1\.yaml\S+/g, ''),
      ).toBe(formatExplanation(explanation as library.Explanation));
    }
  });
  it('reports what does not exist', () => {
    expect(explain(one, { object: 'Note/b' })).toMatchObject({ diagnostics: [{ code: 'not-found' }] });
    expect(explain(one, { object: 'Note/a', node: 'pape' }).diagnostics[0]?.message).toContain("did you mean 'paper'?");
    expect(codesOf(explain(one, { object: 'ConfigMap/a', field: '.spec' }))).toEqual(['not-found']);
  });
  it.each([[{ object: 'a' }], [{ object: 'A/b', field: 'spec' }], [{ object: 'A/b', node: 'a', field: '.a' }], [{}]])(
    'throws for the question %j',
    (question) => expect(() => explain(one, question as never)).toThrow(TypeError),
  );
});

describe('the output for an RGD', () => {
  it('contains a sample', () => {
    const { text: yaml, object, faults, diagnostics } = sample({ objects: [rgd] }, 'Note');
    expect(yaml).toContain('kind: Note');
    expect([object?.kind, faults, diagnostics]).toEqual(['Note', [], []]);
  });
  it('contains a JSON Schema, with every digit', () => {
    const { schema } = jsonSchema({ objects: [rgd] }, 'Note.kro.run');
    expect(schema).toMatchObject({
      title: 'Note',
      properties: { spec: { properties: { size: { default: 2n ** 53n + 1n } } } },
    });
    expect(library.rgdJsonSchema()).toMatchObject({ $schema: expect.stringContaining('2020-12') });
    expect(library.configJsonSchema()).toMatchObject({ $schema: expect.stringContaining('2020-12') });
  });
  it('contains a reference page', () =>
    expect(reference({ objects: [], definitions: [rgd] }).markdown).toContain('# Note'));
  it('lists what an RGD defines', () =>
    expect(sample({ objects: [rgd] }, 'Notes').diagnostics[0]?.message).toContain("did you mean 'Note'?"));
});

describe('runTests', () => {
  const expected = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace: 'desk' }, data: {} }];
  it('passes objects that render as expected, and reports differences', () => {
    const rendered = runTests([{ name: 'first', input: input({ text: 'x' }) }]).results[0]?.objects ?? [];
    const { passed, results } = runTests([
      { name: 'right', input: input({ text: 'x' }), objects: rendered },
      { name: 'wrong', input: input({ text: 'x' }), objects: expected },
      { name: 'refused', input: input({ text: 7 }), diagnostics: [{ code: 'instance-type' }] },
      { name: 'not told', input: input({ text: 'x' }), diagnostics: [{ code: 'instance-type' }] },
    ]);
    expect(passed).toBe(false);
    expect(results.map((one) => one.passed)).toEqual([true, false, true, false]);
    expect(results[1]?.diff?.changes.map(({ change }) => change)).toEqual(['added', 'removed'].sort());
    expect(results[3]?.missing).toEqual([{ code: 'instance-type' }]);
  });
  it('reports coverage', () => {
    const { coverage } = runTests([{ name: 'one', input: input({ text: 'x' }), objects: [] }], { coverage: true });
    expect(formatCoverage(coverage as library.Coverage)).toContain('node secret: never rendered');
    expect(formatCoverage(coverage as library.Coverage, 'lcov')).toContain('SF:rgd.yaml');
    expect(JSON.parse(formatCoverage(coverage as library.Coverage, 'json')).totals.node).toEqual({
      reached: 1,
      all: 2,
    });
    expect(runTests([])).toEqual({ passed: true, results: [] });
  });
  it('throws for expectations without content', () =>
    expect(() => runTests([{ name: 'one', input: nothing, diagnostics: [{ cod: 'x' }] }])).toThrow(
      /tests\[0\].*'cod'/,
    ));
});

describe('project', () => {
  it('returns what init writes, and passes its own test', async () => {
    const files = project();
    expect(files.map(({ file }) => file)).toContain('platform/website.yaml');
    const take = (name: string) => files.filter(({ file }) => file.endsWith(name));
    const { passed } = runTests([
      {
        name: 'blog',
        input: { objects: take('base/blog.yaml'), definitions: take('website.yaml') },
        objects: take('tests/blog/expected.yaml'),
      },
    ]);
    expect(passed).toBe(true);
    expect((await invoke(['help', 'init'])).stdout).toContain('init');
  });
});
