/** Asks kro's engine and an API server whether a counterexample is one. */
import { render } from '../../src/api/index.ts';
import { fromPlain } from '../../src/api/plain.ts';
import type { Report } from '../../src/core/diagnostics/index.ts';
import { identityOf, type KubeObject } from '../../src/core/model/object.ts';
import { isMap, type ValueMap } from '../../src/core/model/value.ts';
import type { Api } from '../cluster/control-plane/api.ts';
import type { Verdict } from '../differential/compare.ts';
import type { Judge } from '../differential/judge.ts';

/** Who confirms a counterexample; `refuted` if nobody does, and `unknown` if nobody could be asked. */
export type Confirmation = 'kro' | 'server' | 'identity' | 'omitted' | 'nothing' | 'unknown' | 'refuted';

export interface Confirmed {
  by: Confirmation;
  why: string;
}

/** The documents of a package, and a report with the instances that show a fault. */
export interface Question {
  package: string;
  report: Report;
}

export async function confirm({ package: text, report }: Question, judge: Judge, api: Api): Promise<Confirmed> {
  const input = `${text}\n---\n${report.reproduction ?? ''}\n`;
  const [verdict] = await judge.askTexts([{ input, observedInput: '' }]);
  if (verdict === undefined) throw new Error('kro gave no answer');
  const failure = failureOf(verdict);
  if (failure !== undefined) return { by: 'kro', why: failure };
  const applied = (verdict.outcomes ?? [])
    .flatMap((one) => one.applied ?? [])
    .map((one) => fromPlain(one) as KubeObject);
  const identities = applied.map(identityOf);
  if (new Set(identities).size < identities.length) return { by: 'identity', why: 'two objects of one identity' };
  const answers = [];
  for (const object of applied) answers.push(await rejectionOf(api, object));
  const rejection = answers.find((one) => one !== undefined && one !== '');
  if (rejection !== undefined) return { by: 'server', why: rejection };
  if (applied.length === 0) return { by: 'nothing', why: 'kro applies nothing' };
  if (isOmission(report) && omitsTheSame(text, report, identities)) return { by: 'omitted', why: 'kro omits it too' };
  if (answers.includes(undefined)) return { by: 'unknown', why: 'a kind without a CRD' };
  // A controller, which does not run here, fills the status of a quota: without it the API server admits everything.
  if (applied.some(({ kind }) => kind === 'ResourceQuota')) return { by: 'unknown', why: 'a quota that nobody fills' };
  return { by: 'refuted', why: '' };
}

/** Returns why kro does not render an instance: an error, or a node that waits for a value of the instance. */
function failureOf({ stage, error, outcomes = [] }: Verdict): string | undefined {
  if (stage !== undefined && stage !== '' && stage !== 'pending') return `${stage}: ${error}`;
  for (const { stage: at, error: why, waits = [] } of outcomes) {
    if (at !== undefined && at !== '' && at !== 'pending') return `${at}: ${why}`;
    if (waits.length > 0) return `pending: ${waits.join(', ')}`;
  }
  return undefined;
}

const isOmission = ({ message }: Report): boolean => / is omitted, because /.test(message);

/** Reports whether kro applies the objects that this renderer renders, without those of the omitted node. */
function omitsTheSame(text: string, report: Report, identities: readonly string[]): boolean {
  const objects = [
    { file: 'package.yaml', text },
    { file: 'instance.yaml', text: report.reproduction ?? '' },
  ];
  const { objects: rendered } = render({ objects }, { onPending: 'skip' });
  const ours = rendered.map((one) => identityOf(fromPlain(one) as KubeObject)).sort();
  return JSON.stringify(ours) === JSON.stringify([...identities].sort());
}

const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace' };

/** What the API server says of an object: '' if it accepts it, undefined if it cannot tell. */
async function rejectionOf(api: Api, object: KubeObject): Promise<string | undefined> {
  const { status: _, ...rest } = object;
  if (!(await api.knows(rest as ValueMap).catch(() => false))) return undefined;
  const metadata: ValueMap = isMap(object.metadata) ? { ...object.metadata } : {};
  if (metadata.namespace !== undefined) {
    const asked = await api.create({ ...NAMESPACE, metadata: { name: metadata.namespace } }, { dryRun: true });
    if (asked.status === 422 || asked.status === 400) return `namespace: ${String(asked.body.message)}`;
    metadata.namespace = 'default';
  }
  const { status, body } = await api
    .create({ ...rest, metadata } as ValueMap, { dryRun: true })
    .catch((cause: Error) => ({ status: 400, body: { message: cause.message } as ValueMap }));
  if (status === 200 || status === 201 || status === 409) return '';
  return status === 400 || status === 422 ? String(body.message ?? 'rejected') : undefined;
}
