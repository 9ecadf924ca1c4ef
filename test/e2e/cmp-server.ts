import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { get, getAt, type Value } from '../../src/model/value.ts';
import { readStream } from '../../src/parse/yaml.ts';
import { bundle, execute, findTool, type Result } from './sandbox.ts';

/**
 * Does what argocd-cmp-server does for an Application, with the commands of plugin.yaml: a fresh copy of the repository
 * for each call, empty standard input, an environment of its own, and a limit of time.
 */
export interface CmpServer {
  discover: (application: Value) => Result & { supported: boolean };
  generate: (application: Value) => Result & { manifests: Value[] };
  parameters: (application: Value) => Result;
}

/** `top` is a folder of the test's own; `repository` a folder whose `examples/` are what Git would hold. */
export function cmpServer(top: string, repository: string): CmpServer {
  const config =
    readStream(readFileSync(join(bundle, '../../plugin-discovery.yaml'), 'utf8')).documents[0]?.value ?? null;
  const bin = join(top, 'bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(bundle, join(bin, 'render-rgd'));
  const tools = ['kustomize', 'helm'].flatMap((name) => findTool(name) ?? []);
  const path = [bin, dirname(process.execPath), ...tools.map((tool) => dirname(tool)), '/usr/bin', '/bin'].join(':');

  const call = (command: readonly string[], application: Value): Result => {
    const [name = '', ...args] = texts(getAt(config, ['spec', ...command, 'command']));
    mkdirSync(join(top, '_cmp_server'), { recursive: true });
    const copy = mkdtempSync(join(top, '_cmp_server/'));
    cpSync(join(repository, 'examples'), join(copy, 'examples'), { recursive: true });
    const cwd = join(copy, String(getAt(application, ['spec', 'source', 'path'])));
    const env = { PATH: path, HOME: '/', ARGOCD_CMP_WORKDIR: top, ...variablesOf(application) };
    try {
      return execute(name, args, { cwd, env, input: '' });
    } finally {
      rmSync(copy, { recursive: true });
    }
  };
  return {
    discover: (application) => {
      const result = call(['discover', 'find'], application);
      return { ...result, supported: result.code === 0 && result.stdout.replace(/\n$/, '') !== '' };
    },
    generate: (application) => {
      const result = call(['generate'], application);
      return { ...result, manifests: manifestsOf(result.stdout) };
    },
    parameters: (application) => call(['parameters', 'dynamic'], application),
  };
}

/** Argo CD flattens what has items. */
function manifestsOf(stdout: string): Value[] {
  const { documents, problems } = readStream(stdout);
  if (problems.length > 0) throw new Error(`no objects: ${JSON.stringify(problems)}\n${stdout}`);
  return documents.flatMap(({ value }) => {
    const items = get(value, 'items');
    return Array.isArray(items) ? items : [value];
  });
}

/** The standard build environment, and the parameters in both forms. */
function variablesOf(application: Value): Record<string, string> {
  const plugin = getAt(application, ['spec', 'source', 'plugin']);
  const given = get(plugin, 'parameters');
  const parameters = Array.isArray(given) ? given : [];
  const variables: Record<string, string> = {
    ARGOCD_APP_NAME: String(getAt(application, ['metadata', 'name'])),
    ARGOCD_APP_NAMESPACE: String(getAt(application, ['spec', 'destination', 'namespace'])),
    ARGOCD_APP_SOURCE_PATH: String(getAt(application, ['spec', 'source', 'path'])),
    ARGOCD_APP_PARAMETERS: given === undefined ? 'null' : JSON.stringify(given),
    KUBE_VERSION: '1.33.1',
    KUBE_API_VERSIONS: 'v1,apps/v1,networking.k8s.io/v1,networking.k8s.io/v1/Ingress',
  };
  for (const parameter of parameters) {
    const name = `PARAM_${String(get(parameter, 'name'))
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, '_')}`;
    const text = get(parameter, 'string');
    if (typeof text === 'string') variables[name] = text;
    texts(get(parameter, 'array')).forEach((item, index) => {
      variables[`${name}_${index}`] = item;
    });
  }
  return variables;
}

const texts = (value: Value | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);
