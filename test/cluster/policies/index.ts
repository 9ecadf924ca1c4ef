import type { Decision } from '../../../src/check/policies/evaluate.ts';
import { compilePolicies, type Operation } from '../../../src/check/policies/index.ts';
import { Collector, isError } from '../../../src/core/diagnostics/index.ts';
import { groupVersionKind, type InputObject, type KubeObject, nameOf } from '../../../src/core/model/object.ts';
import { get, getAt, listOf } from '../../../src/core/model/value.ts';
import { builtinKinds, kindsOf } from '../../../src/kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../../src/render/options/index.ts';
import { sample } from '../../differential/draw.ts';
import type { Answer, Api } from '../control-plane/api.ts';
import type { Programs } from '../control-plane/build.ts';
import { startControlPlane } from '../control-plane/start.ts';
import { jsonText } from '../documents.ts';
import { type Case, drawCase } from './generate.ts';
import { crds, namespaces, others, pairs, params } from './objects.ts';
import { type Library, readLibrary } from './read.ts';

interface Asked {
  folders: readonly string[];
  count: number;
  seed: number;
  show: number;
}

export interface Found {
  policies: number;
  decisions: number;
  equal: number;
  undecided: number;
  open: number;
  /** Objects that the API server rejects before a policy sees them. */
  invalid: number;
  /** By reason, how many decisions were not made. */
  reasons: Map<string, number>;
}

/** How many policies are in the cluster at once: the texts of warnings have a limit for each request. */
const AT_ONCE = 8;
const MANAGER = 'render-rgd-test';

/** Compares the decisions of random policies, and of those in folders, with those of an API server. */
export async function checkPolicies(programs: Programs, { folders, count, seed, show }: Asked): Promise<Found> {
  const found: Found = { policies: 0, decisions: 0, equal: 0, undecided: 0, open: 0, invalid: 0, reasons: new Map() };
  const library = readLibrary(folders);
  const cluster = await startControlPlane(programs);
  const { api } = cluster;
  try {
    for (const object of [...namespaces, ...crds, ...library.crds]) await api.apply(object, { manager: MANAGER });
    await established(api, library);
    for (const object of [...params, ...library.params]) await api.apply(object, { manager: MANAGER });
    const operations: Operation[] = [];
    for (const [before, after] of pairs) {
      const { status, body } = await api.apply(before, { manager: MANAGER });
      if (status >= 300) throw new Error(`${before.kind}/${nameOf(before)} is not stored: ${body.message}`);
      operations.push({ object: fresh(before) }, { object: fresh(after) }, { object: after, oldObject: before });
      operations.push({ oldObject: before });
    }
    for (const object of others) operations.push({ object });
    for (const object of library.objects) operations.push({ object: await placed(object, api) });
    let index = 0;
    const cases = [...library.cases, ...sample((draw) => drawCase(draw, index++), count, seed)];
    for (let at = 0; at < cases.length; at += AT_ONCE) {
      await judge(api, cases.slice(at, at + AT_ONCE), operations, { found, show, library });
    }
    return found;
  } finally {
    await cluster.stop();
  }
}

const fresh = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...(object.metadata as object), name: `${nameOf(object)}-new` },
});

/** Returns an object in a namespace, if its kind has one. */
async function placed(object: KubeObject, api: Api): Promise<KubeObject> {
  const isNamespaced = builtinKinds.find(groupVersionKind(object))?.namespaced === true && (await api.knows(object));
  return { ...object, metadata: { ...(object.metadata as object), ...(isNamespaced && { namespace: 'plain' }) } };
}

async function established(api: Api, library: Library): Promise<void> {
  const all = [...params, ...library.params];
  for (let tries = 0; tries < 200; tries += 1) {
    const states = await Promise.all([...crds, ...library.crds].map((crd) => api.read(crd)));
    const isServed = states.every(({ body }) => jsonText(body).includes('"type":"Established"'));
    if (isServed && (await Promise.all(all.map((one) => api.knows(one).catch(() => false)))).every(Boolean)) return;
    await new Promise((end) => setTimeout(end, 250));
  }
}

