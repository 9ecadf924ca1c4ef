import { describe, expect, it } from 'vitest';
import { type RenderOptions, render } from '../../../src/api/index.ts';
import recorded from './recorded.json';

interface Case {
  name: string;
  objects: readonly object[];
  applied?: readonly object[];
  stage?: string;
  error?: string;
}

/** What kro v0.9.4 answers with its gate: tools/judge -feature-gates CELOmitFunction=true. */
const cases: readonly Case[] = recorded;

function answerOf(
  objects: readonly object[],
  options: RenderOptions,
): { objects: object[] } | { code: string; hint: string } {
  const files = objects.map((one, index) => ({ file: `${index}.yaml`, text: JSON.stringify(one) }));
  const output = render({ objects: files }, { strict: true, namespace: 'default', ...options });
  const [error] = output.diagnostics.filter(({ severity }) => severity === 'error');
  if (error === undefined) return { objects: output.objects.map(withoutOrigin) };
  return { code: error.code, hint: error.hint ?? '' };
}

/** The oracle leaves out the labels of kro too. */
function withoutOrigin(object: object): object {
  const { metadata, ...rest } = object as { metadata: { labels?: Record<string, string> } };
  const { labels = {}, ...others } = metadata;
  const own = Object.entries(labels).filter(([key]) => !/kro\.run\/|app\.kubernetes\.io\/managed-by/.test(key));
  return { ...rest, metadata: { ...others, ...(own.length > 0 && { labels: Object.fromEntries(own) }) } };
}

/** The oracle keeps an empty map of labels. */
function withoutEmpty(object: object): object {
  const { metadata, ...rest } = object as { metadata: { labels?: object } };
  const { labels, ...others } = metadata;
  return { ...rest, metadata: { ...others, ...(labels && Object.keys(labels).length > 0 && { labels }) } };
}

describe('omit() with --experimental omit', () => {
  it.each(cases)('answers as kro does: $name', ({ objects, applied, stage }) => {
    const answer = answerOf(objects, { experimental: ['omit'] });
    if (stage === undefined) expect(answer).toEqual({ objects: applied?.map(withoutEmpty) });
    else expect(answer).toHaveProperty('code');
  });

  it('is judged in packages that kro renders, and in packages that it rejects', () => {
    expect(cases.filter(({ stage }) => stage === undefined).length).toBeGreaterThan(10);
    expect(cases.filter(({ stage }) => stage === 'compile').length).toBeGreaterThan(5);
    expect(cases.filter(({ stage }) => stage === 'expand').length).toBeGreaterThan(4);
  });

  it('is rejected where kro rejects it by the same code', () => {
    const places = cases.filter(({ error }) => error?.includes('omit() can'));
    expect(places.length).toBeGreaterThan(4);
    const codes = places.map(({ objects }) => answerOf(objects, { experimental: ['omit'] }));
    for (const code of codes) expect(code).toMatchObject({ code: 'function-not-here' });
  });
});

it('omit() without the switch is an error that names it', () => {
  for (const { objects, name } of cases) {
    const answer = answerOf(objects, {});
    if (name === 'key')
      expect(answer).toMatchObject({ code: 'function-not-here', hint: expect.stringContaining('--experimental omit') });
    else expect(answer, name).toHaveProperty('code');
  }
});
