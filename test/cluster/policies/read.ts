import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isPolicy } from '../../../src/authoring/policies/index.ts';
import { type KubeObject, nameOf } from '../../../src/core/model/object.ts';
import { getAt } from '../../../src/core/model/value.ts';
import { readPackageText } from '../documents.ts';
import type { Case } from './generate.ts';

/** Returns the policies in the YAML files of folders, each with its bindings, or else with one. */
export function readCases(folders: readonly string[]): Case[] {
  const objects = folders.flatMap(filesIn).flatMap((file) => {
    try {
      return readPackageText(readFileSync(file, 'utf8'));
    } catch {
      return [];
    }
  });
  const all = objects.filter((object) => isPolicy({ object }));
  const seen = new Set<string>();
  return all.flatMap((policy) => {
    const name = nameOf(policy);
    if (policy.kind !== 'ValidatingAdmissionPolicy' || seen.has(name)) return [];
    seen.add(name);
    const binding: KubeObject = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: `${name}-binding` },
      spec: { policyName: name, validationActions: ['Warn'] },
    };
    const paramKind = getAt(policy, ['spec', 'paramKind']);
    if (paramKind !== undefined) return [];
    return [{ name, objects: [{ ...policy, apiVersion: 'admissionregistration.k8s.io/v1' }, binding] }];
  });
}

function filesIn(folder: string): string[] {
  if (!statSync(folder).isDirectory()) return /\.ya?ml$/.test(folder) ? [folder] : [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .flatMap((name) => filesIn(join(folder, name)));
}
