import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isLong, partOf } from '../../properties/runs.ts';
import { invoke } from '../invoke.ts';
import { commitAll, git, pack, temporaryFolder, tryGit, write } from './repository.ts';

/** The last words of keys whose value git runs, in `git help --config`. */
const RUNS =
  /^(alias\.\*|pager\.|.*\.(askPass|alternateRefsCommand|clean|cmd|command|defaultKeyCommand|diffFilter|driver|editor|external|fsmonitor|gitProxy|helper|hooksPath|packObjectsHook|pager|process|program|receivepack|smudge|sshCommand|textconv|uploadpack|vcs|ccCmd|tocmd|update|browser)$)/i;
/** Keys with these words that hold no program. */
const HARMLESS = /^(color|rebase|advice|column|help|instaweb|web|fsck|receive|repack|rerere)\.|^gitcvs\./;

const listed = spawnSync('git', ['help', '--config'], { encoding: 'utf8' }).stdout.split('\n');
const KEYS = [...new Set(listed.filter((key) => RUNS.test(key) && !HARMLESS.test(key)))].map((key) =>
  key.replace(/<[^>]*>|\*/, 'x').replace(/^remote\.x/, 'remote.origin'),
);

const HOOKS = ['post-index-change', 'reference-transaction', 'pre-auto-gc', 'post-checkout', 'pre-commit', 'fsmonitor'];

let work: string;
const ran = (): string[] => (existsSync(join(work, 'ran')) ? readdirSync(join(work, 'ran')).sort() : []);
const forget = (): void => rmSync(join(work, 'ran'), { recursive: true, force: true });

/** Writes a program that leaves a marker with the name of a place and a key. A filter passes its input on. */
function program(name: string): string {
  const file = join(work, 'bin', name.replaceAll(/[^\w.@-]/g, '_'));
  const marker = join(work, 'ran', name.replaceAll(/[^\w.@-]/g, '_'));
  write(
    file,
    `#!/bin/sh\nmkdir -p '${join(work, 'ran')}'; : >'${marker}'\n${/clean|smudge/.test(name) ? 'cat' : 'exit 1'}\n`,
    0o755,
  );
  return file;
}

/** Adds all keys to a configuration, with programs that leave markers. */
function plant(config: string, place: string, keys: readonly string[] = KEYS): void {
  const hooks = join(work, 'hooks', place);
  for (const hook of HOOKS) {
    write(join(hooks, hook), `#!/bin/sh\nexec '${program(`${place}@hook-${hook}`)}'\n`, 0o755);
  }
  const sections = keys.map((key) => {
    const file = program(`${place}@${key}`);
    const value = /\.hooksPath$/i.test(key) ? hooks : /^alias|\.update$/.test(key) ? `!${file}` : file;
    const [, section, name, variable] = /^([^.]+)\.(?:(.+)\.)?([^.]+)$/.exec(key) ?? [];
    return `[${section}${name === undefined ? '' : ` "${name}"`}]\n\t${variable} = "${value}"\n`;
  });
  mkdirSync(dirname(config), { recursive: true });
  appendFileSync(config, sections.join(''));
  const known = git(work, ['config', '--file', config, '--name-only', '--list']).toLowerCase().split('\n');
  expect(known).toEqual(expect.arrayContaining(keys.map((key) => key.toLowerCase())));
}

/** Sets what makes git use the keys: a filter and a diff driver for all files, and a remote that promises objects. */
function attract(repository: string): void {
  write(join(repository, '.gitattributes'), '* filter=x merge=x\n*.yaml diff=x\n');
}

interface Place {
  name: string;
  /** Plants the keys, and returns the folder where plain git uses them. */
  plant: (root: string) => string;
}

