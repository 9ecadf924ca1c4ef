import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentsOf } from './bundled.mjs';
import { noticesOf } from './notices.mjs';
import { sbomOf } from './sbom.mjs';

/** Writes, into `folder`, the licence texts and the bill of materials of what some builds (with a metafile) bundled. */
export function describeBundles(builds, root, folder) {
  const contents = contentsOf(
    builds.map(({ metafile }) => metafile),
    root,
  );
  writeFileSync(join(folder, 'THIRD_PARTY_NOTICES.txt'), noticesOf(contents));
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(contents), null, 2)}\n`);
}
