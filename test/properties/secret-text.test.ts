import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoke } from '../cli/invoke.ts';
import { LONG, runs } from './runs.ts';

const KEPT = 'q7wzk4vjx9mhy2bn8ctr';
const rgd = (template: string): string =>
  `apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: a}\nspec:\n  schema: {apiVersion: v1alpha1, kind: A, spec: {v: string}}\n  resources:\n  - id: s\n    template:\n${template}`;
const set = (spec: string): string =>
  `apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: set, namespace: web}\nspec:\n${spec}`;
const instance = 'apiVersion: kro.run/v1alpha1\nkind: A\nmetadata: {name: one, namespace: web}\nspec: {v: x}\n';

const TEXTS = [
  `apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  labels: {a: b}\nstringData:\n  p: ${KEPT}\n  q: "a ${KEPT} b"\n`,
  `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {p: ${KEPT}, q: [${KEPT}]}\n`,
  `stringData:\n  p: |\n    ${KEPT}\n    ${KEPT}\nkind: Secret\napiVersion: v1\nmetadata: {name: a}\n`,
  `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"b"},"stringData":{"p":"${KEPT}","q":"\\u0041${KEPT}"}}`,
  `apiVersion: v1\nkind: SecretList\nitems:\n- metadata: {name: a}\n  stringData:\n    p: ${KEPT}\n    p: ${KEPT}\n`,
  `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: a}\n  data:\n    p: !!int ${KEPT}\n    *${KEPT} : a\n`,
  rgd(
    `      apiVersion: v1\n      kind: Secret\n      metadata: {name: a}\n      stringData:\n        p: ${KEPT}\n        q: "\${'${KEPT}' + schema.spec.v}"\n        r: "\${${KEPT}}"\n`,
  ),
  rgd(
    `      apiVersion: v1\n      kind: Secret\n      metadata: {name: "\${schema.spec.v}"}\n      stringData:\n        p: "\${string(timestamp('${KEPT}'))}\${timestamp(schema.spec.v + '${KEPT}').getHours()}"\n        q: "\${json.unmarshal('${KEPT}' + schema.spec.v)}"\n`,
  ),
  rgd(
    `      {apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: {p: ${KEPT}}, data: {q: "\${${KEPT}.a}"}}\n`,
  ),
  set(
    `  resources:\n  - apiVersion: v1\n    kind: Secret\n    metadata: {name: a}\n    stringData:\n      p: ${KEPT}\n      q: "<< ${KEPT} >>"\n`,
  ),
];

/** Inputs that flow into Secrets: lines of the file may be shown, as of an instance, but no message contains a value. */
const INPUTS = [
  set(
    `  inputs: [{p: ${KEPT}, q: [${KEPT}]}]\n  resources:\n  - apiVersion: v1\n    kind: Secret\n    metadata: {name: a}\n    stringData: {p: "<< inputs.p >>", q: "<< index inputs.q 0 | int >>"}\n`,
  ),
  set(
    `  inputs:\n  - p: ${KEPT}\n  resourcesTemplate: |\n    apiVersion: v1\n    kind: Secret\n    metadata: {name: a}\n    stringData:\n      p: << inputs.p >>\n      q: ${KEPT}\n`,
  ),
];

type Edit = { at: number; remove: number; insert: string };
const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    at: fc.nat(1000),
    remove: fc.constantFrom(0, 0, 1, 1, 2, 5),
    insert: fc.constantFrom(
      '',
      ' ',
      '\n',
      '\n---\n',
      '{',
      '}',
      '[',
      ']',
      ':',
      ': ',
      '"',
      "'",
      '#',
      '!',
      '*',
      '&',
      '|',
      '\t',
      '${',
      '.inf',
      '- ',
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Edits anything except what marks it as a Secret. */
function edited(text: string, changes: readonly Edit[]): string {
  return changes.reduce((current, { at, remove, insert }) => {
    const start = at % current.length;
    const next = current.slice(0, start) + insert + current.slice(start + remove);
    return /kind"?: ?"?Secret(List)?"?[\s,}]/.test(next) ? next : current;
  }, text);
}

const MESSAGES = [['render', '-', '--diagnostics', 'json']];
const COMMANDS = [
  ['render', '-'],
  ...MESSAGES,
  ['doctor', '-'],
  ['pending', '-'],
  ['validate', '-', '--report', 'sarif'],
  ['graph', '-'],
  ['explain', 'ResourceSet/set', '-'],
];

describe('an invalid Secret', () => {
  // A command that finds a kind without its RGD searches the repository of the current folder.
  const here = process.cwd();
  const empty = mkdtempSync(join(tmpdir(), 'render-rgd-secret-text-'));
  beforeAll(() => process.chdir(empty));
  afterAll(() => {
    process.chdir(here);
    rmSync(empty, { recursive: true });
  });

  it('is not quoted', { timeout: LONG }, async () => {
    const pieces = Array.from({ length: KEPT.length - 3 }, (_, at) => KEPT.slice(at, at + 4));
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...TEXTS, ...INPUTS), edits, async (text, changes) => {
        const input = `${edited(text, changes)}\n---\n${instance}`;
        for (const args of INPUTS.includes(text) ? MESSAGES : COMMANDS) {
          const { stdout, stderr, code } = await invoke(args, input);
          if (code !== 0) refused += 1;
          const said = args[0] === 'render' ? stderr : `${stdout}${stderr}`;
          const shown = pieces.filter((piece) => said.includes(piece));
          expect(shown, `${args.join(' ')}\n${input}\n${said}`).toEqual([]);
        }
      }),
      runs(300),
    );
    expect(refused).toBeGreaterThan(100);
  });
});
