import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentsOf } from './bundled.mjs';
import { isAllowed } from './licences.mjs';
import { noticesOf, runtimeNoticesOf } from './notices.mjs';
import { sbomOf } from './sbom.mjs';

/** Writes the licence texts and the bill of materials of some builds (with a metafile) into `folder`. */
export function describeBundles(builds, root, folder) {
  const contents = contentsOf(
    builds.map(({ metafile }) => metafile),
    root,
  );
  writeFileSync(join(folder, 'THIRD_PARTY_NOTICES.txt'), noticesOf(contents));
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(contents), null, 2)}\n`);
}

/**
 * Writes the bill of materials of an executable, and the licence texts: of bundled packages, and of the runtime `{
 * name, version, license, integrity, linked }`.
 * @throws Error if a licence of the runtime is not allowed
 */
export function describeExecutable(builds, root, runtime, texts) {
  for (const { name, license } of runtime.linked) {
    if (!isAllowed(license, { runtime: true })) throw new Error(`the licence of ${name} in the runtime is ${license}`);
  }
  const contents = contentsOf(
    builds.map(({ metafile }) => metafile),
    root,
  );
  return {
    sbom: `${JSON.stringify(sbomOf({ ...contents, runtime }), null, 2)}\n`,
    notices: `${noticesOf(contents)}\n${'-'.repeat(80)}\n\n${runtimeNoticesOf(runtime, texts)}`,
  };
}
