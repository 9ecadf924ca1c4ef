import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { note, noteRgd } from '../resourcelist/packages.ts';
import { workingCopy } from './working-copy.ts';

const copy = workingCopy();
const simple = (): void =>
  copy.write({ 'app/rgd.yaml': noteRgd, 'app/note.yaml': note('a'), '../outside/rgd.yaml': 'secret: value' });
const array = (name: string, path: string): object[] => [{ name, array: [path] }];

describe('paths of the plugin', () => {
  it.each([
    ['../../outside'],
    ['../../outside/rgd.yaml'],
    ['../../outside/missing.yaml'],
    ['../..'],
    ['/'],
    ['/etc/hostname'],
    ['/etc/no-such-file'],
    ['../app/../../outside'],
    ['@/outside'],
    ['link-out'],
    ['link-out/rgd.yaml'],
    ['link-out/missing.yaml'],
    ['chain'],
    ['nowhere'],
  ])('%s cannot leave the repository', async (path) => {
    simple();
    copy.link('app/.keep/link', '../..');
    copy.link('app/link-out', '../../outside');
    copy.link('app/chain', 'link-out');
    copy.link('app/nowhere', '/no/such/place');
    const given = path.replace('@', copy.top());
    for (const name of ['definitions', 'observed', 'values', 'exclude']) {
      const { code, stdout, stderr } = await copy.generate(array(name, given));
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`error[path-outside] parameters ${name}: ${given} is outside the repository`);
      expect(stderr).not.toContain('secret');
    }
    for (const name of ['openapi', 'inputsFrom']) {
      const { stderr } = await copy.generate([{ name, string: given }]);
      expect(stderr).toContain(`error[path-outside] parameters ${name}: ${given} is outside`);
    }
  });

  it.each([
    ['link-out.yaml', '../../outside/rgd.yaml'],
    ['folder', '../../outside'],
    ['gone.yaml', '/no/such/place'],
  ])('a link among the files, %s, cannot leave the repository', async (name, target) => {
    simple();
    copy.link(`app/${name}`, target);
    const { code, stdout, stderr } = await copy.generate();
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`error[path-outside]: ${name} is outside the repository`),
    });
    expect((await copy.call('discover')).stdout).toBe('note.yaml\n');
  });

  it('links inside the repository are followed', async () => {
    copy.write({ 'platform/rgd.yaml': noteRgd, 'app/note.yaml': note('a') });
    copy.link('app/definitions', '../platform');
    expect((await copy.generate()).code).toBe(0);
    expect((await copy.generate(array('definitions', 'definitions'))).code).toBe(0);
  });

  it('a cycle of links is an error, or is entered once', async () => {
    simple();
    copy.link('app/self', '.');
    expect((await copy.generate()).code).toBe(0);
    copy.link('app/loop', 'loop');
    copy.link('app/grows', 'grows/grows');
    expect((await copy.generate(array('definitions', 'grows/a'))).stderr).toContain('error[unreadable-file]');
    const { code, stderr } = await copy.generate(array('definitions', 'loop'));
    expect(code).toBe(1);
    expect(stderr).toContain('error[unreadable-file]: cannot read loop: it is a link that leads to itself');
  });

  it('an administrator can allow another folder', async () => {
    copy.write({ '../outside/rgd.yaml': noteRgd, 'app/note.yaml': note('a') });
    const definitions = array('definitions', join(copy.top(), 'outside'));
    expect((await copy.generate(definitions)).code).toBe(1);
    expect((await copy.generate(definitions, ['--allow-dir', join(copy.top(), 'outside')])).code).toBe(0);
    expect((await copy.generate(definitions, ['--allow-dir', join(copy.top(), 'out')])).code).toBe(1);
  });

  it('an Application cannot allow another folder', async () => {
    simple();
    const { code, stderr } = await copy.generate(array('allowDir', '/'));
    expect(code).toBe(1);
    expect(stderr).toContain('allowDir: there is no such parameter');
    const variables = { ARGOCD_ENV_ALLOW_DIR: '/', PARAM_ALLOWDIR_0: '/' };
    expect((await copy.call('generate', { variables })).stderr).toContain('PARAM_ALLOWDIR_0 belongs to no parameter');
  });

  it('standard input is not a path', async () => {
    simple();
    expect((await copy.generate(array('definitions', '-'))).stderr).toContain('standard input is empty here');
  });

  it('the repository ends at the folder where the CMP server unpacked it, wherever .git is', async () => {
    const variables = { TMPDIR: copy.top(), ARGOCD_APP_PARAMETERS: '[{"name":"definitions","array":["../lib"]}]' };
    copy.write({ '../_cmp_server/one/app/note.yaml': note('a'), '../_cmp_server/one/lib/rgd.yaml': noteRgd });
    const one = { folder: '../_cmp_server/one/app', variables };
    expect((await copy.call('generate', one)).code).toBe(0);
    mkdirSync(join(copy.top(), '_cmp_server/one/app/.git'));
    expect((await copy.call('generate', one)).code).toBe(0);
    copy.write({ '../_cmp_server/two/rgd.yaml': noteRgd });
    const other = { ...variables, ARGOCD_APP_PARAMETERS: '[{"name":"definitions","array":["../../two"]}]' };
    expect((await copy.call('generate', { ...one, variables: other })).stderr).toContain('error[path-outside]');
    const elsewhere = { ...variables, TMPDIR: '/no/such/place', ARGOCD_CMP_WORKDIR: copy.top() };
    expect((await copy.call('generate', { ...one, variables: elsewhere })).code).toBe(0);
  });
});

