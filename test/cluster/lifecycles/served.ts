/** What an API server of one release serves, and what it warns about. */
import type { GroupVersionKind } from '../../../src/core/model/object.ts';
import { isMap, type Value, type ValueMap } from '../../../src/core/model/value.ts';
import { pluralize } from '../../../src/kubernetes/schema/index.ts';
import type { Lifecycle } from '../../../src/kubernetes/schema/lifecycles.ts';
import type { Answer, Api } from '../control-plane/api.ts';

/** A kind that the API server serves, with what its Warning headers say of it. */
export interface Served {
  kind: GroupVersionKind;
  warned: Lifecycle | undefined;
  /** Warnings about the kind that are not understood. */
  others: readonly string[];
}

interface Resource {
  kind: string;
  name: string;
  namespaced: boolean;
  verbs: readonly string[];
}

const listAt = (value: Value | undefined): ValueMap[] => (Array.isArray(value) ? value.filter(isMap) : []);

const textsAt = (value: Value | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

const rootOf = (group: string, version: string): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

const apiVersionOf = (group: string, version: string): string => (group === '' ? version : `${group}/${version}`);

/** Asks for every kind of every version, and creates an object of each (dry run). */
export async function servedKinds(api: Api): Promise<Served[]> {
  const found: Served[] = [];
  for (const { group, version } of await groupVersions(api)) {
    const { body } = await api.get(rootOf(group, version));
    for (const resource of resourcesIn(body)) {
      const answers = await requests(api, group, version, resource);
      const kind = { group, version, kind: resource.kind };
      const texts = new Set(answers.flatMap(({ warnings = [] }) => warnings));
      const about = [...texts].filter((text) => text.startsWith(`${apiVersionOf(group, version)} ${resource.kind} `));
      const [warned] = about.map(readWarning);
      found.push({ kind, warned, others: about.filter((text) => readWarning(text) === undefined) });
    }
  }
  return found;
}

async function groupVersions(api: Api): Promise<{ group: string; version: string }[]> {
  const core = await api.get('/api');
  const others = await api.get('/apis');
  return [
    ...textsAt(core.body.versions).map((version) => ({ group: '', version })),
    ...listAt(others.body.groups).flatMap(({ name, versions }) =>
      listAt(versions).map(({ version }) => ({ group: String(name), version: String(version) })),
    ),
  ];
}

const resourcesIn = (body: ValueMap): Resource[] =>
  listAt(body.resources)
    .map(({ kind, name, namespaced, verbs }) => ({
      kind: String(kind),
      name: String(name),
      namespaced: namespaced === true,
      verbs: textsAt(verbs),
    }))
    .filter(({ name }) => !name.includes('/'));

async function requests(api: Api, group: string, version: string, resource: Resource): Promise<Answer[]> {
  const { kind, name, namespaced, verbs } = resource;
  const path = `${rootOf(group, version)}${namespaced ? '/namespaces/default' : ''}/${name}`;
  const answers: Answer[] = [];
  if (verbs.includes('list')) answers.push(await api.get(`${path}?limit=1`));
  if (verbs.includes('create')) {
    const object = { apiVersion: apiVersionOf(group, version), kind, metadata: { name: 'one' } };
    answers.push(await api.post(`${path}?dryRun=All`, object));
  }
  return answers;
}

/** Reads `batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob`. */
export function readWarning(text: string): Lifecycle | undefined {
  const form =
    /^\S+ \S+ is deprecated in v(?<deprecated>1\.\d+)\+(?:, unavailable in v(?<removed>1\.\d+)\+)?(?:; use (?<apiVersion>\S+) (?<kind>\S+))?$/;
  const { deprecated, removed, apiVersion, kind } = form.exec(text)?.groups ?? {};
  if (deprecated === undefined) return undefined;
  const lifecycle: Lifecycle = { deprecated };
  if (removed !== undefined) lifecycle.removed = removed;
  if (apiVersion !== undefined && kind !== undefined) {
    const slash = apiVersion.lastIndexOf('/');
    const group = slash === -1 ? '' : apiVersion.slice(0, slash);
    lifecycle.replacement = { group, version: apiVersion.slice(slash + 1), kind };
  }
  return lifecycle;
}

/** Reports whether the API server answers a request for a kind with 404. */
export async function isMissing(api: Api, { group, version, kind }: GroupVersionKind): Promise<boolean> {
  const { status } = await api.get(`${rootOf(group, version)}/${pluralize(kind.toLowerCase())}`);
  return status === 404;
}
