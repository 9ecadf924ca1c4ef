import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { getAt, type Value } from '../../src/model/value.ts';
import { readStream } from '../../src/parse/yaml.ts';
import { bundle, execute, filesOf, type Result, sandbox } from './sandbox.ts';

describe('the workflow of examples/ci', () => {
  let folder: string;
  beforeEach(() => {
    const examples = sandbox();
    folder = join(dirname(examples), 'checkout');
    mkdirSync(join(folder, 'bin'), { recursive: true });
    symlinkSync(bundle, join(folder, 'bin/render-rgd'));
    cpSync(join(examples, 'argocd/platform'), join(folder, 'platform'), { recursive: true });
    cpSync(join(examples, 'argocd/shop'), join(folder, 'apps/shop'), { recursive: true });
    cpSync(join(examples, 'argocd/blog'), join(folder, 'apps/blog'), { recursive: true });
  });

  /** The script of the step that renders, as the runner calls it. */
  function render(): Result {
    const text = readFileSync(join(bundle, '../../examples/ci/github-actions.yaml'), 'utf8');
    const steps = getAt(readStream(text).documents[0]?.value, ['jobs', 'render', 'steps']) as Value[];
    const script = steps.find((step) => getAt(step, ['name']) === 'Render');
    writeFileSync(join(folder, 'step.sh'), String(getAt(script, ['run'])));
    const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` };
    return execute('bash', ['--noprofile', '--norc', '-eo', 'pipefail', 'step.sh'], { cwd: folder, env });
  }

  it('renders every folder of apps', () => {
    const { code, stdout, stderr } = render();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('');
    const rendered = filesOf(join(folder, 'rendered'));
    expect(Object.keys(rendered).sort()).toEqual(['blog.yaml', 'shop.yaml']);
    expect(rendered['shop.yaml']).toContain('kind: Ingress');
  });

  it('fails with a remark at the line that is wrong, and renders the others', () => {
    const shop = join(folder, 'apps/shop/shop.yaml');
    writeFileSync(shop, readFileSync(shop, 'utf8').replace('host: shop.example.com', 'hosts: none'));
    const { code, stdout } = render();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^::error file=apps\/shop\/shop\.yaml,line=8,col=10,title=instance-unknown-field::WebApp\/shop /m,
    );
    expect(filesOf(join(folder, 'rendered'))['blog.yaml']).toContain('kind: Deployment');
  });

  it('says what belongs to no file too', () => {
    rmSync(join(folder, 'platform'), { recursive: true });
    const { code, stdout } = render();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error title=unreadable-file::cannot read platform: /m);
  });
});
