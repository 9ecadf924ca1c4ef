import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAt, type Value, type ValueMap } from '../../src/core/model/value.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { archiveOf, hostTarget } from '../../tools/native/targets.mjs';
import { executeBeside, filesFrom, makeRelease, root, serve, version } from './release.ts';
import { bundle, execute, type Result, sandbox } from './sandbox.ts';

const action = readStream(readFileSync(join(root, 'action.yml'), 'utf8')).documents[0]?.value ?? null;
const steps = getAt(action, ['runs', 'steps']) as ValueMap[];
const host = archiveOf(hostTarget() ?? 'linux-x64', version);

interface Comment {
  id: number;
  body: string;
  user: { login: string };
}

/** The part of GitHub's API with the comments of pull request 7, in pages of 100. */
function fakeGitHub(comments: Comment[], token = 'secret'): RequestListener {
  return async (request, response) => {
    const answer = (status: number, content: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    };
    const url = new URL(request.url ?? '', 'http://localhost');
    const issues = '/repos/team/fleet/issues';
    const isAllowed = request.headers.authorization === `Bearer ${token}`;
    if (request.method === 'GET' && url.pathname === `${issues}/7/comments`) {
      const [page, size] = ['page', 'per_page'].map((name) => Number(url.searchParams.get(name))) as [number, number];
      return answer(200, comments.slice((page - 1) * size, page * size));
    }
    if (!isAllowed) return answer(403, { message: 'Resource not accessible by integration' });
    const { body } = JSON.parse(await textOf(request));
    const [, id] = /\/comments\/(\d+)$/.exec(url.pathname) ?? [];
    const known = comments.find((one) => one.id === Number(id));
    if (request.method === 'PATCH' && known !== undefined) return answer(200, Object.assign(known, { body }));
    if (request.method !== 'POST' || url.pathname !== `${issues}/7/comments`) return answer(404, {});
    const created = { id: comments.length + 1, body, user: { login: 'github-actions[bot]' } };
    comments.push(created);
    return answer(201, created);
  };
}

interface Note {
  id: number;
  body: string;
  author: { id: number };
}

/** The part of GitLab's API with the notes of merge request 7, in pages of 100. */
function fakeGitLab(notes: Note[]): RequestListener {
  return async (request, response) => {
    const answer = (status: number, content: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    };
    const url = new URL(request.url ?? '', 'http://localhost');
    const all = '/projects/12/merge_requests/7/notes';
    if (request.headers['private-token'] !== 'secret') return answer(401, {});
    if (request.method === 'GET' && url.pathname === '/user') return answer(200, { id: 3 });
    if (request.method === 'GET' && url.pathname === all) {
      const [page, size] = ['page', 'per_page'].map((name) => Number(url.searchParams.get(name))) as [number, number];
      return answer(200, notes.slice((page - 1) * size, page * size));
    }
    const { body } = JSON.parse(await textOf(request));
    const known = notes.find(({ id }) => url.pathname === `${all}/${id}`);
    if (request.method === 'PUT' && known !== undefined) return answer(200, Object.assign(known, { body }));
    if (request.method !== 'POST' || url.pathname !== all) return answer(404, {});
    notes.push({ id: notes.length + 1, body, author: { id: 3 } });
    return answer(201, notes.at(-1));
  };
}