/** Names that have a meaning in a folder: for the plugin, kustomize, helm, kpt, golden tests, settings. */
const CONVENTIONS = [
  ...['rgd.yaml', 't/test.yaml', 't/expected.yaml', 't/expected-diagnostics.yaml', 't/observed.yaml'],
  ...['kustomization.yaml', 'kustomization.yml', 'Kustomization', 'Kptfile', 'render-rgd.yaml', '.argocd-source.yaml'],
  ...['Chart.yaml', 'requirements.yaml', 'Chart.lock', 'values.yaml', 'values.schema.json', '.helmignore'],
  ...['templates/x.yaml', 'crds/x.yaml', 'charts/x.tgz', 'charts/x/Chart.yaml', 'charts/x/values.schema.json'],
];

/** Existing, missing, unreadable and endless, and a folder. */
const TARGETS = [
  '../outside/rgd.yaml',
  '../outside/missing.yaml',
  '/etc/shadow',
  '/dev/zero',
  '../outside',
  '/missing/x',
];

describe('a link out of the repository', () => {
  it.each(CONVENTIONS)('in the place of %s has the same results whatever its target is', async (name) => {
    const files = { 'app/t/expected.yaml': note('a'), 'app/rgd.yaml': noteRgd, 'app/a.yaml': note('a') };
    for (const build of ['none', 'auto', 'kustomize', 'helm']) {
      const results = [];
      for (const target of TARGETS) {
        rmSync(join(copy.top(), 'repository/app'), { recursive: true });
        copy.write(build === 'helm' && name !== 'Chart.yaml' ? { ...files, 'app/Chart.yaml': 'name: a' } : files);
        rmSync(join(copy.top(), 'repository/app', name), { force: true });
        copy.link(`app/${name}`, target.startsWith('..') ? join(copy.top(), 'repository', target) : target);
        copy.tool('helm', '#!/bin/sh\necho ran\n');
        copy.tool('kustomize', '#!/bin/sh\necho ran\n');
        const variables = { ARGOCD_APP_PARAMETERS: JSON.stringify([{ name: 'build', string: build }]) };
        const verbs = ['discover', 'parameters', 'generate'];
        results.push(await Promise.all(verbs.map((verb) => copy.call(verb, { variables }))));
      }
      for (const result of results) expect(result).toEqual(results[0]);
    }
  });
});
