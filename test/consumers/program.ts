// test/e2e/consumers.test.ts compiles and runs this program with the package installed.
import {
  type CompiledDefinitions,
  compile,
  crds,
  type Diagnostic,
  type DiagnosticCode,
  formatDiagnostics,
  type KubernetesObject,
  observe,
  pending,
  type RenderInput,
  type RenderOptions,
  type RenderResult,
  render,
  type Source,
  type TextSource,
  toJson,
  toYaml,
} from 'render-rgd';
import { type CelError, check, createEnvironment, evaluate, type LibraryName, libraryNames } from 'render-rgd/cel';
import {
  type DiffResult,
  diff,
  type ExplainResult,
  explain,
  formatGraph,
  graph,
  jsonSchema,
  type ObjectDiff,
  type Picture,
  runTests,
  sample,
  type TestInput,
} from 'render-rgd/tools';

const definition: TextSource = {
  file: 'note.yaml',
  text: `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: note}
spec:
  schema: {apiVersion: v1alpha1, kind: Note, spec: {size: integer}}
  resources:
  - id: cm
    template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${schema.metadata.name}"}, data: {size: "\${string(schema.spec.size)}"}}
`,
};

/** An interface of a program without an index signature is accepted. */
interface Note {
  apiVersion: 'kro.run/v1alpha1';
  kind: 'Note';
  metadata: { name: string; namespace?: string };
  spec: { size: number | bigint };
}
const note = (name: string, size: number | bigint): Note => ({
  apiVersion: 'kro.run/v1alpha1',
  kind: 'Note',
  metadata: { name },
  spec: { size },
});
const sources: Source[] = [definition, note('a', 2n ** 60n)];
const defaults: Source[] = [{ apiVersion: 'kro.run/v1alpha1', kind: 'Note', spec: { size: 1 } }];
const input: RenderInput = { objects: sources, defaults };
const options: RenderOptions = { namespace: 'desk', onPending: 'skip' };

const results: RenderResult[] = [render(input, options), crds(input)];
const compiled: CompiledDefinitions = compile([definition], options);
results.push(compiled.render({ objects: [note('b', 1)] }), compiled.recompile([definition]).crds());
results.push(observe({ ...input, live: [] }), { objects: [], diagnostics: pending(input).diagnostics });
const diagnostics: Diagnostic[] = results.flatMap((result) => result.diagnostics);
const [first] = results.flatMap((result): KubernetesObject[] => result.objects);
const name: string | undefined = first?.metadata.name;
const label: string | undefined = first?.metadata.labels?.['kro.run/node-id'];

const code: DiagnosticCode = 'yaml-syntax';
// @ts-expect-error: there is no such code
const noCode: DiagnosticCode = 'no-such-code';
// @ts-expect-error: there is no such choice
const noOptions: RenderOptions = { onPending: 'never' };
// @ts-expect-error: definitions decide what they are compiled with
const refused = compiled.render({ objects: [] }, { strict: true }).diagnostics.map((one) => one.code);

const library: LibraryName = 'kubernetes.quantity';
const environment = createEnvironment({ libraries: [library] });
const sum = evaluate('quantity(size).isGreaterThan(quantity("1Gi"))', { size: '2Gi' }, { environment });
const wrong = check('self.size + "a"', { variables: { self: { size: 'int' } } });
const errors: readonly CelError[] = wrong.ok ? [] : wrong.errors;

const compared: DiffResult = diff({ before: input, after: { objects: [definition, note('a', 7)] } });
const [change]: readonly ObjectDiff[] = compared.changes;
const explained: ExplainResult = explain(input, { object: 'Note/a', node: 'cm' });
const verdict = explained.explanation?.about === 'node' ? explained.explanation.details.verdict : undefined;
const pictures: readonly Picture[] = graph(input).pictures;
const tests: TestInput[] = [{ name: 'refused', input: { objects: [7n as never] }, diagnostics: [] }];
// @ts-expect-error: there is no such format
const noFormat = (): string => formatGraph(pictures, 'png');
const kind: string | undefined = sample(input, 'Note').object?.kind;

// No name of the library shadows a global name.
const text: string = toYaml(first === undefined ? [] : [first]);
console.log(
  JSON.stringify({
    objects: results.map(({ objects }) => objects.length),
    diagnostics: formatDiagnostics(diagnostics, sources),
    name,
    label,
    line: text.split('\n')[0],
    size: toJson(first?.data ?? null, 0),
    codes: [code, noCode, noOptions.onPending, ...refused],
    tools: [
      change?.change,
      jsonSchema(input, 'Note').schema !== undefined,
      verdict,
      formatGraph(pictures).split(' ')[0],
      pictures.length,
      kind,
      typeof noFormat === 'function' && runTests(tests.slice(1)).passed,
    ],
    cel: [sum, errors.map(({ reason }) => reason), libraryNames.includes(library)],
  }),
);
