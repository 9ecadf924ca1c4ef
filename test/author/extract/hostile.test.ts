import { describe, expect, it } from 'vitest';
import { type Copies, configMap, extracted, fieldsOf, messagesOf, renderedFiles } from './extracting.ts';
import { TEXTS } from './texts.ts';

const KEYS = ['a.b/c', 'a.b', 'x${y}', '${', '{{x}}', '__proto__', 'constructor', 'has(x)', '"', "'", '1', 'true', ''];

const json = (value: unknown): string => JSON.stringify(value);

/** A map with a key, also one that has a meaning in JavaScript. */
const mapOf = (key: string, value: unknown): string => `{${json(key)}: ${json(value)}}`;

const widget = (name: string, spec: string): string =>
  `apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: ${name}}\nspec: ${spec}\n`;

/** Extracts the specs, one for each copy, and returns those that the files of the result render. */
function specsAgain(specs: readonly string[]): unknown {
  const copies: Copies = Object.fromEntries(specs.map((spec, at) => [`copy-${at}`, widget(`copy-${at}`, spec)]));
  const result = extracted(copies);
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error');
  expect(messagesOf(errors)).toEqual([]);
  return renderedFiles(result).map((object) => (object as { spec: unknown }).spec);
}

const parsed = (specs: readonly string[]): unknown => specs.map((spec) => JSON.parse(spec) as unknown);

describe('texts with a meaning elsewhere', () => {
  it.each(TEXTS)('are rendered as they were, where all copies have them: %j', (text) => {
    const specs = [1, 2].map((n) => `{"n":${n},"text":${json(text)},"in":${json(`before ${text} after`)}}`);
    expect(specsAgain(specs)).toEqual(parsed(specs));
  });

  it.each(TEXTS)('are rendered as they were, where they are values of a field: %j', (text) => {
    const specs = [text, 'other', `${text}2`].map((own) => `{"text":${json(own)},"in":${json([own, `x ${own} y`])}}`);
    expect(specsAgain(specs)).toEqual(parsed(specs));
  });

  it.each(TEXTS)('are rendered as they were in a part that some copies lack: %j', (text) => {
    const specs = ['', `,"part":{"text":${json(text)},"list":[${json(text)}]}`, ''].map((part) => `{"n":1${part}}`);
    expect(specsAgain(specs)).toEqual(parsed(specs));
  });

  it.each(TEXTS)('are rendered as they were in lists of different lengths: %j', (text) => {
    const specs = [[text], [text, 'x', text], []].map((list) =>
      json({ list, items: list.map((a) => ({ a, b: 'c' })) }),
    );
    expect(specsAgain(specs)).toEqual(parsed(specs));
  });
});

describe('keys with a meaning elsewhere', () => {
  it.each(KEYS)('are rendered as they were: %j', (key) => {
    const specs = ['a', 'b'].map((value) => `{"fixed":1,"own":${mapOf(key, value)},"same":${mapOf(key, 'x')}}`);
    expect(specsAgain(specs)).toEqual(parsed(specs));
  });

  it.each(KEYS)('are rendered as they were, where some copies lack them: %j', (key) => {
    const specs = [mapOf(key, 'a'), '{}', mapOf(key, 'b')].map((own) => `{"fixed":1,"own":${own}}`);
    expect(specsAgain(specs)).toEqual(parsed(specs));
  });
});

it('gives names that contain each other to the copies that have them', () => {
  const names = ['app', 'app-app', 'app2', 'my-app', 'a', 'pp'];
  const of = (name: string): string =>
    widget(name, json({ url: `https://${name}.web.example.org/of-${name}`, short: name }));
  const result = extracted(Object.fromEntries(names.map((name) => [name, of(name)])));
  expect(fieldsOf(result)).toEqual({});
  expect(result.instances.map(({ metadata }) => metadata.name)).toEqual(names);
});

it('refuses values that contain themselves', () => {
  const cyclic = `${configMap('a', '{}')}more: &x [*x]\n`;
  const result = extracted({ a: cyclic, b: cyclic });
  expect(result.rgd).toBeUndefined();
  expect(messagesOf(result.diagnostics).length).toBeGreaterThan(0);
});

it('refuses aliases that stand for billions of values', () => {
  const levels = Array.from(
    { length: 30 },
    (_, at) => `l${at}: &l${at} [${at === 0 ? 'x' : `*l${at - 1}, *l${at - 1}`}]`,
  );
  const result = extracted({ a: `${configMap('a', '{}')}${levels.join('\n')}\n`, b: configMap('b', '{}') });
  expect(result.rgd).toBeUndefined();
  expect(messagesOf(result.diagnostics).length).toBeGreaterThan(0);
});

it('takes deep values', () => {
  const deep = (value: string): string => `${'{"a":['.repeat(80)}${json(value)}${']}'.repeat(80)}`;
  expect(specsAgain([deep('x'), deep('y')])).toEqual(parsed([deep('x'), deep('y')]));
});
