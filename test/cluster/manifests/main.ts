import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { validatePackage } from '../../../src/check/validate/index.ts';
import { readerWith, readFiles } from '../../../src/cli/files.ts';
import { Collector, format, isError, phrase, type Report, shown } from '../../../src/core/diagnostics/index.ts';
import { groupKindOf, type InputObject, type KubeObject, placeOfSource } from '../../../src/core/model/object.ts';
import type { RenderInput } from '../../../src/core/model/render.ts';
import { isMap, type ValueMap } from '../../../src/core/model/value.ts';
import { readInput } from '../../../src/describe/input/index.ts';
import { defaultSettings } from '../../../src/render/options/index.ts';
import { withoutEarlier } from '../../../src/render/rerender/index.ts';
import { objectsIn } from '../../../src/yaml/parse/index.ts';
import type { Api } from '../control-plane/api.ts';
import { buildControlPlane, hasGo } from '../control-plane/build.ts';
import { startControlPlane } from '../control-plane/start.ts';

/** The errors about the schema of an object, which an API server gives too. */
const CODES: readonly Report['code'][] = [
  'rendered-type',
  'rendered-required',
  'rendered-value',
  'rendered-unknown-field',
];

/** Objects without an error that are sent for each repository. */
const MOST_VALID = 200;

interface Row {
  name: string;
  objects: number;
  /** Objects with an error, and those of them that the API server rejects, accepts, and cannot tell of. */
  wrong: number;
  confirmed: number;
  accepted: number;
  unknown: number;
  /** Objects without an error that were sent, and those that the API server rejects. */
  valid: number;
  missed: number;
}

/** What the API server says of an object; undefined if its error is about the server or other objects. */
async function rejectionOf(api: Api, object: KubeObject): Promise<string | undefined> {
  const { status: _, ...rest } = object;
  const metadata: ValueMap = { ...(isMap(object.metadata) ? object.metadata : {}), namespace: 'default' };
  const sent = { ...rest, metadata } as ValueMap;
  const kind = groupKindOf(object);
  if (!(await api.knows(sent).catch(() => false))) return undefined;
  const isCluster = CLUSTER.has(kind);
  if (isCluster) delete metadata.namespace;
  const { status, body } = await api.create(sent, { dryRun: true }).catch(() => ({ status: 0, body: {} as ValueMap }));
  if (status === 200 || status === 201 || status === 409) return '';
  return status === 400 || status === 422 ? String(body.message ?? 'rejected') : undefined;
}

const CLUSTER: ReadonlySet<string> = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'ClusterRole.rbac.authorization.k8s.io',
  'ClusterRoleBinding.rbac.authorization.k8s.io',
  'StorageClass.storage.k8s.io',
  'PriorityClass.scheduling.k8s.io',
  'CustomResourceDefinition.apiextensions.k8s.io',
  'APIService.apiregistration.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  'IngressClass.networking.k8s.io',
]);

/** Reads a clone as `validate` does. */
function read(clone: string): RenderInput {
  const reports = new Collector();
  const texts = readFiles([clone], {}, reports);
  const input = readInput(texts, defaultSettings, readerWith({}), reports);
  return withoutEarlier({ ...input, isNamedFile: false });
}

async function judge(clone: string, api: Api): Promise<Row> {
  const name = basename(clone).replace('+', '/');
  const input = read(clone);
  const { reports, evidence } = validatePackage(input, defaultSettings);
  const given = objectsIn(input.objects);
  for (const { object } of given) {
    if (object.kind === 'CustomResourceDefinition')
      await api.create(object as unknown as ValueMap).catch(() => undefined);
  }
  const byPlace = new Map(given.map((one) => [placeOfSource(one.source), one]));
  const errors = new Map<InputObject, Report[]>();
  for (const report of reports) {
    if (!isError(report) || !CODES.includes(report.code)) continue;
    const input = byPlace.get(placeOfSource(report.source));
    if (input !== undefined) errors.set(input, [...(errors.get(input) ?? []), report]);
  }
  const row: Row = {
    name,
    objects: given.length,
    wrong: errors.size,
    confirmed: 0,
    accepted: 0,
    unknown: 0,
    valid: 0,
    missed: 0,
  };
  for (const [{ object, source }, own] of errors) {
    const rejection = await rejectionOf(api, object);
    if (rejection === undefined) row.unknown += 1;
    else if (rejection === '') {
      row.accepted += 1;
      console.log(
        `FALSE ${name} ${source?.file} ${object.kind}: ${own.map(({ message }) => format(phrase`${shown(message)}`)).join('; ')}`,
      );
    } else row.confirmed += 1;
  }
  // Only objects that somebody checked can be valid.
  const checked = evidence.given.flatMap(({ outcome, file, document, title }) =>
    outcome.is === 'checked' && outcome.by === 'schema' ? [JSON.stringify([file, document, title])] : [],
  );
  const isChecked = new Set(checked);
  const failed = new Set([...errors.keys()]);
  const valid = given.filter((one) => {
    const key = JSON.stringify([one.source?.file, one.source?.document, `${one.object.kind}/${nameIn(one.object)}`]);
    return !failed.has(one) && isChecked.has(key) && one.object.kind !== 'CustomResourceDefinition';
  });
  const step = Math.max(1, Math.floor(valid.length / MOST_VALID));
  for (const [index, { object, source }] of valid.entries()) {
    if (index % step !== 0) continue;
    const rejection = await rejectionOf(api, object);
    if (rejection === undefined) continue;
    row.valid += 1;
    if (rejection === '') continue;
    row.missed += 1;
    console.log(`MISSED ${name} ${source?.file}: ${rejection.slice(0, 300)}`);
  }
  return row;
}

const nameIn = ({ metadata }: KubeObject): string => (isMap(metadata) ? String(metadata.name ?? '') : '');

async function run(list: string): Promise<void> {
  const clones = readFileSync(list, 'utf8').split('\n').filter(Boolean);
  const rows: Row[] = [];
  for (const clone of clones) {
    // A cluster of its own, because repositories have other versions of the same CRDs.
    const cluster = await startControlPlane(buildControlPlane());
    try {
      const row = await judge(clone, cluster.api);
      rows.push(row);
      console.log(JSON.stringify(row));
    } finally {
      await cluster.stop();
    }
  }
  const sum = (key: Exclude<keyof Row, 'name'>): number => rows.reduce((total, row) => total + row[key], 0);
  console.log(
    `${rows.length} repositories, ${sum('objects')} objects: ${sum('wrong')} with an error, ${sum('confirmed')} of them rejected by the API server, ${sum('accepted')} accepted, ${sum('unknown')} unknown to it; ${sum('valid')} without an error sent, ${sum('missed')} rejected`,
  );
  process.exitCode = sum('accepted') === 0 && rows.length > 0 ? 0 : 1;
}

const [list] = process.argv.slice(2);
if (list === undefined) {
  console.error('usage: npm run manifests -- LIST');
  process.exitCode = 2;
} else if (hasGo()) await run(list);
else {
  console.log('SKIPPED: go is not here, so there is no API server');
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
}
