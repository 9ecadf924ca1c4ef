import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EXPECTED, FILES, SET_CASES, setOf, shown } from '../gitops/plan/application-sets.ts';
import { BUILD_TIMEOUT, harness } from './argo-cd.ts';
import { describeWith } from './sandbox.ts';

describeWith('go', () => {
  it(
    'makes the Applications of ApplicationSets that the unit tests expect',
    () => {
      const asked = Object.values(SET_CASES).map((one) =>
        JSON.stringify({ set: setOf(one), files: FILES }, withNumbers),
      );
      const output = execFileSync(harness(), ['applicationsets'], { input: asked.join('\n'), encoding: 'utf8' });
      const answers = output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const made = answers.map(({ error, applications = [] }) =>
        error === undefined ? { applications: applications.map(shown) } : { error },
      );
      const named = Object.fromEntries(Object.keys(SET_CASES).map((name, index) => [name, made[index]]));
      if (process.env.WRITE === 'true') writeFileSync(EXPECTED, `${JSON.stringify(named, undefined, 2)}\n`);
      expect(named).toEqual(JSON.parse(readFileSync(EXPECTED, 'utf8')));
    },
    BUILD_TIMEOUT,
  );
});

const withNumbers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
