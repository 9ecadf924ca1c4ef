import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { fileOf, hostTarget } from '../../tools/native/targets.mjs';
import { bundle, command, execute, findTool, type Result } from './sandbox.ts';

// No image is built here. Its command runs as in a cluster: as user 999, without privileges, on a read-only file
// system, with an empty /tmp.
const root = dirname(dirname(bundle));
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const canIsolate =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', 'setpriv', '--reuid=999', '--regid=999', '--clear-groups', 'true']).status === 0;

const values = (text: string): unknown[] => readStream(text).documents.map(({ value }) => value);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'render-rgd-image-'));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a script in the environment of an image: /mnt/image contains what the Dockerfile copies, and the examples. */
function isolated(script: string, input = ''): Result {
  const image = join(folder, 'image');
  mkdirSync(image, { recursive: true });
  copyFileSync(command, join(image, 'render-rgd'));
  copyFileSync(join(root, 'plugin.yaml'), join(image, 'plugin.yaml'));
  cpSync(join(root, 'examples'), join(image, 'examples'), { recursive: true });
  const prepare = `set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /mnt
mkdir -p /mnt/image && mount --bind ${image} /mnt/image
node=$(dirname "$(readlink -f "$(command -v node)")")
mkdir -p /mnt/node && mount --bind "$node" /mnt/node
mount -t tmpfs -o mode=1777 tmpfs /tmp
mount -o remount,ro,bind /
mount -o remount,ro,bind /mnt/image
mount -o remount,ro /mnt
exec setpriv --reuid=999 --regid=999 --clear-groups --no-new-privs --bounding-set=-all \\
  env -i PATH=/mnt/image:/mnt/node:/usr/bin:/bin HOME=/tmp bash --norc -euc "$1"`;
  return execute('unshare', ['--mount', 'bash', '-c', prepare, 'bash', script], { input });
}

const suite = (name: string, body: () => void): void => {
  if (canIsolate) describe(name, body);
  else describe.skip(`${name} (needs root and unshare)`, () => it('is not tested', () => undefined));
};

suite('what the images run', () => {
  it('runs in isolation', () => {
    const { stdout } = isolated(
      'id -u; touch /mnt/image/x 2>/dev/null || echo read-only; touch /tmp/x && echo writable',
    );
    expect(stdout).toBe('999\nread-only\nwritable\n');
  });

  it('is the KRM function', () => {
    const list = '{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: []}';
    const { code, stderr } = isolated('render-rgd', list);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('error[empty-output]') });
  });

  it('is the plugin, and writes no files', () => {
    const { code, stdout, stderr } = isolated(`mkdir -p /tmp/_cmp_server/one
cp -r /mnt/image/examples /tmp/_cmp_server/one
cd /tmp/_cmp_server/one/examples/argocd/shop
before=$(find /tmp | sort)
export ARGOCD_APP_NAMESPACE=shop
export ARGOCD_APP_PARAMETERS='[{"name":"definitions","array":["../platform"]},{"name":"order","string":"argocd"}]'
test "$(render-rgd plugin discover)" = shop.yaml
render-rgd plugin generate
test "$(find /tmp | sort)" = "$before"`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(values(stdout)).toEqual(values(readFileSync(join(root, 'examples/argocd/expected.yaml'), 'utf8')));
  });

  const helm = findTool('helm');
  it.skipIf(helm === undefined)('runs helm', () => {
    mkdirSync(join(folder, 'image'), { recursive: true });
    copyFileSync(helm as string, join(folder, 'image/helm'));
    const { code, stdout, stderr } = isolated(`mkdir -p /tmp/app/templates && cd /tmp/app
printf 'apiVersion: v2\\nname: chart\\nversion: 0.1.0\\n' >Chart.yaml
printf 'apiVersion: v1\\nkind: ConfigMap\\nmetadata:\\n  name: {{ .Release.Name }}\\n' >templates/a.yaml
PARAM_BUILD=helm PARAM_RELEASENAME=made render-rgd plugin generate`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(values(stdout)).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } }]);
  });
});

const native = join(root, 'dist-native', fileOf('linux-x64'));
const canChroot = canIsolate && existsSync(native) && hostTarget() === 'linux-x64';

