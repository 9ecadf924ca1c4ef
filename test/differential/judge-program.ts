import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildControlPlane, buildJudge, cachedFolder, kroSources } from '../cluster/control-plane/build.ts';
import { startControlPlane } from '../cluster/control-plane/start.ts';
import { versions } from '../cluster/control-plane/versions.ts';

/** Where kro keeps the CRD of its RGDs. */
const RGD_CRD = 'helm/crds/kro.run_resourcegraphdefinitions.yaml';

/** The command that starts the judge. What an API server publishes is kept, so that none has to run the next time. */
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