/** Reports whether a step runs: without always(), none runs after a failure. */
function isWanted(condition: string, failed: boolean): boolean {
  const parts = condition.split(' && ').filter((part) => part !== 'always()' && part !== 'true');
  const holds = parts.every((part) => {
    const [, value, operator, other] = /^(.*) (==|!=) '(.*)'$/.exec(part) ?? [];
    return (value === other) === (operator === '==');
  });
  return holds && (!failed || condition.startsWith('always()'));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

describe('the GitHub action', () => {
  let release: ReturnType<typeof makeRelease>;
  let releases: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    release = makeRelease(false);
    releases = await serve(filesFrom(release.folder));
  });
  afterAll(async () => {
    await releases.close();
    release.remove();
  });

  /** A checkout of a merge, as actions/checkout creates it: HEAD^1 is the base of the pull request. */
  function checkout(): string {
    const folder = join(dirname(sandbox()), 'fleet');
    for (const path of ['platform', 'apps/blog', '../temp']) mkdirSync(join(folder, path), { recursive: true });
    const site = join(folder, 'platform/site.yaml');
    writeFileSync(site, readFileSync(join(root, 'examples/kustomize/base/site.rgd.yaml'), 'utf8'));
    const instance =
      'apiVersion: kro.run/v1alpha1\nkind: Site\nmetadata: { name: blog, namespace: web }\nspec: { title: Hello }\n';
    writeFileSync(join(folder, 'apps/blog/site.yaml'), instance);
    const git = (...args: string[]): void => {
      const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
      expect(execute('git', [...own, ...args], { cwd: folder })).toMatchObject({ code: 0 });
    };
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'base');
    writeFileSync(
      site,
      readFileSync(site, 'utf8').replace('default=1 minimum', 'default=0 minimum').replace('minimum=1', 'minimum=0'),
    );
    git('commit', '-q', '-a', '-m', 'change');
    return folder;
  }

  interface Run {
    results: Record<string, Result>;
    summary: string;
  }

  /** Runs the steps as a runner does: fills in inputs and outputs, and extends the PATH for later steps. */
  async function run(
    folder: string,
    inputs: Record<string, string>,
    options: { api: string; event?: object },
  ): Promise<Run> {
    const temp = join(folder, '../temp');
    const file = (name: string): string => join(temp, name);
    for (const name of ['path', 'output', 'summary.md']) writeFileSync(file(name), '');
    writeFileSync(file('event.json'), JSON.stringify(options.event ?? { pull_request: { number: 7 } }));
    const defaults = Object.entries(getAt(action, ['inputs']) as ValueMap).map(([name, input]) => [
      name,
      String(getAt(input as Value, ['default'])),
    ]);
    const given: Record<string, string> = {
      ...Object.fromEntries(defaults),
      releases: releases.url,
      token: 'secret',
      ...inputs,
    };
    const outputs = (): Record<string, string> =>
      Object.fromEntries(
        readFileSync(file('output'), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split('=')),
      );
    const fill = (text: string): string =>
      text.replace(
        /(?:\$\{\{ )?(inputs|steps\.plan\.outputs)\.([\w-]+)(?: \}\})?/g,
        (_, from, name) => (from === 'inputs' ? given[name] : outputs()[name]) ?? '',
      );
    const results: Record<string, Result> = {};
    let failed = false;
    for (const step of steps) {
      if (!isWanted(fill(String(step.if ?? 'true')), failed)) continue;
      const added = readFileSync(file('path'), 'utf8').trim().split('\n');
      const own = Object.entries((step.env ?? {}) as ValueMap).map(([name, value]) => [name, fill(String(value))]);
      const env = {
        ...process.env,
        ...Object.fromEntries(own),
        PATH: [...added.filter(Boolean), process.env.PATH].join(delimiter),
        GITHUB_ACTION_PATH: root,
        GITHUB_API_URL: options.api,
        GITHUB_REPOSITORY: 'team/fleet',
        GITHUB_EVENT_PATH: file('event.json'),
        GITHUB_PATH: file('path'),
        GITHUB_OUTPUT: file('output'),
        GITHUB_STEP_SUMMARY: file('summary.md'),
        RUNNER_TEMP: temp,
      };
      const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', String(step.run)];
      const result = await executeBeside('bash', args, { cwd: folder, env });
      results[String(step.name)] = result;
      failed ||= result.code !== 0;
    }
    return { results, summary: readFileSync(file('summary.md'), 'utf8') };
  }

  it('installs a release, writes one comment, and updates it the second time', async () => {
    const others = Array.from({ length: 120 }, (_, index) => ({
      id: index + 1,
      body: 'hello',
      user: { login: 'ann' },
    }));
    // Comments of other users with the marker are ignored.
    const comments: Comment[] = [
      { id: 500, body: '<!-- render-rgd plan -->\nmine', user: { login: 'eve' } },
      ...others,
    ];
    const github = await serve(fakeGitHub(comments));
    try {
      const folder = checkout();
      const first = await run(folder, {}, { api: github.url });
      for (const result of Object.values(first.results)) expect(result).toMatchObject({ code: 0 });
      expect(first.results['Install render-rgd']?.stdout).toContain(`Installed ${host}`);
      const ours = (): Comment[] => comments.filter(({ user }) => user.login === 'github-actions[bot]');
      expect(ours().map(({ body }) => body)).toEqual([first.summary]);
      expect(first.summary).toMatch(
        /^<!-- render-rgd plan -->\n\*\*1 application, 1 object changes, 1 danger \(1 of 1 compared\)\*\*\n/,
      );
      const blog = join(folder, 'apps/blog/site.yaml');
      writeFileSync(blog, readFileSync(blog, 'utf8').replace('Hello', 'Good day'));
      const second = await run(folder, {}, { api: github.url });
      expect(second.results.Comment?.stdout).toMatch(/^Updated /);
      expect(second.summary).not.toBe(first.summary);
      expect(ours().map(({ body }) => body)).toEqual([second.summary]);
      expect(comments).toHaveLength(122);
      expect(comments[0]?.body).toBe('<!-- render-rgd plan -->\nmine');
    } finally {
      await github.close();
    }
  });

  it('writes the comment and fails if the plan fails', async () => {
    const comments: Comment[] = [];
    const github = await serve(fakeGitHub(comments));
    try {
      const { results } = await run(checkout(), { args: '--fail-on=danger\n' }, { api: github.url });
      expect(results.Plan).toMatchObject({ code: 1 });
      expect(results.Plan?.stderr).toMatch(/^::warning .*title=render-rgd danger-no-replicas::/m);
      expect(results.Comment).toMatchObject({ code: 0 });
      expect(comments).toHaveLength(1);
    } finally {
      await github.close();
    }
  });

  it('adds the verdicts about RGDs, and fails for more than is allowed', async () => {
    const comments: Comment[] = [];
    const github = await serve(fakeGitHub(comments));
    try {
      const folder = checkout();
      const minor = await run(folder, { compat: 'platform', require: 'minor' }, { api: github.url });
      expect(minor.results.Compat).toMatchObject({ code: 0 });
      expect(minor.summary).toMatch(/### Compatibility of RGDs\n\n.*\*\*minor\*\*/s);
      expect(comments.map(({ body }) => body)).toEqual([minor.summary]);
      const patch = await run(folder, { compat: 'platform', require: 'patch' }, { api: github.url });
      expect(patch.results.Compat).toMatchObject({ code: 1 });
      expect(patch.results.Compat?.stdout).toMatch(/^::error .*title=render-rgd change-too-large::/m);
      expect(patch.results.Comment).toMatchObject({ code: 0 });
    } finally {
      await github.close();
    }
  });

  it('keeps the comments of two plans apart, and replaces that of a plan that fails', async () => {
    const comments: Comment[] = [];
    const github = await serve(fakeGitHub(comments));
    try {
      const folder = checkout();
      await run(folder, { name: 'dev' }, { api: github.url });
      await run(folder, { name: 'prod' }, { api: github.url });
      await run(folder, { name: 'prod', against: 'nowhere' }, { api: github.url });
      expect(comments.map(({ body }) => body)).toEqual([
        expect.stringMatching(/^<!-- render-rgd plan dev -->\n\*\*1 application/),
        expect.stringMatching(/^<!-- render-rgd plan prod -->\n\n\*\*The plan failed\.\*\*/),
      ]);
    } finally {
      await github.close();
    }
  });

  it('writes no first comment where nothing changes, on request, and updates an earlier one', async () => {
    const comments: Comment[] = [];
    const github = await serve(fakeGitHub(comments));
    try {
      const folder = checkout();
      const unchanged = { comment: 'changes', against: 'HEAD' };
      const { results } = await run(folder, unchanged, { api: github.url });
      expect(results.Comment).toMatchObject({ code: 0, stdout: 'Nothing changes.\n' });
      expect(comments).toEqual([]);
      await run(folder, { comment: 'changes' }, { api: github.url });
      await run(folder, unchanged, { api: github.url });
      expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining('**0 applications, ')]);
    } finally {
      await github.close();
    }
  });

  it('has a script that writes the comment of GitLab, and of Gitea, which has one page', async () => {
    const script = getAt(
      readStream(readFileSync(join(root, 'examples/ci/gitlab-ci.yaml'), 'utf8')).documents[0]?.value ?? null,
      ['plan', 'script'],
    ) as string[];
    const notes = Array.from({ length: 130 }, (_, id) => ({
      ...{ id, body: '<!-- render-rgd plan -->\nof another', author: { id: 4 } },
    }));
    const gitlab = await serve(fakeGitLab(notes));
    const comments: Comment[] = Array.from({ length: 100 }, (_, id) => ({ id, body: '', user: { login: 'ann' } }));
    const gitea = await serve((request, response) => {
      const url = new URL(request.url ?? '', 'http://localhost');
      if (request.method === 'GET') url.search = '?page=1&per_page=1000';
      return fakeGitHub(comments)(Object.assign(request, { url: `${url.pathname}${url.search}` }), response);
    });
    try {
      const folder = checkout();
      mkdirSync(join(folder, 'tools'));
      cpSync(join(root, 'tools/action/comment.mjs'), join(folder, 'tools/comment.mjs'));
      const bin = join(folder, '../temp');
      writeFileSync(join(bin, 'render-rgd'), `#!/bin/sh\nexec ${process.execPath} ${bundle} "$@"\n`, { mode: 0o755 });
      const env = {
        ...process.env,
        PATH: `${bin}${delimiter}${process.env.PATH}`,
        ...{ CI_API_V4_URL: gitlab.url, CI_PROJECT_ID: '12', CI_MERGE_REQUEST_IID: '7', TOKEN: 'secret' },
        CI_MERGE_REQUEST_DIFF_BASE_SHA: 'HEAD^1',
      };
      const own = script.filter((line) => !line.startsWith('npm install'));
      const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', own.join('\n')];
      for (const said of [/^Wrote comment 131$/m, /^Updated comment 131$/m]) {
        expect(await executeBeside('bash', args, { cwd: folder, env })).toMatchObject({
          ...{ code: 0, stdout: expect.stringMatching(said) },
        });
      }
      expect(notes).toHaveLength(131);
      expect(notes.at(-1)?.body).toMatch(/^<!-- render-rgd plan -->\n\*\*1 application, /);
      await run(folder, {}, { api: gitea.url });
      await run(folder, {}, { api: gitea.url });
      expect(comments).toHaveLength(101);
    } finally {
      await Promise.all([gitlab.close(), gitea.close()]);
    }
  });

  it('has a script that writes to the project of the merge request of a fork, and says that there is no token', async () => {
    const requests: string[] = [];
    const notes: Note[] = [];
    const answer = fakeGitLab(notes);
    const gitlab = await serve((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      return answer(request, response);
    });
    try {
      const folder = checkout();
      writeFileSync(join(folder, 'plan.md'), '<!-- render-rgd plan -->\n**1 application**\n');
      const env = {
        ...process.env,
        CI_API_V4_URL: gitlab.url,
        CI_PROJECT_ID: '99',
        CI_MERGE_REQUEST_PROJECT_ID: '12',
        CI_MERGE_REQUEST_IID: '7',
      };
      const write = (more: Readonly<Record<string, string>>): Promise<Result> =>
        executeBeside(process.execPath, [join(root, 'tools/action/comment.mjs'), 'plan.md'], {
          cwd: folder,
          env: { ...env, ...more },
        });
      expect(await write({ TOKEN: 'secret' })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Wrote /) });
      expect(notes).toHaveLength(1);
      expect(requests).toEqual([
        'GET /user',
        'GET /projects/12/merge_requests/7/notes?per_page=100&page=1',
        'POST /projects/12/merge_requests/7/notes',
      ]);
      requests.length = 0;
      expect(await write({ TOKEN: '' })).toEqual({
        code: 0,
        stdout: 'warning: There is no comment, because the variable TOKEN is not set. The plan is in plan.md.\n',
        stderr: '',
      });
      expect(requests).toEqual([]);
    } finally {
      await gitlab.close();
    }
  });

  it('fails for an application that is not compared, unless it is allowed by name', async () => {
    const folder = checkout();
    writeFileSync(
      join(folder, 'redis.yaml'),
      'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: redis }\nspec: { project: default, destination: { server: https://kubernetes.default.svc, namespace: x }, source: { repoURL: https://charts.example.com, chart: redis, targetRevision: 1.0.0 } }\n',
    );
    const failed = await run(folder, { comment: 'false' }, { api: '' });
    expect(failed.results.Plan).toMatchObject({ code: 1 });
    expect(failed.summary).toContain('(1 of 2 compared)');
    const allowed = await run(folder, { comment: 'false', 'allow-unknown': 'redis\n' }, { api: '' });
    expect(allowed.results.Plan).toMatchObject({ code: 0 });
    expect((await run(folder, { comment: 'false', 'fail-on': '' }, { api: '' })).results.Plan).toMatchObject({
      code: 0,
    });
  });

  it('warns if the token of a fork is read-only, and if there is no pull request', async () => {
    const comments: Comment[] = [];
    const github = await serve(fakeGitHub(comments));
    try {
      const folder = checkout();
      const fork = await run(folder, { token: 'reads' }, { api: github.url });
      expect(fork.results.Comment).toMatchObject({ code: 0, stdout: expect.stringMatching(/^::warning::/) });
      const push = await run(folder, {}, { api: github.url, event: { ref: 'main' } });
      expect(push.results.Comment).toMatchObject({ code: 0, stdout: expect.stringMatching(/^::notice::/) });
      expect(comments).toEqual([]);
    } finally {
      await github.close();
    }
  });

  it('rejects an archive with another checksum', async () => {
    const folder = checkout();
    const wrong = await run(folder, { sha256: '0'.repeat(64) }, { api: '' });
    expect(wrong.results['Install render-rgd']).toMatchObject({ code: 1 });
    expect(wrong.results['Install render-rgd']?.stderr).toContain(`${host} has the checksum `);
    expect(existsSync(join(folder, '../temp', `render-rgd-${version}`))).toBe(false);
    const sha256 = createHash('sha256')
      .update(readFileSync(join(release.folder, host)))
      .digest('hex');
    const right = await run(folder, { sha256, comment: 'false' }, { api: '' });
    expect(right.results['Install render-rgd']).toMatchObject({ code: 0 });
    expect(Object.keys(right.results)).toEqual(['Install render-rgd', 'Plan']);
  });
});