let probes = 0;

async function judge(
  api: Api,
  cases: readonly Case[],
  operations: readonly Operation[],
  { found, show, library }: { found: Found; show: number; library: Library },
): Promise<void> {
  const inputs: InputObject[] = cases.flatMap(({ objects }) => objects.map((object) => ({ object })));
  const reports = new Collector();
  const known = [...namespaces, ...params, ...library.params, ...pairs.map(([before]) => before)].map((object) => ({
    object,
  }));
  const { decide } = compilePolicies(
    {
      policies: inputs,
      known,
      complete: known,
      crds: [...crds, ...library.crds],
      kinds: kindsOf(
        [...crds, ...library.crds].map((object) => ({ object })),
        undefined,
        defaultRenderOptions.kubernetes,
        new Collector(),
      ),
      limits: defaultRenderOptions,
      namespace: 'default',
      user: { name: 'admin', groups: ['system:masters'] },
    },
    operations.length * cases.length,
    reports,
  );
  const accepted: KubeObject[] = [];
  for (const { object } of inputs) {
    const { status, body } = await api.create(object);
    if (status < 300) accepted.push(object);
    const title = `${object.kind}/${nameOf(object)}`;
    const isKnown = !reports.all.some((one) => isError(one) && one.object === title);
    if (status < 300 !== isKnown) {
      found.open += 1;
      const ours = reports.all
        .filter((one) => one.object?.endsWith(`/${nameOf(object)}`))
        .map(({ message }) => message);
      console.log(
        `OPEN ${object.kind}/${nameOf(object)}: API server ${status} ${body.message ?? ''}; here ${ours.join('; ') || 'accepted'}\n  ${jsonText(object)}`,
      );
    }
  }
  found.policies += cases.length;
  await settled(api, accepted);
  for (const operation of operations) {
    const answer = await send(api, operation);
    compare(
      operation,
      answer,
      decide(operation).flatMap((one) => ('skipped' in one ? [] : one)),
      cases,
      found,
      show,
    );
  }
  for (const object of accepted) await api.remove(object);
}

/** Waits until the API server uses the policies: a policy that is created later is used last. */
async function settled(api: Api, accepted: KubeObject[]): Promise<void> {
  const name = `probe-${probes++}`;
  const of = (kind: string, spec: KubeObject['spec']): KubeObject =>
    ({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, spec }) as KubeObject;
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['endpoints'] };
  const policy = of('ValidatingAdmissionPolicy', {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'false', message: name }],
  });
  const binding = of('ValidatingAdmissionPolicyBinding', { policyName: name, validationActions: ['Warn'] });
  for (const object of [policy, binding]) {
    await api.create(object);
    accepted.push(object);
  }
  const probe = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'probe', namespace: 'default' } };
  for (let tries = 0; tries < 400; tries += 1) {
    const { warnings = [] } = await api.create(probe, { dryRun: true });
    if (warnings.some((text) => text.endsWith(`: ${name}`))) return;
    await new Promise((end) => setTimeout(end, 100));
  }
  throw new Error('the API server does not use the policies');
}

const send = (api: Api, { object, oldObject }: Operation): Promise<Answer> =>
  object === undefined
    ? api.remove(oldObject as KubeObject, { dryRun: true })
    : oldObject === undefined
      ? api.create(object, { dryRun: true })
      : api.apply(object, { manager: MANAGER, dryRun: true });

/**
 * Returns the text of a denial after its action. An expression that asks the authorizer may reject a request either way: whether it fails or
 * is false depends on the answer, which only a cluster knows.
 */
function withoutCause(text: string, objects: readonly KubeObject[]): string {
  const expressions = objects
    .flatMap(({ spec }) => listOf(get(spec, 'validations')))
    .map((validation) => String(get(validation, 'expression')).trim())
    .filter((expression) => expression.includes('authorizer'));
  const [action = ''] = text.split(' ', 1);
  const failing = expressions.find((one) => text.startsWith(`${action} expression '${one}' resulted in error: `));
  return failing === undefined ? text : `${action} failed expression: ${failing}`;
}

