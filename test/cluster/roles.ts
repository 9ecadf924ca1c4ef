import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roleFor } from '../../src/check/rbac/index.ts';
import { groupVersionKind, type KubeObject, nameOf } from '../../src/core/model/object.ts';
import { get, isMap, type Value, type ValueMap } from '../../src/core/model/value.ts';
import { isRgd } from '../../src/kro/definition/read.ts';
import { builtinKinds, pluralize } from '../../src/kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../src/render/options/index.ts';
import { judgeBatch } from './batch.ts';
import { batchesOf } from './batches.ts';
import { kroSources, type Programs } from './control-plane/build.ts';
import type { ControlPlane, Kro } from './control-plane/start.ts';
import { startControlPlane } from './control-plane/start.ts';
import { readPackageText } from './documents.ts';
import { fixturesOf, instancesOf, namespaces, placed, placeFixture, withoutReadiness } from './fixtures.ts';
import { outcomeOf } from './outcome.ts';
import type { Prepared } from './verdict.ts';

const RBAC = 'rbac.authorization.k8s.io/v1';
const USER = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'kro' };
const FORBIDDEN = /is forbidden: User \\?"kro\\?" cannot [^:]*/;
/** How long kro may take to delete objects or to need a verb, in seconds. */
const PATIENCE = 120;

/**
 * Checks that kro, with its own role and those of `rbac`, reconciles and deletes every example, and needs each verb.
 * There is no controller manager, so that each role that kro's label selects is bound instead of aggregated.
 */
export async function checkRoles(programs: Programs, prepared: readonly Prepared[]): Promise<string[]> {
  const faults: string[] = [];
  const examples = prepared.filter(({ one }) => one.name.startsWith('examples/') && one.leftOut === undefined);
  for (const batch of batchesOf(examples)) faults.push(...(await inCluster(programs, (one) => reconciles(one, batch))));
  const smallest = examples.filter(({ one }) => one.name === 'examples/collections');
  for (const verb of 'create delete get list patch update watch'.split(' ')) {
    faults.push(...(await inCluster(programs, (one) => misses(one, smallest, verb))));
  }
  console.log(`roles: ${examples.length} examples, ${faults.length} faults`);
  return examples.length > 0 && smallest.length > 0 ? faults : [...faults, 'no example was found'];
}

async function inCluster(programs: Programs, run: (cluster: ControlPlane) => Promise<string[]>): Promise<string[]> {
  const cluster = await startControlPlane(programs);
  try {
    return await run(cluster);
  } finally {
    await cluster.stop();
  }
}

/** All examples, from their creation to their deletion, without an answer that something is forbidden. */
async function reconciles(cluster: ControlPlane, cases: readonly Prepared[]): Promise<string[]> {
  const faults = await wrongPlurals(cluster);
  await grant(cluster, cases, '');
  const kro: Kro[] = [];
  const startKro = async (): Promise<Kro> => {
    kro.push(await cluster.startKro('kro'));
    return kro[0] as Kro;
  };
  const judged = await judgeBatch({ ...cluster, startKro }, cases);
  for (const { one } of cases) {
    const verdict = judged.get(one.name);
    const outcome = verdict && outcomeOf(one, verdict);
    if (outcome === undefined || outcome.kind === 'open')
      faults.push(`${one.name}: ${outcome?.faults.join('; ') ?? 'was not applied'}`);
  }
  if (!(await deleted(cluster, cases, () => false))) faults.push('not everything was deleted');
  const refused = kro.flatMap((one) => FORBIDDEN.exec(one.log()) ?? []);
  return kro.length === 0 ? [...faults, 'kro was not started'] : [...faults, ...refused.map((text) => `kro: ${text}`)];
}