const PLACES: readonly Place[] = [
  {
    name: 'the configuration of the repository',
    plant: (root) => {
      plant(join(root, '.git/config'), 'local');
      return root;
    },
  },
  {
    name: 'config.worktree',
    plant: (root) => {
      git(root, ['config', 'extensions.worktreeConfig', 'true']);
      plant(join(root, '.git/config.worktree'), 'worktree');
      return root;
    },
  },
  {
    name: 'an included file of the repository',
    plant: (root) => {
      plant(join(work, 'included'), 'included');
      git(root, ['config', 'include.path', join(work, 'included')]);
      return root;
    },
  },
  {
    name: 'the configuration of the user',
    plant: (root) => {
      mkdirSync(join(work, 'home'));
      plant(join(work, 'home/.gitconfig'), 'user');
      vi.stubEnv('HOME', join(work, 'home'));
      vi.stubEnv('GIT_CONFIG_GLOBAL', undefined);
      return root;
    },
  },
  {
    name: 'a file that the user includes for a remote',
    plant: (root) => {
      plant(join(work, 'for-remote'), 'for-remote');
      git(root, ['remote', 'add', 'other', 'https://example.com/x']);
      git(work, ['config', '--file', join(work, 'user'), 'includeIf.gitdir:/.path', join(work, 'for-remote')]);
      vi.stubEnv('GIT_CONFIG_GLOBAL', join(work, 'user'));
      return root;
    },
  },
  {
    name: 'the configuration of the system',
    plant: (root) => {
      plant(join(work, 'system'), 'system');
      vi.stubEnv('GIT_CONFIG_SYSTEM', join(work, 'system'));
      return root;
    },
  },
  {
    name: 'the environment',
    plant: (root) => {
      const fsmonitor = program('environment@core.fsmonitor');
      vi.stubEnv('GIT_CONFIG_COUNT', '1');
      vi.stubEnv('GIT_CONFIG_KEY_0', 'core.fsmonitor');
      vi.stubEnv('GIT_CONFIG_VALUE_0', fsmonitor);
      for (const name of ['GIT_EXTERNAL_DIFF', 'GIT_SSH_COMMAND', 'GIT_ASKPASS', 'GIT_PAGER', 'GIT_EDITOR']) {
        vi.stubEnv(name, program(`environment@${name}`));
      }
      return root;
    },
  },
  {
    name: 'the hooks of the repository',
    plant: (root) => {
      for (const hook of HOOKS) {
        write(join(root, '.git/hooks', hook), `#!/bin/sh\nexec '${program(`hooks@hook-${hook}`)}'\n`, 0o755);
      }
      return root;
    },
  },
  {
    name: 'attributes of the repository that is not shared',
    plant: (root) => {
      rmSync(join(root, '.gitattributes'), { force: true });
      write(join(root, '.git/info/attributes'), '* filter=x\n*.yaml diff=x\n');
      plant(join(root, '.git/config'), 'info', ['filter.x.clean', 'diff.x.textconv']);
      return root;
    },
  },
  {
    name: 'a filter that stays, and ends git if it fails,',
    plant: (root) => {
      plant(join(root, '.git/config'), 'process', ['filter.x.process']);
      return root;
    },
  },
  {
    name: 'a folder that looks like a bare repository',
    plant: (root) => {
      const evil = join(root, 'deploy');
      cpSync(join(root, '.git'), join(work, 'copy'), { recursive: true });
      for (const name of ['HEAD', 'objects', 'refs', 'index', 'config']) {
        cpSync(join(work, 'copy', name), join(evil, name), { recursive: true });
      }
      git(work, ['config', '--file', join(evil, 'config'), 'core.bare', 'false']);
      git(work, ['config', '--file', join(evil, 'config'), 'core.worktree', '.']);
      plant(join(evil, 'config'), 'bare');
      return join(evil, 'apps');
    },
  },
  {
    name: 'a submodule',
    plant: (root) => {
      const other = join(work, 'other');
      write(join(other, 'p.yaml'), pack('sub').replaceAll('site', 'sub').replaceAll('Site', 'Sub'));
      git(work, ['init', '-q', '-b', 'main', other]);
      commitAll(other);
      git(root, ['submodule', '--quiet', 'add', other, 'deploy/sub']);
      commitAll(root);
      plant(join(root, '.git/modules/deploy/sub/config'), 'submodule');
      attract(join(root, 'deploy/sub'));
      return join(root, 'deploy/sub');
    },
  },
  {
    name: 'a repository inside a folder of the repository',
    plant: (root) => {
      cpSync(join(root, '.git'), join(work, 'copy'), { recursive: true });
      cpSync(join(work, 'copy'), join(root, 'deploy/.git'), { recursive: true });
      plant(join(root, 'deploy/.git/config'), 'nested');
      attract(join(root, 'deploy'));
      return join(root, 'deploy/apps');
    },
  },
  {
    name: 'a promised object of a remote',
    plant: (root) => {
      git(root, ['config', 'core.repositoryformatversion', '1']);
      git(root, ['config', 'extensions.partialClone', 'origin']);
      git(root, ['config', 'remote.origin.promisor', 'true']);
      git(root, ['config', 'remote.origin.url', 'ssh://x@127.0.0.1/y']);
      plant(join(root, '.git/config'), 'promisor', ['core.sshCommand']);
      const blob = git(root, ['rev-parse', 'origin/main:deploy/apps/p.yaml']).trim();
      rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
      return root;
    },
  },
  {
    name: 'a promised object of a remote helper',
    plant: (root) => {
      git(root, ['config', 'core.repositoryformatversion', '1']);
      git(root, ['config', 'extensions.partialClone', 'origin']);
      git(root, ['config', 'protocol.ext.allow', 'always']);
      git(root, ['config', 'remote.origin.promisor', 'true']);
      git(root, ['config', 'remote.origin.url', `ext::${program('helper@ext')} %S`]);
      const blob = git(root, ['rev-parse', 'origin/main:deploy/apps/p.yaml']).trim();
      rmSync(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
      return root;
    },
  },
  {
    name: 'references of an alternate repository',
    plant: (root) => {
      cpSync(join(root, '.git/objects'), join(work, 'alternate/objects'), { recursive: true });
      mkdirSync(join(work, 'alternate/refs'));
      write(join(root, '.git/objects/info/alternates'), `${join(work, 'alternate/objects')}\n`);
      plant(join(root, '.git/config'), 'alternate', ['core.alternateRefsCommand']);
      git(root, ['remote', 'add', 'origin', join(work, 'other')]);
      git(work, ['init', '-q', '-b', 'main', join(work, 'other')]);
      commitAll(join(work, 'other'));
      return root;
    },
  },
];

/** Runs plain git where it uses what was planted. */
function useGit(folder: string): void {
  for (const args of [
    ['status'],
    ['diff'],
    ['log', '-p', '--textconv', '-1'],
    ['diff', '--ext-diff', 'HEAD'],
    ['cat-file', '-p', 'origin/main:deploy/apps/p.yaml'],
    ['fetch', 'origin'],
    ['update-index', '--refresh'],
  ]) {
    tryGit(folder, args);
  }
}

describe('programs of a configuration', () => {
  let root: string;
  const ranInGit = new Set<string>();

  beforeEach(() => {
    work = temporaryFolder();
    vi.stubEnv('GIT_CONFIG_NOSYSTEM', undefined);
    root = join(work, 'checkout');
    write(join(root, 'deploy/apps/p.yaml'), pack('x'));
    write(join(root, 'notes.txt'), 'a');
    attract(root);
    git(work, ['init', '-q', '-b', 'main', root]);
    commitAll(root);
    git(root, ['update-ref', 'refs/remotes/origin/main', 'HEAD']);
    git(root, ['checkout', '-q', '-b', 'pr']);
    write(join(root, 'deploy/apps/p.yaml'), pack('z'));
    commitAll(root);
    write(join(root, 'notes.txt'), 'b');
  });

  const COMMANDS = (base: string): string[][] => [
    ...['plan', 'diff', 'compat'].flatMap((name) => [
      [name, base, '--against', 'origin/main'],
      [name, join(base, 'deploy'), '--against', 'origin/main'],
      ...(name === 'plan' ? [] : [[name, join(base, 'deploy/apps'), '--against', 'origin/main']]),
    ]),
    ['plan', base, '--output-dir', join(work, 'rendered')],
    ['completion', 'refs', join(base, 'deploy')],
    ['completion', 'instances', join(base, 'deploy')],
    ...['render', 'validate', 'doctor', 'test', 'graph', 'explain', 'pending', 'docs'].map((name) => [name, base]),
  ];

  it('are 30 or more in the list of git', () => {
    expect(KEYS.length).toBeGreaterThan(30);
    for (const key of ['core.fsmonitor', 'core.sshCommand', 'filter.x.clean', 'diff.x.textconv', 'credential.helper']) {
      expect(KEYS).toContain(key);
    }
  });

  it.each(partOf(PLACES, 3))('in $name run in git, and in no command', async ({ plant: plantIn }) => {
    const used = plantIn(root);
    // The time of the file is newer than that in the index: git reads the file again, through the filters.
    utimesSync(join(root, 'deploy/apps/p.yaml'), new Date(), new Date(Date.now() + 5000));
    const copy = join(work, 'control');
    cpSync(root, copy, { recursive: true });
    forget();
    useGit(used.replace(root, copy));
    useGit(used);
    expect(ran()).not.toEqual([]);
    for (const name of ran()) ranInGit.add(name.replace(/^.*@/, ''));
    forget();
    rmSync(root, { recursive: true });
    cpSync(copy, root, { recursive: true });
    const indexes = () =>
      ['.git/index', 'deploy/index', 'deploy/.git/index', '.git/modules/deploy/sub/index'].map((name) =>
        existsSync(join(root, name)) ? readFileSync(join(root, name), 'hex') : undefined,
      );
    const before = indexes();
    const files = (): string => spawnSync('find', [root, '-printf', '%p %T@ %s\n'], { encoding: 'utf8' }).stdout;
    const listed = files();
    for (const args of COMMANDS(root)) {
      await invoke(args);
      expect({ args, ran: ran() }).toEqual({ args, ran: [] });
    }
    expect(indexes()).toEqual(before);
    expect(files()).toBe(listed);
  });

  it.runIf(isLong)('were of every kind that reading could run', () => {
    const kinds = [
      'core.fsmonitor',
      'core.sshCommand',
      'core.alternateRefsCommand',
      'diff.external',
      'diff.x.textconv',
    ];
    const others = ['filter.x.clean', 'filter.x.process', 'diff.x.command', 'hook-post-index-change', 'ext'];
    expect([...ranInGit]).toEqual(expect.arrayContaining([...kinds, ...others]));
  });

  it('in a place that git must not search are those on the PATH inside the repository', async () => {
    const bin = join(root, 'node_modules/.bin');
    write(join(bin, 'git'), readFileSync(program('git'), 'utf8'), 0o755);
    mkdirSync(join(work, 'links'));
    symlinkSync(join(bin, 'git'), join(work, 'links/git'));
    symlinkSync(bin, join(work, 'link-to-bin'));
    for (const path of [bin, join(work, 'links'), join(work, 'link-to-bin'), '.', '', 'node_modules/.bin']) {
      vi.stubEnv('PATH', `${path}:${process.env.PATH}`);
      const here = process.cwd();
      process.chdir(root);
      const { stdout, stderr } = await invoke(['diff', 'deploy/apps', '--against', 'origin/main']).finally(() =>
        process.chdir(here),
      );
      expect({ path, stderr, ran: ran() }).toEqual({ path, stderr: '', ran: [] });
      expect(stdout).toContain('+k: z');
      vi.unstubAllEnvs();
    }
  });
});
