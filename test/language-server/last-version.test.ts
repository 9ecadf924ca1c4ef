import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { completionsAt } from '../../src/language-server/features/completion.ts';
import { diagnosticsOf } from '../../src/language-server/features/diagnostics.ts';
import { Place } from '../../src/language-server/place.ts';
import { occurrencesIn } from '../../src/language-server/symbols/index.ts';
import type { SourceFile } from '../../src/language-server/workspace/file.ts';
import { Workspace } from '../../src/language-server/workspace/workspace.ts';

const URI = 'file:///app/rgd.yaml';
const rgd = (value: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: a}
spec:
  schema: {apiVersion: v1alpha1, kind: A, spec: {a: string}}
  resources:
  - id: c
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {k: "${value}"}}
`;

it('the language server keeps no earlier version of a file', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const workspace = new Workspace();
  const versions: WeakRef<SourceFile>[] = [];
  for (let key = 0; key < 30; key += 1) {
    const text = rgd(`\${schema.spec.a}${'x'.repeat(key)}`);
    workspace.open(URI, text, key);
    const file = workspace.files.get(URI) as SourceFile;
    versions.push(new WeakRef(file));
    completionsAt(new Place(file, text.indexOf('.spec.a}') + 6, workspace), false);
    occurrencesIn(file, workspace);
    while (workspace.checkNext());
    diagnosticsOf(file, workspace);
    // A reference that was read is kept until the end of its task.
    await setImmediate();
  }
  collect();
  expect(versions.filter((one) => one.deref() !== undefined).length).toBeLessThan(5);
});
