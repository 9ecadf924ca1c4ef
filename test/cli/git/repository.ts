import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { temporaryFolder as newFolder } from '../../temporary.ts';

/** Returns a folder that is removed after the test. */
export const temporaryFolder = (): string => newFolder('git');

export function write(file: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
}

const IDENTITY = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'protocol.file.allow=always'];

/** Runs git in a folder, as a user would. Returns its output; throws its error. */
export function git(folder: string, args: readonly string[], input: string | Buffer = ''): string {
  const { status, stdout, stderr } = spawnSync('git', [...IDENTITY, ...args], { cwd: folder, input });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.toString();
}

/** Runs git without an expectation, for what it does on the way. */
export const tryGit = (folder: string, args: readonly string[]): unknown =>
  spawnSync('git', [...IDENTITY, ...args], { cwd: folder, timeout: 10_000 });

export function commitAll(folder: string): string {
  git(folder, ['add', '-fA', '.']);
  git(folder, ['commit', '-q', '--allow-empty', '-m', 'change']);
  return git(folder, ['rev-parse', 'HEAD']).trim();
}

/** Returns a package with an RGD and an instance, which renders a ConfigMap with a value. */
export const pack = (value: string): string => `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: { name: site }
spec:
  schema: { apiVersion: v1alpha1, kind: Site, spec: { a: string } }
  resources:
  - id: c
    template:
      { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${schema.metadata.name}" }, data: { k: "\${schema.spec.a}" } }
---
apiVersion: kro.run/v1alpha1
kind: Site
metadata: { name: one, namespace: default }
spec: { a: ${value} }
`;
