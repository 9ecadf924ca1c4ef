import { parseArgs } from 'node:util';
import { KUBERNETES_RELEASES, type KubernetesRelease } from '../../../src/core/model/render.ts';
import modules from '../../../tools/kubernetes-minors/modules.json';
import { buildApiServer, hasGo } from '../control-plane/build.ts';
import { startControlPlane } from '../control-plane/start.ts';
import { type Compared, compareRelease } from './compare.ts';

const { values } = parseArgs({
  options: {
    /** The minor releases, separated by commas: each is built first. */
    releases: { type: 'string', default: KUBERNETES_RELEASES[0] },
  },
});

/** Every version of every API, also those that a cluster serves only on request. */
const FLAGS = ['--runtime-config=api/all=true'];
const GATES = '--feature-gates=AllAlpha=true,AllBeta=true';

const versionsByMinor: Readonly<Record<string, string>> = modules.minors;

async function run(): Promise<boolean> {
  const asked = values.releases.split(',');
  const unknown = asked.filter((one) => !Object.hasOwn(versionsByMinor, one));
  if (unknown.length > 0) {
    console.log(`unknown releases: ${unknown.join(', ')}; known: ${KUBERNETES_RELEASES.join(', ')}`);
    return false;
  }
  let isGood = true;
  for (const release of asked) {
    const { served, deprecated, removed, gated, faults } = await compared(release as KubernetesRelease);
    for (const fault of faults) console.log(`DIFFERS ${release}: ${fault}`);
    if (gated.length > 0) console.log(`${release} does not serve without further settings: ${gated.join(', ')}`);
    console.log(
      `Kubernetes ${versionsByMinor[release]}: ${served} kinds served, ${deprecated} of them with a warning, ` +
        `${removed} removed ones answered with 404, ${faults.length} different`,
    );
    isGood &&= faults.length === 0 && served > 0 && removed > 0;
  }
  return isGood;
}

async function compared(release: KubernetesRelease): Promise<Compared> {
  const programs = buildApiServer(versionsByMinor[release]);
  const cluster = await startControlPlane(programs, { flags: [...FLAGS, GATES], hasRgds: false });
  try {
    return await compareRelease(cluster.api, release);
  } finally {
    await cluster.stop();
  }
}

if (hasGo()) process.exitCode = (await run()) ? 0 : 1;
else {
  console.log('SKIPPED: go is not here, so there is no API server');
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
}
