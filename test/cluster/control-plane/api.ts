import { Agent, request } from 'node:https';
import { parseJson } from '../../../src/core/encoding/json.ts';
import { isMap, type Value, type ValueMap } from '../../../src/core/model/value.ts';
import { jsonText } from '../documents.ts';

export interface Answer {
  status: number;
  body: ValueMap;
  /** The texts of its Warning headers. */
  warnings?: readonly string[];
}

/** Requests of the tests to an API server, repeated if it is busy or does not answer. */
export interface Api {
  get(path: string): Promise<Answer>;
  post(path: string, body: ValueMap): Promise<Answer>;
  /** Creates an object; unknown and doubled fields are refused, or dropped with `drops`. */
  create(object: ValueMap, options?: { dryRun?: boolean; drops?: boolean }): Promise<Answer>;
  /** Server-side apply, by force and with strict field validation. */
  apply(object: ValueMap, options: { manager: string; dryRun?: boolean; subresource?: string }): Promise<Answer>;
  read(object: ValueMap): Promise<Answer>;
  /** Replaces an object that was read; unknown and doubled fields are refused. */
  replace(object: ValueMap, options?: { dryRun?: boolean }): Promise<Answer>;
  /** The names of the columns in which `kubectl get` prints the kind of an object: they are those of the CRD in force. */
  columns(object: ValueMap): Promise<string[]>;
  remove(object: ValueMap, options?: { dryRun?: boolean }): Promise<Answer>;
  /** All objects of the kind of an object, in all namespaces. */
  list(object: ValueMap, labelSelector?: string): Promise<ValueMap[]>;
  /** Whether the API server serves the kind of an object. */
  knows(object: ValueMap): Promise<boolean>;
  close(): void;
}

const JSON_TYPE = 'application/json';
const TABLE_TYPE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

interface Resource {
  name: string;
  namespaced: boolean;
}

/** The maximum number of attempts, and the delay before the second one, in milliseconds. */
const TRIES = 6;
const PAUSE = 250;
/** The timeout of a request, in milliseconds: a little longer than the one of an API server. */
const LONGEST = 90_000;

