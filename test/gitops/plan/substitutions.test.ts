import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { substituteVariables } from '../../../src/gitops/plan/edits.ts';
import { NotRendered } from '../../../src/gitops/plan/repository.ts';
import { readStreams } from '../../../src/yaml/parse/index.ts';

interface Case {
  text: string;
  data?: Record<string, unknown>;
  fails?: true;
}

/** What kustomize-controller's packages make of a ConfigMap with each text (test/flux-controllers). */
const { values, cases } = JSON.parse(readFileSync(new URL('substitutions.json', import.meta.url), 'utf8')) as {
  values: Record<string, string>;
  cases: Case[];
};

const parse: Parameters<typeof substituteVariables>[2] = (found, reports, strict) =>
  found.flatMap((one) => readStreams([one], reports, strict));

const substituted = (text: string, isComplete: boolean): unknown => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'm' },
    data: { v: text, w: `first\nsecond ${text}\n` },
  };
  const variables = {
    values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value.replaceAll('\n', '')])),
    unread: isComplete ? [] : ['Secret s'],
  };
  try {
    const [made] = substituteVariables([{ object }], variables, parse);
    return (made?.object as typeof object | undefined)?.data;
  } catch (error) {
    if (!(error instanceof NotRendered)) throw error;
    return error.type === 'fails' ? 'fails' : error.message;
  }
};

describe('variables of a Kustomization', () => {
  it.each(cases)('are substituted as Flux does: $text', ({ text, data, fails }) => {
    const expected = JSON.parse(JSON.stringify(data ?? null), (_, value) =>
      Number.isInteger(value) ? BigInt(value) : value,
    );
    expect(substituted(text, true)).toEqual(fails ? 'fails' : expected);
  });

  it('stay as they are if their value may be in a Secret or a ConfigMap that is not in the repository', () => {
    expect(substituted('${A} ${SECRET} ${SECRET:=x} ${#SECRET}', false)).toMatchObject({
      v: 'abbc ${SECRET} ${SECRET:=x} ${#SECRET}',
    });
  });

  it('name the operators that are not supported', () => {
    expect(substituted('${A#a*}', true)).toBe('the operator # of a variable in spec.postBuild is not supported');
  });

  it('name what Flux cannot read, its object and the cure, and never a value of a Secret', () => {
    const told = (kind: string): unknown => {
      const object = { apiVersion: 'v1', kind, metadata: { name: 'm' }, data: { v: 'x${schema.spec.title}y', w: 'b' } };
      try {
        return substituteVariables([{ object }], { values, unread: [] }, parse);
      } catch (error) {
        return (error as Error).message;
      }
    };
    const cure = 'set its annotation kustomize.toolkit.fluxcd.io/substitute to disabled';
    expect(told('ConfigMap')).toBe(
      `spec.postBuild fails for ConfigMap/m, because '\${schema.spec.title}' is no variable of Flux (bad substitution): ${cure}`,
    );
    expect(told('Secret')).toBe(`spec.postBuild fails for Secret/m (bad substitution): ${cure}`);
  });

  it('are not substituted in an object that disables it', () => {
    const labels = { 'kustomize.toolkit.fluxcd.io/substitute': 'disabled' };
    const documents = [
      { object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', labels }, data: { v: '${A}' } } },
    ];
    expect(substituteVariables(documents, { values, unread: [] }, parse)).toEqual(documents);
  });
});
