import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planChange, planJson } from '../../src/gitops/plan/index.ts';
import { defaultSettings } from '../../src/render/options/index.ts';
import { application, filesOf, type Texts } from '../gitops/plan/repository.ts';
import { edited, edits } from './edits.ts';
import { LONG, runs } from './runs.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const files = readdirSync(examples, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ya?ml|json)$|(^|\/)Kptfile$/.test(file) && !file.includes('expected'))
  .sort();

/** The examples as one repository, with an Application of Argo CD for two of them. */
const repository: Texts = {
  ...Object.fromEntries(files.map((file) => [file, readFileSync(`${examples}/${file}`, 'utf8')])),
  'argocd/collections.yaml': application('collections', '{ path: collections/input, directory: { recurse: true } }'),
  'argocd/kustomize.yaml': application('kustomize', '{ path: kustomize/base, plugin: { name: render-rgd } }'),
};

/** Returns the changed objects of each application, and the dangers. */
function changes(before: Texts, after: Texts, changed: readonly string[]): string[] {
  const plan = planChange(
    { before: filesOf(before), after: filesOf(after), changed: new Set(changed) },
    { settings: defaultSettings, urls: [], holdsData: [] },
  );
  // Errors in both versions are found only if the application is rendered.
  const applications = plan.applications.filter((one) => one.changes.length > 0);
  const { applications: shown, dangers } = JSON.parse(planJson({ ...plan, applications }));
  return [...shown, ...dangers].map((one) => JSON.stringify(one));
}

it('the plan finds the same changes as rendering every application at both revisions', () => {
  let withChanges = 0;
  const change = fc.array(fc.tuple(fc.constantFrom(...Object.keys(repository)), edits), { minLength: 1, maxLength: 3 });
  const { numRuns } = runs(50);
  fc.assert(
    fc.property(change, (all) => {
      const after = all.reduce(
        (texts, [path, edit]) => (path in texts ? edited(texts, path, edit) : texts),
        repository,
      );
      const paths = [...new Set([...Object.keys(repository), ...Object.keys(after)])];
      const differing = paths.filter((path) => repository[path] !== after[path]);
      const short = changes(repository, after, differing);
      expect(short).toEqual(changes(repository, after, paths));
      if (short.length > 0) withChanges += 1;
    }),
    { numRuns, interruptAfterTimeLimit: LONG },
  );
  expect(withChanges).toBeGreaterThanOrEqual(numRuns / 10);
});
