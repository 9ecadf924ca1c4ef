import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planJson, type RunTool } from '../../src/gitops/plan/index.ts';
import { invoke } from '../cli/invoke.ts';
import { planOf, type Texts } from '../gitops/plan/repository.ts';
import { temporaryFolder } from '../temporary.ts';
import { CHANGES, type Change, type Field, fields, mutantOf, REPOSITORY } from './foreign.ts';
import { LONG, runs } from './runs.ts';

const mutants = fc.tuple(fc.constantFrom(...fields), fc.constantFrom(...CHANGES));

const CONTROL = 'control/a.yaml';
const withChange = (texts: Texts): Texts => ({ ...texts, [CONTROL]: (texts[CONTROL] ?? '').replace('a: b', 'a: c') });

interface Shown {
  applications: { name: string; kind: string; error?: string; changed: { name: string }[] }[];
}

/** Stands for kustomize and helm: the readers of the repository are what is tested. */
const tool: RunTool = (_, path) => ({
  text: `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: built, namespace: web }\ndata: { path: "${path}" }\n`,
});

const planned = (after: Texts): Shown => {
  const plan = planOf(REPOSITORY, withChange(after), { before: tool, after: tool }, ['https://example.com/repo.git']);
  return JSON.parse(planJson(plan));
};

const isPart = ({ file }: Field): boolean => !file.startsWith('tests/');

describe('an object of another tool with a wrong field', () => {
  it('leaves a plan that compares the other applications', () => {
    fc.assert(
      fc.property(mutants, ([field, change]) => {
        fc.pre(isPart(field));
        const { applications } = planned(mutantOf(field, change));
        const control = applications.find(({ name, kind }) => name === 'control' && kind === 'Application');
        expect(control?.changed.map(({ name }) => name)).toEqual(['control']);
      }),
      { ...runs(600), interruptAfterTimeLimit: LONG },
    );
  });

  it('is read where it has no fault', () => {
    const errors = planned(Object.fromEntries(Object.entries(REPOSITORY).map(([file, text]) => [file, `${text}\n`])));
    expect(
      errors.applications.flatMap(({ name, error }) => (error === undefined ? [] : [`${name}: ${error}`])),
    ).toEqual([]);
  });

  it('is named with its field in a plan, if a controller reads it', () => {
    const types: readonly [string, string, Field['path'], string][] = [
      ['argocd/application.yaml', 'one', ['spec', 'source', 'kustomize', 'images'], 'spec.source.kustomize.images'],
      ['argocd/application.yaml', 'one', ['spec', 'source', 'path'], 'spec.source.path'],
      ['argocd/application.yaml', 'one', ['spec', 'destination'], 'spec.destination'],
      ['argocd/application.yaml', 'one', ['metadata', 'finalizers'], 'metadata.finalizers'],
      ['argocd/helm.yaml', 'chart', ['spec', 'sources', 0, 'helm', 'parameters'], 'spec.sources[0].helm.parameters'],
      ['argocd/set.yaml', 'set', ['spec', 'generators'], 'spec.generators'],
      ['flux/kustomization.yaml', 'two', ['spec', 'postBuild', 'substitute'], 'spec.postBuild.substitute'],
      ['flux/release.yaml', 'three', ['spec', 'valuesFrom'], 'spec.valuesFrom'],
    ];
    for (const [file, name, path, shown] of types) {
      const change: Change = 'value 3';
      const { applications } = planned(mutantOf({ file, document: 0, path }, change));
      const errors = applications.filter((one) => one.name === name).map(({ error }) => error);
      // Either the schema of its CRD names the field, or its reader.
      const named = [`its field ${shown} is a number, expected`, `${shown}: must be of type`];
      expect(errors, file).toHaveLength(1);
      expect(
        named.some((text) => errors[0]?.includes(text)),
        `${file}: ${errors[0]}`,
      ).toBe(true);
    }
  });

  /** The commands that read a folder, and their arguments. */
  const COMMANDS: readonly (readonly string[])[] = [
    ['validate', '.'],
    ['render', '.', '--on-pending=skip'],
    ['doctor', '.'],
    ['rbac', 'platform', '--check=platform'],
    ['migrate', 'instances', '--definitions=platform', '--from=platform'],
    ['diff', '../before', '.'],
    ['compat', '../before/platform', 'platform', '--instances=instances'],
    ['test', 'tests'],
    ['explain', 'Web/web', 'instances', 'platform'],
    ['graph', 'platform'],
    ['pending', '.'],
    ['observe', 'instances', 'platform', '--from=platform'],
    ['fmt', '.', '--check'],
    ['schema', 'Web', 'platform'],
    ['docs', 'platform'],
  ];

  const write = (folder: string, texts: Texts): void => {
    for (const [file, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  };

  const inside = (folder: string, argument: string): string => {
    const path = /^(--[a-z]+=)?((?:\.\.?|platform|instances|tests)(?:\/.*)?)$/.exec(argument);
    return path === null ? argument : `${path[1] ?? ''}${join(folder, path[2] ?? '')}`;
  };

  it('ends no command with a bug', async () => {
    const root = temporaryFolder('foreign');
    write(join(root, 'before'), REPOSITORY);
    let at = 0;
    await fc.assert(
      fc.asyncProperty(mutants, fc.constantFrom(...COMMANDS), async ([field, change], [name = '', ...args]) => {
        const folder = join(root, `after${at++}`);
        write(folder, mutantOf(field, change));
        const { code, stderr } = await invoke([name, ...args.map((one) => inside(folder, one))]);
        expect({ code, trace: /\n\s+at .*:\d+:\d+/.test(stderr), stderr }).toMatchObject({
          code: expect.toSatisfy((one: number) => one >= 0 && one < 3),
          trace: false,
        });
      }),
      { ...runs(400), interruptAfterTimeLimit: LONG },
    );
  });
});
