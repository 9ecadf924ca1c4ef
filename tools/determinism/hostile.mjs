import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../../bench/support/measure.mjs';

const rgdOf = (source) => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: asks}
spec:
  schema: {apiVersion: v1alpha1, kind: Asks, spec: {}}
  resources:
  - id: answer
    template:
      apiVersion: example.com/v1
      kind: Answer
      metadata: {name: answer}
      spec:
        value: ${JSON.stringify(`\${${source}}`)}
---
apiVersion: kro.run/v1alpha1
kind: Asks
metadata: {name: it, namespace: default}
`;

/** Inputs that exceed limits: limits are counted, so every engine must reject at the same point. */
export async function hostileInvocations(folder) {
  const { boundCases } = await load('test/languages/cel/bounds-cases.ts');
  const { bombs } = await load('test/bombs/bombs.ts');
  const target = mkdtempSync(join(folder, 'hostile-'));
  const inputs = Object.values(boundCases)
    .flat()
    .map(({ name, source }) => ({ name: `expression: ${name}`, text: rgdOf(source), options: [] }));
  for (const [name, { text, sizes = [50, 100, 200, 400], options = {} }] of Object.entries(bombs)) {
    const order = options.order === undefined ? [] : ['--order', options.order];
    inputs.push({ name: `multiplied: ${name}`, text: text(sizes.at(-1) ?? 1), options: order });
  }
  for (const [name, open, close] of DEEP) {
    inputs.push({ name: `100,000 levels of ${name}`, text: `${open.repeat(1e5)}1${close.repeat(1e5)}\n`, options: [] });
  }
  const parentheses = `${'('.repeat(1e5)}1${')'.repeat(1e5)}`;
  inputs.push({ name: '100,000 parentheses', text: rgdOf(parentheses), options: [] });
  return inputs.map(({ name, text, options }, index) => {
    const file = join(target, `${index}.yaml`);
    writeFileSync(file, text);
    return { name, args: ['render', file, '--all', ...options] };
  });
}

const DEEP = [
  ['lists', '[', ']'],
  ['maps', '{"a":', '}'],
  ['items', '- ', ''],
  ['keys', '? ', ''],
];