export function connect(url: string, token: string): Api {
  // The API server generates its certificate when it starts.
  const agent = new Agent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false });
  const once = (method: string, path: string, type?: string, body?: ValueMap, accept = JSON_TYPE): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers: Record<string, string> = { Authorization: `Bearer ${token}`, Accept: accept };
      if (type !== undefined) headers['Content-Type'] = type;
      const sent = request(`${url}${path}`, { method, agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const warnings = warningsIn(response.rawHeaders);
          resolve({ status: response.statusCode ?? 0, body: bodyOf(Buffer.concat(parts)), warnings });
        });
      });
      sent.setTimeout(LONGEST, () => sent.destroy(new Error(`no answer to ${method} ${path}`)));
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : jsonText(body));
    });
  const ask = (method: string, path: string, type?: string, body?: ValueMap, accept?: string): Promise<Answer> =>
    persistently(method, () => once(method, path, type, body, accept));

  const known = new Map<string, Map<string, Resource>>();
  const resourceOf = async (object: ValueMap): Promise<Resource | undefined> => {
    const version = String(object.apiVersion);
    const kind = String(object.kind);
    const found = known.get(version)?.get(kind);
    if (found !== undefined) return found;
    const { status, body } = await ask('GET', rootOf(version));
    if (status === 200) known.set(version, resourcesOf(body));
    return known.get(version)?.get(kind);
  };
  const pathOf = async (object: ValueMap, named: boolean): Promise<string> => {
    const resource = await resourceOf(object);
    if (resource === undefined) throw new Error(`the API server does not know ${object.apiVersion} ${object.kind}`);
    const metadata = isMap(object.metadata) ? object.metadata : {};
    const namespace = resource.namespaced
      ? `/namespaces/${encodeURIComponent(String(metadata.namespace ?? 'default'))}`
      : '';
    const name = named ? `/${encodeURIComponent(String(metadata.name))}` : '';
    return `${rootOf(String(object.apiVersion))}${namespace}/${resource.name}${name}`;
  };
  return {
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, JSON_TYPE, body),
    create: async (object, { dryRun = false, drops = false } = {}) => {
      const query = `fieldValidation=${drops ? 'Ignore' : 'Strict'}${dryRun ? '&dryRun=All' : ''}`;
      return ask('POST', `${await pathOf(object, false)}?${query}`, JSON_TYPE, object);
    },
    apply: async (object, { manager, dryRun = false, subresource }) => {
      const below = subresource === undefined ? '' : `/${subresource}`;
      const query = `fieldManager=${manager}&force=true&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`;
      return ask('PATCH', `${await pathOf(object, true)}${below}?${query}`, 'application/apply-patch+yaml', object);
    },
    read: async (object) => ask('GET', await pathOf(object, true)),
    replace: async (object, { dryRun = false } = {}) => {
      const query = `fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`;
      return ask('PUT', `${await pathOf(object, true)}?${query}`, JSON_TYPE, object);
    },
    columns: async (object) => {
      const { body } = await ask('GET', `${await pathOf(object, false)}?limit=1`, undefined, undefined, TABLE_TYPE);
      const columns = Array.isArray(body.columnDefinitions) ? body.columnDefinitions.filter(isMap) : [];
      return columns.map(({ name }) => String(name));
    },
    remove: async (object, { dryRun = false } = {}) =>
      ask('DELETE', `${await pathOf(object, true)}${dryRun ? '?dryRun=All' : ''}`),
    list: async (object, labelSelector) => {
      const resource = await resourceOf(object);
      if (resource === undefined) return [];
      const query = labelSelector === undefined ? '' : `?labelSelector=${encodeURIComponent(labelSelector)}`;
      const { body } = await ask('GET', `${rootOf(String(object.apiVersion))}/${resource.name}${query}`);
      const items = Array.isArray(body.items) ? body.items.filter(isMap) : [];
      return items.map((item) => ({ ...item, apiVersion: object.apiVersion ?? null, kind: object.kind ?? null }));
    },
    knows: async (object) => (await resourceOf(object)) !== undefined,
    close: () => agent.destroy(),
  };
}

/** Repeats a request until the answer is about the request, and not about a busy machine. */
export async function persistently(
  method: string,
  send: () => Promise<Answer>,
  pause: (milliseconds: number) => Promise<unknown> = (milliseconds) =>
    new Promise((end) => setTimeout(end, milliseconds)),
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send().catch((cause: Error) => cause);
    const isAnswer = !(answer instanceof Error);
    if (isAnswer && answer.status !== 429 && answer.status < 500) {
      // An earlier attempt may have succeeded.
      return method === 'POST' && tries > 1 && answer.status === 409 ? { ...answer, status: 200 } : answer;
    }
    if (tries === TRIES && isAnswer) return answer;
    if (tries === TRIES) throw answer;
    await pause(PAUSE * 2 ** (tries - 1));
  }
}

/** A header is `299 - "text"`. */
function warningsIn(headers: readonly string[]): string[] {
  return headers.flatMap((header, index) => {
    const isWarning = index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'warning';
    const text = isWarning ? /^299 \S+ "([\s\S]*)"$/.exec(header)?.[1] : undefined;
    return text === undefined ? [] : [Buffer.from(text, 'latin1').toString('utf8').replace(/\\(.)/g, '$1')];
  });
}

const rootOf = (version: string): string => (version.includes('/') ? `/apis/${version}` : `/api/${version}`);

function resourcesOf(list: ValueMap): Map<string, Resource> {
  const resources = Array.isArray(list.resources) ? list.resources.filter(isMap) : [];
  return new Map(
    resources
      .filter(({ name }) => !String(name).includes('/'))
      .map(({ kind, name, namespaced }) => [String(kind), { name: String(name), namespaced: namespaced === true }]),
  );
}

function bodyOf(bytes: Buffer): ValueMap {
  const text = bytes.toString('utf8');
  try {
    const value: Value = parseJson(text);
    return isMap(value) ? value : { message: text };
  } catch {
    return { message: text };
  }
}
