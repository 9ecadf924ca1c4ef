import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src/core/model/object.ts';
import { get } from '../../../src/core/model/value.ts';
import { readStream } from '../../../src/yaml/parse/yaml.ts';
import { note, noteRgd, titles } from '../resourcelist/packages.ts';
import { workingCopy } from './working-copy.ts';

const copy = workingCopy();
const objects = (stdout: string): KubeObject[] => readStream(stdout).documents.map(({ value }) => value as KubeObject);
const unplaced = '{apiVersion: kro.run/v1alpha1, kind: Note, metadata: {name: a}}';
const secret = '{apiVersion: v1, kind: Secret, metadata: {name: plain}}';

describe('plugin generate', () => {
  it('prints the rendered objects and all other objects for a cluster', async () => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/sub/note.yaml': note('a'), 'app/secret.yaml': secret });
    const { code, stdout, stderr } = await copy.generate();
    expect({ code, stderr, titles: titles(objects(stdout)) }).toEqual({
      code: 0,
      stderr: '',
      titles: ['Secret/plain', 'ConfigMap/a'],
    });
  });

  it.each([
    ['the namespace of the Application', [], 'sales'],
    ['the one of a parameter', [{ name: 'namespace', string: 'other' }], 'other'],
  ])('sets the namespace of instances to %s', async (_, parameters, expected) => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/note.yaml': unplaced });
    const variables = { ARGOCD_APP_NAMESPACE: 'sales', ARGOCD_APP_PARAMETERS: JSON.stringify(parameters) };
    const { stdout } = await copy.call('generate', { variables });
    expect(get(objects(stdout)[0]?.metadata, 'namespace')).toBe(expected);
  });

  it('reads definitions from another folder of the repository', async () => {
    copy.write({ 'platform/rgd.yaml': noteRgd, 'app/note.yaml': note('a') });
    const { code, stdout } = await copy.generate([{ name: 'definitions', array: ['../platform'] }]);
    expect({ code, titles: titles(objects(stdout)) }).toEqual({ code: 0, titles: ['ConfigMap/a'] });
  });

  it('leaves out what --exclude matches', async () => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/note.yaml': note('a'), 'app/draft/note.yaml': 'a: [' });
    const { code } = await copy.generate([{ name: 'exclude', array: ['draft/**'] }]);
    expect(code).toBe(0);
  });

  it('applies the flags of plugin.yaml first', async () => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/note.yaml': unplaced });
    const fixed = await copy.generate([], ['--namespace', 'fixed']);
    expect(get(objects(fixed.stdout)[0]?.metadata, 'namespace')).toBe('fixed');
    const over = await copy.generate([{ name: 'namespace', string: 'mine' }], ['--namespace', 'fixed']);
    expect(get(objects(over.stdout)[0]?.metadata, 'namespace')).toBe('mine');
  });

  it('rejects an object of group kro.run that no RGD defines', async () => {
    copy.write({ 'app/note.yaml': note('a'), 'app/secret.yaml': secret });
    const { code, stdout, stderr } = await copy.generate();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('error[undefined-kind] Note/a: no RGD in the input defines Note');
  });

  it('rejects an empty result unless it is allowed', async () => {
    copy.write({ 'app/rgd.yaml': noteRgd });
    const { code, stdout, stderr } = await copy.generate();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('error[empty-output]: nothing is left to apply');
    const allowed = await copy.generate([{ name: 'allowEmpty', string: 'true' }]);
    expect(allowed).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('accepts skip only together with acceptPrune', async () => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/note.yaml': note('a') });
    const skip = { name: 'onPending', string: 'skip' };
    const { code, stderr } = await copy.generate([skip]);
    expect(code).toBe(1);
    expect(stderr).toContain('error[plugin-parameter] parameters onPending: with skip,');
    expect((await copy.generate([skip, { name: 'acceptPrune', string: 'true' }])).code).toBe(0);
  });

  it('rejects placeholder', async () => {
    const { code, stderr } = await copy.generate([{ name: 'onPending', string: 'placeholder' }]);
    expect(code).toBe(1);
    expect(stderr).toContain("onPending: 'placeholder' is not one of fail, skip, passthrough");
  });

  it('rejects an invalid namespace of a parameter or of the Application', async () => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/note.yaml': note('a') });
    for (const name of ['Not_Valid', '-a', 'a.b', 'a'.repeat(64)]) {
      const fault = `'${name}' is not a namespace: lower case letters, digits and dashes, at most 63`;
      const { code, stdout, stderr } = await copy.generate([{ name: 'namespace', string: name }]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(`error[plugin-parameter] parameters namespace: ${fault}\n`);
      const application = await copy.call('generate', { variables: { ARGOCD_APP_NAMESPACE: name } });
      expect({ ...application, stderr: '' }).toEqual({ code: 1, stdout: '', stderr: '' });
      expect(application.stderr).toContain(`error[plugin-parameter]: ARGOCD_APP_NAMESPACE: ${fault}\n`);
    }
    expect((await copy.generate([{ name: 'namespace', string: 'a'.repeat(63) }])).code).toBe(0);
    expect((await copy.generate([{ name: 'namespace', string: '' }])).code).toBe(0);
  });

  it.each([
    ['values', { array: ['values.yaml'] }, ['--values', 'values.yaml']],
    ['releaseName', { string: 'shop' }, ['--release-name', 'shop']],
  ])('rejects %s of an Application if helm does not run', async (name, given, flags) => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/note.yaml': note('a'), 'app/values.yaml': 'a: 1' });
    for (const build of ['none', 'auto', 'kustomize']) {
      const parameters = [
        { name: 'build', string: build },
        { name, ...given },
      ];
      const { code, stdout, stderr } = await copy.generate(parameters);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(
        `error[plugin-parameter] parameters ${name}: only helm reads it, which would not run\n  hint: set build to helm\n`,
      );
    }
    expect((await copy.generate([{ name: 'strict', string: 'true' }], flags)).code).toBe(0);
    expect((await copy.generate([{ name, ...('array' in given ? { array: [] } : { string: '' }) }])).code).toBe(0);
    expect(
      (
        await copy.call('discover', {
          variables: { [`PARAM_${name.toUpperCase()}${'array' in given ? '_0' : ''}`]: 'x' },
        })
      ).stdout,
    ).not.toBe('');
  });

  it.each([
    ['STRICT', 'strict'],
    ['cluster_scoped', 'clusterScoped'],
    ['DEFINITIONS_0', 'definitions'],
    ['PARAM_ON_PENDING', 'onPending'],
  ])('warns of %s in plugin.env, which sets no parameter', async (variable, name) => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/note.yaml': note('a') });
    const variables = { [`ARGOCD_ENV_${variable}`]: 'x', ARGOCD_ENV_GREETING: 'x', ARGOCD_ENV_: 'x' };
    const { code, stderr } = await copy.call('generate', { variables });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        `warning[plugin-parameter] parameters: ${variable} in plugin.env sets no parameter\n` +
        `  hint: set the parameter ${name} in plugin.parameters instead\n`,
    });
  });

  it('warns once of files that it does not read because of their names', async () => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/note.yaml': note('a'), 'app/b.YML': note('b') });
    copy.write({ 'app/.more/c.yaml': note('c'), 'app/.d.yaml': note('d'), 'app/.argocd-source.yaml': '{}' });
    const { code, stderr } = await copy.generate();
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning\[skipped-file\]: not read: \.d\.yaml, \.more\/c\.yaml, b\.YML\n {2}hint: .*\n$/);
    expect((await copy.generate([{ name: 'exclude', array: ['.more', '.d.yaml', 'b.YML'] }])).stderr).toBe('');
  });

  it('prints a number as it was given', async () => {
    const { stderr } = await copy.generate([{ name: 'maxSteps', string: '99999999999999999999' }]);
    expect(stderr).toBe('error[plugin-parameter] parameters maxSteps: 99999999999999999999 is too large\n');
  });

  it('reports all errors of the parameters at once', async () => {
    const { code, stdout, stderr } = await copy.generate([
      { name: 'strikt', string: 'true' },
      { name: 'maxCollectionSize', string: '0' },
      { name: 'definitions', array: ['/etc'] },
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain("strikt: there is no such parameter\n  hint: did you mean 'strict'?");
    expect(stderr).toContain('maxCollectionSize: 0 is less than 1');
    expect(stderr).toContain('error[path-outside] parameters definitions: /etc is outside the repository');
  });

  it('reports the errors of the files with their lines, errors first', async () => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/a.yaml': note('a', '{text: 7}') });
    const { code, stderr } = await copy.generate();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error\[instance-type\] Note\/a: .*\n {2}--> a\.yaml:5:14 spec\.text\n/);
  });

  it.each([
    ['kustomize', 'kustomization.yaml'],
    ['helm', 'Chart.yaml'],
  ])('does not render a folder for %s if it is not to build it', async (tool, file) => {
    copy.write({ 'app/rgd.yaml': noteRgd, 'app/a.yaml': note('a'), [`app/${file}`]: '{}' });
    expect(await copy.generate()).toEqual({
      code: 1,
      stdout: '',
      stderr: `error[build-not-asked]: this folder is for ${tool}, which would not run\n  hint: set build to auto; to read the files as they are, exclude ${file}\n`,
    });
    expect((await copy.generate([{ name: 'exclude', array: [file] }])).code).toBe(0);
  });

  it('prints one object per line, as JSON, whatever its texts contain', async () => {
    copy.write({
      'app/rgd.yaml': noteRgd,
      'app/a.yaml': note('a', '{text: "---\\n--- x\\r\\n\\u2028\\u2029\\x85"}'),
      'app/b.yaml': '{apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {big: 9007199254740993, few: 1.10}}',
    });
    const { stdout } = await copy.generate();
    const lines = stdout.split('\n');
    expect(lines.pop()).toBe('');
    const [made, plain] = lines.map((line) => JSON.parse(line));
    expect(made.data.text).toBe('---\n--- x\r\n\u2028\u2029\u0085');
    expect(plain.metadata.name).toBe('b');
    expect(lines[1]).toContain('"data":{"big":9007199254740993,"few":1.1}');
  });

  it.each([
    [['frobnicate'], 'error[command-line]: plugin needs one of discover, generate, parameters\n'],
    [['generat'], 'error[command-line]: plugin needs one of discover, generate, parameters; did you mean generate?\n'],
    [['generate', '--strct'], 'error[command-line]: plugin generate: unknown option --strct; did you mean --strict?\n'],
    [['generate', 'app'], 'error[command-line]: plugin generate: unexpected argument app\n'],
    [['generate', '--on-pending=placeholder'], /--on-pending: 'placeholder' is not one of/],
  ])('%j: exit code 1', async ([verb = '', ...flags], expected) => {
    const { code, stdout, stderr } = await copy.call(verb, { flags });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(expected);
  });
});
