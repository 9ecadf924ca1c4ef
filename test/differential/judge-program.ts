import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildControlPlane,
  buildJudge,
  buildNextJudge,
  cachedFolder,
  kroSources,
  moduleFolder,
} from '../cluster/control-plane/build.ts';
import { startControlPlane } from '../cluster/control-plane/start.ts';
import { versions } from '../cluster/control-plane/versions.ts';

/** Where kro keeps the CRD of its RGDs. */
const RGD_CRD = 'helm/crds/kro.run_resourcegraphdefinitions.yaml';

/**
 * Returns the command that starts the oracle. The OpenAPI document of an API server is cached, so that the next run
 * does not need one.
 */
export async function judgeCommand(): Promise<string[]> {
  const judge = buildJudge();
  const openapi = await cachedFolder(`openapi-${versions.kubernetes}-${versions.kro}`, async (folder) => {
    const cluster = await startControlPlane(buildControlPlane());
    try {
      execFileSync(judge, ['-openapi', folder, 'dump', cluster.kubeconfig], { stdio: 'inherit' });
    } finally {
      await cluster.stop();
    }
  });
  return [judge, '-openapi', openapi, '-rgd', join(kroSources(), RGD_CRD)];
}

/**
 * Returns the command that starts the oracle of a published version of kro. Kubernetes' own kinds are those of its
 * sources, so that no API server is needed.
 */
export async function versionJudgeCommand(version: string): Promise<string[]> {
  const openapi = await openapiOfSources();
  return [buildJudge(version), '-openapi', openapi, '-rgd', join(kroSources(version), RGD_CRD)];
}

/**
 * Returns the commands that start the oracles of kro 0.10 and of kro 0.9: `sources` is a folder of kro's sources with the
 * engine of pull request 1355. Kubernetes' own kinds are those of its sources, so that no API server is needed.
 */
export async function nextJudgeCommands(sources: string): Promise<{ next: string[]; before: string[] }> {
  if (!existsSync(join(sources, GRAPH_CRD))) throw new Error(`${sources} has no ${GRAPH_CRD}`);
  const openapi = await openapiOfSources();
  const [rgd, graph] = [join(sources, RGD_CRD), join(sources, GRAPH_CRD)];
  return {
    next: [buildNextJudge(sources), '-openapi', openapi, '-rgd', rgd, '-graph', graph],
    before: [buildJudge(), '-openapi', openapi, '-rgd', join(kroSources(), RGD_CRD)],
  };
}

/** Returns a folder with the OpenAPI documents and kinds of Kubernetes' sources. */
const openapiOfSources = (): Promise<string> =>
  cachedFolder(`openapi-sources-${versions.kubernetes}`, async (folder) => {
    const api = join(moduleFolder(`k8s.io/kubernetes@${versions.kubernetes}`), 'api');
    const specs = join(api, 'openapi-spec/v3');
    for (const name of readdirSync(specs)) {
      const path = /^(api__v1|apis__[^_]+__[^_]+)_openapi\.json$/.exec(name)?.[1]?.replaceAll('__', '+');
      if (path !== undefined) copyFileSync(join(specs, name), join(folder, `${path}.json`));
    }
    const discovery = join(api, 'discovery');
    const lists = readdirSync(discovery).map((name) => JSON.parse(readFileSync(join(discovery, name), 'utf8')));
    const resources = lists.filter(({ kind }) => kind === 'APIResourceList');
    writeFileSync(join(folder, 'resources.json'), JSON.stringify(resources));
  });

const GRAPH_CRD = 'helm/crds/kro.run_graphs.yaml';