function compare(
  operation: Operation,
  { status, body, warnings = [] }: Answer,
  decisions: readonly Decision[],
  cases: readonly Case[],
  found: Found,
  show: number,
): void {
  const own = (operation.object ?? operation.oldObject) as KubeObject;
  const verb = operation.object === undefined ? 'DELETE' : operation.oldObject === undefined ? 'CREATE' : 'UPDATE';
  const denied =
    /^(?:.*?)ValidatingAdmissionPolicy '([^']*)'(?: with binding '[^']*')? denied request: ([\s\S]*)$/.exec(
      String(body.message ?? ''),
    );
  // Other errors come before the policies, except that the object exists.
  if (status >= 300 && status !== 409 && denied === null) {
    found.invalid += 1;
    return;
  }
  const isDenied = decisions.some((one) => 'denial' in one && one.action === 'Deny');
  for (const { name, objects } of cases) {
    found.decisions += 1;
    const ofPolicy = decisions.filter(({ policy }) => policy.key === name);
    const prefix = `Validation failed for ValidatingAdmissionPolicy '${name}' with binding '`;
    const server = new Set(
      warnings
        .filter((text) => text.startsWith(prefix))
        .map((text) => `Warn: ${text.slice(text.indexOf("': ", prefix.length) + 3)}`),
    );
    if (denied?.[1] === name) server.add(`Deny: ${denied[2]}`);
    const ours = new Set(
      ofPolicy.flatMap((one) =>
        'denial' in one && one.action !== 'Audit' && one.denial.unknownMessage === undefined
          ? [`${one.action}: ${one.denial.message}`]
          : [],
      ),
    );
    for (const text of [...server]) {
      const either = withoutCause(text, objects);
      if (ours.has(text) || !ours.has(either)) continue;
      server.delete(text);
      server.add(either);
    }
    const undecided = ofPolicy.flatMap((one) =>
      'undecided' in one ? one.undecided : (one.denial.unknownMessage ?? []),
    );
    // The answer has only the first denial.
    for (const text of ours) if (text.startsWith('Deny: ') && denied !== null && !server.has(text)) ours.delete(text);
    if (undecided.length > 0) {
      found.undecided += 1;
      for (const reason of new Set(undecided)) found.reasons.set(reason, (found.reasons.get(reason) ?? 0) + 1);
      for (const text of ours) if (!server.has(text)) undecided.length = 0;
      if (undecided.length > 0) continue;
    }
    const [left, right] = [[...server].sort(), [...ours].sort()];
    if (jsonText(left) === jsonText(right) && (denied === null) === !isDenied) {
      found.equal += 1;
      continue;
    }
    if (
      left.length === right.length &&
      (denied === null) === !isDenied &&
      left.every((text, at) => sameText(text, right[at] ?? ''))
    ) {
      found.equal += 1;
      continue;
    }
    // Another policy's denial is counted there.
    if (jsonText(left) === jsonText(right)) {
      found.equal += 1;
      continue;
    }
    found.open += 1;
    if (found.open <= show) {
      console.log(`OPEN ${name} ${verb} ${own.kind}/${getAt(own, ['metadata', 'namespace']) ?? ''}/${nameOf(own)}`);
      console.log(
        `  server: ${left.join(' | ')}\n  here:   ${right.join(' | ')}${undecided.length > 0 ? ` (${undecided})` : ''}`,
      );
      console.log(`  ${jsonText(own).slice(0, 1500)}\n  ${jsonText(objects as never)}`);
    }
  }
  if ((denied === null) === isDenied && !decisions.some((one) => 'undecided' in one)) {
    found.open += 1;
    console.log(
      `OPEN ${verb} ${own.kind}/${nameOf(own)}: the API server ${denied === null ? 'admits' : 'denies'} it: ${body.message ?? ''}`,
    );
  }
}

/** An API server shortens long warnings. */
const sameText = (server: string, ours: string): boolean =>
  server === ours || (server.length >= 250 && ours.startsWith(server.slice(0, 200)));
