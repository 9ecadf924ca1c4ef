import { expect, it } from 'vitest';
import { packageWith } from '../differential/on-purpose.ts';
import type { Judged } from './batch.ts';
import type { ClusterCase } from './cases.ts';
import { noDryRun } from './dry-run.ts';
import { outcomeOf } from './outcome.ts';
import { countsOf, type Result, remarksOn } from './summary.ts';

const answer = (object: string) => ({ stage: '', message: '', objects: new Map([['v1 ConfigMap d a', object]]) });
const judgedAs = (kro: string, more: Partial<Judged> = {}): Judged => ({
  verdict: { kro: answer(kro), ours: answer('{}'), waiting: 0 },
  crds: noDryRun,
  objects: noDryRun,
  ...more,
});
const result = (name: string, judged: Judged, more: Partial<ClusterCase> = {}): Result => {
  const one = { name, objects: [], observed: [], ...more };
  return { one, outcome: outcomeOf(one, judged) };
};

it('counts failures as open, with the reason', () => {
  const { outcome } = result('test/conformance/cel/001', judgedAs('{}', { broken: 'no answer' }));
  expect(outcome).toMatchObject({ kind: 'open', faults: ['nobody knows: no answer'] });
  const beyond = result('test/conformance/beyond/001', judgedAs('{}', { broken: 'no answer' }));
  expect(beyond.outcome.kind).toBe('open');
});

it('counts differences from kro as open, unless they are deliberate', () => {
  expect(result('test/conformance/cel/001', judgedAs('{"a":1}')).outcome.kind).toBe('open');
  expect(result('test/conformance/beyond/001', judgedAs('{"a":1}')).outcome.kind).toBe('on purpose');
});

it('counts listed rejections of the API server as expected', () => {
  const refusing = (text: string): Judged => judgedAs('{}', { crds: { tried: 1, stored: [], refused: [text] } });
  const configMap = '{id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}';
  const rule =
    'name: string, window: \'Window | validation="self.low <= self.high"\'}, types: {Window: {low: integer, high: "integer | default=5"}';
  const listed = result(
    'test/conformance/schema/001',
    refusing('spec.x.default: Invalid value: "object": no such key'),
    packageWith(configMap, rule, 'name: Web, window: {low: 1}') as unknown as Pick<ClusterCase, 'objects'>,
  );
  expect(listed.outcome).toMatchObject({ kind: 'agreed', dry: { foreseen: 1, unforeseen: 0 } });
  const other = result('test/conformance/schema/001', refusing('spec.x.type: Required value'));
  expect(other.outcome).toMatchObject({ kind: 'open', dry: { foreseen: 0, unforeseen: 1 } });
});

it('lists kinds without a schema', () => {
  const refusal = 'Service "a" is invalid: spec.ports: Required value';
  const kro = { stage: 'pending', message: `apply results contain errors: ${refusal}`, objects: new Map() };
  const outcome = (message: string) =>
    result('/rgds/shop', { ...judgedAs('{}'), verdict: { kro: { ...kro, message }, ours: answer('{}'), waiting: 1 } })
      .outcome;
  expect(outcome(kro.message).kind).toBe('on purpose');
  expect(outcome(kro.message.replace('ports', 'type')).kind).toBe('open');
});

it('writes the content of a page, without a folder of the machine', () => {
  const refused = { tried: 3, stored: [], refused: ['ConfigMap/a: no'] };
  const results = [
    result('examples/kpt', judgedAs('{}', { crds: { ...noDryRun, tried: 2 } })),
    result('test/conformance/cel/001-a', judgedAs('{}', { objects: refused })),
    result('test/conformance/cel/002-b', judgedAs('{}'), { leftOut: 'it reads a uid' }),
    result('/home/someone/rgds/shop', judgedAs('{"a":1}')),
  ];
  expect(countsOf(results)).toEqual([
    { source: 'examples', total: 1, onPurpose: 0, open: 0 },
    { source: 'conformance cases', total: 1, onPurpose: 0, open: 1 },
    { source: 'RGDs of others', total: 1, onPurpose: 0, open: 1 },
  ]);
  expect(remarksOn(results).join('\n')).toBe(`\
| dry runs          | CRDs | objects | expected rejections | unexpected rejections |
| ----------------- | ---- | ------- | ------------------- | --------------------- |
| examples          | 2    | 0       | 0                   | 0                     |
| conformance cases | 0    | 3       | 0                   | 1                     |
| RGDs of others    | 0    | 0       | 0                   | 0                     |

Not applied; only the rendered objects had a dry run:

- it reads a uid: \`cel/002-b\`

Open: \`cel/001-a\`, one of the RGDs of others (\`shop\`).`);
});
