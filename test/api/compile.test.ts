import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile, crds, pending, render, type Source } from '../../src/api/index.ts';
import { all, instance, rgd, source } from './definitions.ts';

const cases = join(import.meta.dirname, '../cases');

describe('compiled definitions', () => {
  // Cases of budgets use all of their budget, five times over.
  it.each(readdirSync(cases).filter((name) => !name.startsWith('budget-')))('render %s as render does', (name) => {
    const read = (file: string): Source[] => {
      try {
        return [{ file, text: readFileSync(join(cases, name, file), 'utf8') }];
      } catch {
        return [];
      }
    };
    const input = { objects: read('input.yaml'), observed: read('observed.yaml') };
    const definitions = read('input.yaml');
    const options: CompileOptions = name.includes('pending') ? { onPending: 'skip', all: true } : { order: 'kpt' };
    const compiled = compile(definitions, options);
    const expected = render({ ...input, definitions }, options);
    expect(compiled.render(input)).toEqual(expected);
    expect(compiled.recompile(definitions).render(input)).toEqual(expected);
    expect(compiled.crds()).toEqual(crds({ objects: definitions }, options));
    expect(compiled.pending(input)).toEqual(pending({ ...input, definitions }, options));
  });

  it('are recompiled if a kind that they use changes', () => {
    const outer = source('Outer').text.replace(
      '{apiVersion: v1, kind: ConfigMap,',
      '{apiVersion: kro.run/v1alpha1, kind: KindA,',
    );
    const definitions = (inner: string) => [
      { file: 'outer.yaml', text: outer.replace('data: {v:', 'spec: {text:') },
      { file: 'inner.yaml', text: inner },
    ];
    const compiled = compile(definitions(rgd('KindA')));
    expect(compiled.diagnostics).toEqual([]);
    const broken = definitions(
      rgd('KindA', '${string(schema.spec.text)}').replace('spec: {text: string}', 'spec: {text: integer}'),
    );
    const after = compiled.recompile(broken);
    expect(after.diagnostics).toEqual(compile(broken).diagnostics);
    expect(after.diagnostics.map(({ code, file }) => [code, file])).toContainEqual(['field-type', 'outer.yaml']);
    expect(after.recompile(definitions(rgd('KindA'))).diagnostics).toEqual([]);
  });

  it('report all errors at once, and return no objects', () => {
    const { diagnostics, render: renderWith } = compile([source('App', '${schema.spec.nothing}')]);
    expect(diagnostics).toMatchObject([{ severity: 'error', stage: 'compile', file: 'App.yaml', line: 8 }]);
    expect(renderWith({ objects: [instance('App', 'a')] })).toEqual({ objects: [], diagnostics });
  });

  it('accept options for one set of instances', () => {
    const compiled = compile([source('App')], { namespace: 'one' });
    const objects = [{ ...instance('App', 'a'), metadata: { name: 'a' } }];
    const namespaces = [undefined, {}, { namespace: undefined }, { namespace: 'two' }].map(
      (options) => compiled.render({ objects }, options).objects[0]?.metadata.namespace,
    );
    expect(namespaces).toEqual(['one', 'one', 'one', 'two']);
  });

  it.each(['strict', 'clusterScoped'])('are compiled with %s, which a set of instances cannot change', (name) => {
    const compiled = compile([source('App')]);
    const options = { [name]: name === 'strict' ? true : [] } as never;
    expect(compiled.render({ objects: [] }, options).diagnostics).toMatchObject([
      { code: 'library-option', field: name, hint: 'give it to compile' },
    ]);
  });

  it('use the kinds of a cluster', () => {
    const openapi = { definitions: {} };
    const [diagnostic] = compile([source('App')], { openapi }).diagnostics;
    expect(diagnostic).toMatchObject({ code: 'unknown-kind', severity: 'warning' });
    expect(diagnostic).toEqual(crds({ objects: [source('App')], openapi }).diagnostics[0]);
  });

  it('read RGDs among the instances too', () => {
    const { objects, diagnostics } = compile([source('KindA')]).render({
      objects: [source('KindB'), source('KindA'), instance('KindA', 'a'), instance('KindB', 'b')],
    });
    expect(diagnostics).toEqual([]);
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  });

  it.each([
    [undefined, {}, 'definitions must be a list of texts and objects'],
    [[null], {}, 'definitions[0] must be a text or an object'],
    [[all[0], { apiVersion: 'v1', kind: 'X', a: Number.NaN }], {}, 'not a JSON number: NaN, at definitions[1].a'],
    [[], [], 'options must be an object'],
  ])('reject %j with %j', (definitions, options, message) => {
    expect(() => compile(definitions as Source[], options as CompileOptions)).toThrow(new TypeError(message));
  });
});
