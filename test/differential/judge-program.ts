import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildControlPlane, buildJudge, cachedFolder, kroSources } from '../cluster/control-plane/build.ts';
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
