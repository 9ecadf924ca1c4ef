import { describe, expect, it } from 'vitest';
import { compile, render } from '../../src/api/index.ts';
import { all, instance, kinds, rgd, source } from '../api/definitions.ts';
import { workOf } from './work.ts';

describe('compiled definitions', () => {
  it('render many sets of instances for a tenth of the work of render', () => {
    const compiled = compile(all);
    const input = { objects: [instance('KindC', 'a')] };
    compiled.render(input);
    const work = workOf(() => compiled.render(input));
    expect(work).toBeGreaterThan(0);
    expect(workOf(() => render({ ...input, definitions: all }))).toBeGreaterThan(10 * work);
  });

  it('are recompiled where they were edited, and nowhere else', () => {
    const compiled = compile(all);
    const edited = [...all.slice(0, -1), source('KindX', 'new')];
    const whole = workOf(() => compile(edited));
    let next = compiled;
    expect(workOf(() => (next = compiled.recompile(edited)))).toBeLessThan(whole / 4);
    const objects = [instance('KindX', 'a')];
    expect(next.render({ objects }).objects[0]).toMatchObject({ data: { v: 'new' } });
    expect(compiled.render({ objects }).objects[0]).toMatchObject({ data: { v: 'x' } });
  });

  it('stay cached if another part of the text was edited, and their diagnostics move with them', () => {
    const odd = rgd('Odd').replace('ConfigMap', 'Unheard').replace('apiVersion: v1,', 'apiVersion: x.example.com/v1,');
    const text = [...kinds.map((kind) => rgd(kind)), odd].join('---\n');
    const before = compile([{ file: 'all.yaml', text }]);
    expect(before.diagnostics).toMatchObject([{ code: 'unknown-kind', file: 'all.yaml' }]);
    const moved = [
      { file: 'all.yaml', text: `# one\n# two\n${text.replace('schema.spec.text', 'schema.metadata.name')}` },
    ];
    const [line = 0] = before.diagnostics.map((one) => one.line);
    let after = before;
    const work = workOf(() => (after = before.recompile(moved)));
    expect(after.diagnostics).toEqual(before.diagnostics.map((one) => ({ ...one, line: line + 2 })));
    expect(after.diagnostics).toEqual(compile(moved).diagnostics);
    expect(work).toBeLessThan(workOf(() => compile(moved)) / 2);
  });
});