/** Returns a fault unless kro is refused something without a verb. */
async function misses(cluster: ControlPlane, cases: readonly Prepared[], verb: string): Promise<string[]> {
  await namespaces(cluster, cases);
  await grant(cluster, cases, verb);
  for (const { one } of cases) {
    for (const object of fixturesOf(one)) await placeFixture(cluster, object, one.namespace);
    for (const rgd of one.objects.filter(isRgd)) await cluster.api.create(withoutReadiness(rgd));
  }
  const kro = await cluster.startKro('kro');
  const isRefused = (): boolean => FORBIDDEN.test(kro.log());
  const active = async (): Promise<boolean> => {
    for (const instance of cases.flatMap(({ one }) => instancesOf(one).map((each) => placed(each, one.namespace)))) {
      if (!(await cluster.api.knows(instance))) return false;
      const live = await cluster.api.read(instance);
      if (live.status === 404) await cluster.api.create(instance);
      if (get(live.body.status ?? null, 'state') !== 'ACTIVE') return false;
    }
    return true;
  };
  await within(async () => isRefused() || (await active()));
  if (!isRefused()) await deleted(cluster, cases, isRefused);
  await kro.stop();
  return isRefused() ? [] : [`kro does not need the verb ${verb}`];
}

/** Deletes all instances and waits until they and their objects are gone. */
async function deleted({ api }: ControlPlane, cases: readonly Prepared[], isEnough: () => boolean): Promise<boolean> {
  const instances = cases.flatMap(({ one }) => instancesOf(one).map((each) => placed(each, one.namespace)));
  for (const instance of instances) await api.remove(instance);
  const all = [...instances, ...cases.flatMap(({ written }) => written)];
  return within(async () => {
    if (isEnough()) return true;
    for (const one of all) if ((await api.read(one)).status !== 404) return false;
    return true;
  });
}

/** Binds kro's own role and those of `rbac`, the latter without a verb, to the user. */
async function grant({ api }: ControlPlane, cases: readonly Prepared[], verb: string): Promise<void> {
  const roles = cases.map(({ one }) => {
    const objects = one.objects.map((object) => ({ object }));
    const asked = { for: 'kro', name: `kro:controller:${one.label}` } as const;
    return without(roleFor({ objects }, defaultRenderOptions, asked).role, verb);
  });
  for (const role of [ownRole(), ...roles]) {
    const answers = [
      await api.create(role),
      await api.create({
        apiVersion: RBAC,
        kind: 'ClusterRoleBinding',
        metadata: { name: nameOf(role) },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: nameOf(role) },
        subjects: [USER],
      }),
    ];
    for (const { status, body } of answers) if (status >= 400) throw new Error(String(body.message));
  }
}

function without(role: KubeObject, verb: string): KubeObject {
  const rules = (Array.isArray(role.rules) ? role.rules : []).filter(isMap).map((rule): ValueMap => {
    const verbs = Array.isArray(rule.verbs) ? rule.verbs.filter((one) => one !== verb) : [];
    return { ...rule, verbs };
  });
  return { ...role, rules: rules.filter(({ verbs }) => Array.isArray(verbs) && verbs.length > 0) };
}

/** The role that kro's chart gives to the controller with `rbac.mode: aggregation`. */
function ownRole(): KubeObject {
  const chart = readFileSync(join(kroSources(), 'helm/templates/cluster-role.yaml'), 'utf8');
  const text = chart.slice(chart.lastIndexOf('\nrules:'), chart.lastIndexOf('{{- end }}'));
  const head = `apiVersion: ${RBAC}\nkind: ClusterRole\nmetadata: { name: "kro:controller:static" }`;
  return readPackageText(`${head}${text}`)[0] as KubeObject;
}

/** Compares the names of resources of Kubernetes' own kinds with those that the API server serves. */
async function wrongPlurals({ api }: ControlPlane): Promise<string[]> {
  const faults: string[] = [];
  const versions = new Set([...builtinKinds.names()].map((name) => name.slice(name.indexOf('.') + 1)));
  for (const name of versions) {
    const [version = '', ...group] = name.split('.');
    const path = group.join('.') === '' ? `/api/${version}` : `/apis/${group.join('.')}/${version}`;
    const { resources } = (await api.get(path)).body;
    for (const one of Array.isArray(resources) ? resources : ([] as Value[])) {
      const [kind, resource] = [String(get(one, 'kind')), String(get(one, 'name'))];
      if (resource.includes('/') || groupVersionKind({ kind }).kind === '') continue;
      if (pluralize(kind.toLowerCase()) !== resource) faults.push(`the resource of ${kind} is ${resource}`);
    }
  }
  return faults;
}

async function within(check: () => Promise<boolean>): Promise<boolean> {
  for (let left = PATIENCE; left > 0; left -= 1) {
    if (await check()) return true;
    await new Promise((done) => setTimeout(done, 1000));
  }
  return false;
}
