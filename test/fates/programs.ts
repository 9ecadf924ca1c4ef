import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The sources of kustomize-controller that are built; those of its API have the same version. */
const CONTROLLER = 'github.com/fluxcd/kustomize-controller';
const VERSION = 'v1.10.1';
/** source-controller's sources have the CRD of a GitRepository. */
const SOURCES = 'github.com/fluxcd/source-controller@v1.10.1';

/** The modules that test/kustomize-controller/stand-ins replaces, by its folders. */
const REPLACED: Readonly<Record<string, string>> = {
  auth: 'github.com/fluxcd/pkg/auth',
  fetch: 'github.com/fluxcd/pkg/http/fetch',
  masktoken: 'github.com/fluxcd/pkg/masktoken',
  spiffe: 'github.com/fluxcd/pkg/spiffe',
};

const environment = (): NodeJS.ProcessEnv => ({ ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=mod' });

/** Returns the folder of the sources of a module. */
export function sourcesOfModule(module: string): string {
  const output = execFileSync('go', ['mod', 'download', '-json', module], {
    cwd: tmpdir(),
    encoding: 'utf8',
    env: environment(),
  });
  return (JSON.parse(output) as { Dir: string }).Dir;
}

/** Returns the CRDs that Flux's histories need. */
export const fluxCrds = (): string[] => [
  join(sourcesOfModule(`${CONTROLLER}@${VERSION}`), 'config/crd/bases/kustomize.toolkit.fluxcd.io_kustomizations.yaml'),
  join(sourcesOfModule(SOURCES), 'config/crd/bases/source.toolkit.fluxcd.io_gitrepositories.yaml'),
];

/**
 * Returns the program of test/kustomize-controller: the one that FLUX_FATES names, or built here, which may take minutes.
 * The packages of the controller are internal, so that it is built in a copy of its module.
 */
export function kustomizeHarness(): string {
  const given = process.env.FLUX_FATES;
  if (given !== undefined) return given;
  const own = resolve('test/kustomize-controller');
  const program = resolve('node_modules/.cache/kustomize-controller-harness');
  const copy = mkdtempSync(join(tmpdir(), 'kustomize-controller-'));
  try {
    copyOf(sourcesOfModule(`${CONTROLLER}@${VERSION}`), copy);
    copyOf(sourcesOfModule(`${CONTROLLER}/api@${VERSION}`), join(copy, 'api'));
    cpSync(join(own, 'stand-ins'), join(copy, 'stand-ins'), { recursive: true });
    for (const [folder, module] of Object.entries(REPLACED)) {
      writeFileSync(join(copy, 'stand-ins', folder, 'go.mod'), `module ${module}\n\ngo 1.26\n`);
      execFileSync('go', ['mod', 'edit', '-replace', `${module}=./stand-ins/${folder}`], {
        cwd: copy,
        env: environment(),
      });
    }
    for (const folder of ['internal/decryptor', 'internal/sops']) rmSync(join(copy, folder), { recursive: true });
    cpSync(join(copy, 'stand-ins/decryptor'), join(copy, 'internal/decryptor'), { recursive: true });
    mkdirSync(join(copy, 'harness'));
    cpSync(join(own, 'fates.go'), join(copy, 'harness/main.go'));
    execFileSync('go', ['build', '-o', program, './harness'], { cwd: copy, stdio: 'inherit', env: environment() });
    return program;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Copies a folder of the module cache, whose files are read-only. */
function copyOf(folder: string, into: string): void {
  cpSync(folder, into, { recursive: true });
  chmodSync(into, 0o755);
  for (const name of readdirSync(into, { recursive: true, encoding: 'utf8' })) {
    const path = join(into, name);
    chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
  }
}