describe.skipIf(!canChroot)('the base of the images', () => {
  it('needs only the C library', () => {
    const base = join(folder, 'base');
    const put = (from: string, to: string): void => {
      mkdirSync(dirname(join(base, to)), { recursive: true });
      copyFileSync(from, join(base, to));
    };
    put(native, 'usr/local/bin/render-rgd');
    const needed = execute('ldd', [native]).stdout.matchAll(/(\/\S+)(?= \(0x)/g);
    const libraries = [...needed].map(([path]) => path);
    const names = libraries.map((path) => basename(path).replace(/\.so.*/, '')).sort();
    expect(names).toEqual(['ld-linux-x86-64', 'libc', 'libdl', 'libm', 'libpthread']);
    for (const path of libraries) put(path, path);
    cpSync(join(root, 'examples/collections/input'), join(base, 'input'), { recursive: true });
    mkdirSync(join(base, 'tmp'));
    mkdirSync(join(base, 'proc'));
    const script = `mount --bind ${base} ${base} && mount -o remount,ro,bind ${base} && mount -t proc proc ${base}/proc &&
exec chroot --userspec=999:999 ${base} /usr/local/bin/render-rgd render /input`;
    const { code, stdout, stderr } = execute('unshare', ['--mount', 'bash', '--norc', '-c', script]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(readFileSync(join(root, 'examples/collections/expected.yaml'), 'utf8'));
  });
});

describe('the Dockerfile', () => {
  const stages = new Map(dockerfile.split(/^(?=FROM )/m).map((text) => [/ AS (\S+)/.exec(text)?.[1] ?? '', text]));

  it('has the targets, all of them as user 999', () => {
    expect([...stages.keys()]).toEqual(expect.arrayContaining(['function', 'plugin', 'plugin-full']));
    for (const target of ['function', 'plugin', 'plugin-full']) expect(stages.get(target)).toMatch(/^FROM base /);
    expect(stages.get('base')).toMatch(/^FROM base-\$\{ENGINE\} /);
    expect(dockerfile).toContain('\nARG ENGINE=native\n');
    expect(stages.get('base')).toContain('\nUSER 999:999\n');
  });

  it('builds from images with a tag', () => {
    const images = [...dockerfile.matchAll(/^ARG \w+_IMAGE=(.*)$/gm)].map(([, image]) => image);
    expect(images).toHaveLength(4);
    // The names of distroless images contain the release.
    for (const image of images) expect(image).toMatch(/^[\w./-]+(?::v?\d[\w.-]*|debian\d+:nonroot)$/);
  });

  it('has the versions of kustomize and helm that the tests run', () => {
    const tested = readFileSync(join(root, '.ci/run'), 'utf8');
    for (const tool of ['kustomize', 'helm']) {
      const [, image] = new RegExp(`^ARG ${tool.toUpperCase()}_IMAGE=.*:v?(.*)$`, 'm').exec(dockerfile) ?? [];
      const [, run] = new RegExp(`\\bgo_install ${tool} .*@v(\\S*)`).exec(tested) ?? [];
      expect({ tool, image }).toEqual({ tool, image: run });
    }
  });

  it('sets no variable that affects the runtime of the executable', () => {
    expect(dockerfile).not.toMatch(/\bBUN_/);
  });

  const copiedIn = (text: string): string[] =>
    [...text.matchAll(/^COPY (?!--from)((?:\S+ )+)\S+$/gm)].flatMap(([, names = '']) => names.trim().split(' '));

  it('builds the command from what it copies', () => {
    const context = join(folder, 'context');
    for (const name of copiedIn(stages.get('build') ?? ''))
      cpSync(join(root, name), join(context, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(context, 'node_modules'));
    const { code, stderr } = execute('node', ['tools/build.mjs', '--no-types'], { cwd: context });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readFileSync(join(context, 'dist/render-rgd.js')).equals(readFileSync(bundle))).toBe(true);
  });

  it('copies existing files', () => {
    const copied = copiedIn(dockerfile);
    const allowed = readFileSync(join(root, '.dockerignore'), 'utf8').match(/(?<=^!).*$/gm);
    expect(allowed).toEqual(expect.arrayContaining(copied));
    expect(copied).toContain('plugin.yaml');
    for (const name of copied) expect(() => execute('ls', [join(root, name)])).not.toThrow();
  });
});
