import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildPlayground } from './index.mjs';

const ARCHIVE = 'playground.json.gz';

/**
 * Builds the playground, and puts its files into one archive in `folder` for an executable. Returns the names of the
 * files to embed and their builds: none if the sources of the page are missing, as in an image.
 */
export async function archivePlayground(root, folder) {
  if (!existsSync(join(root, 'playground'))) return { files: [], builds: [] };
  const out = join(folder, 'playground');
  const built = await buildPlayground(root, out);
  const paths = readdirSync(out, { recursive: true }).filter((path) => /\.(html|js|css)$/.test(path));
  const files = Object.fromEntries(
    paths.sort().map((path) => [path.replaceAll('\\', '/'), readFileSync(join(out, path), 'utf8')]),
  );
  writeFileSync(join(folder, ARCHIVE), gzipSync(JSON.stringify(files), { level: 9 }));
  return { files: [ARCHIVE], builds: [built] };
}
