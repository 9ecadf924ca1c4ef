import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { validate } from '../../../src/api/index.ts';
import { parseJson } from '../../../src/core/encoding/json.ts';
import type { KubeObject } from '../../../src/core/model/object.ts';
import type { ValueMap } from '../../../src/core/model/value.ts';
import { toJsonText } from '../../../src/yaml/emit/index.ts';
import { readPackageText } from '../../cluster/documents.ts';
import { type Mutant, mutated } from '../../cluster/refusals/mutants.ts';
import { ownFaults } from '../../cluster/refusals/ours.ts';
import { LONG, partOf } from '../../properties/runs.ts';

/*
 * The objects that a real API server judged (npm run refusals; test/kubernetes/validation/native compares its answers with
 * our rules), as a person writes them and as a ResourceSet renders them: the verdict is the same.
 */

const read = (name: string): string => readFileSync(`test/cluster/refusals/${name}`, 'utf8');
const bases = readPackageText(read('objects.yaml'));

/** An object, and whether the API server rejects it. */
interface Judged {
  object: KubeObject;
  isRefused: boolean;
}

const judged = read('verdicts.jsonl')
  .trimEnd()
  .split('\n')
  .flatMap((line): Judged[] => {
    const { base, path, refused, ...rest } = parseJson(line) as ValueMap;
    const steps = (path as (string | bigint)[]).map((step) => (typeof step === 'bigint' ? Number(step) : step));
    const original = bases[Number(base)];
    if (original === undefined) return [];
    const { status: _, ...object } = mutated(original, { ...rest, base: Number(base), path: steps } as Mutant);
    return [{ object: object as KubeObject, isRefused: refused === true }];
  });

/**
 * What the API server accepts and `validate` rejects on purpose: a field that a feature gate drops, and an empty type in a
 * schema, which is a mistake.
 */
const STRICTER = [/"grpc":\{[^}]*"mode":/, /"type":""/];

/** What `validate` says of an object. An unknown field of Kubernetes' own kinds is a warning. */
interface Said {
  hasErrors: boolean;
  hasUnknownFields: boolean;
}

function saidOf(text: string): Said {
  const { diagnostics } = validate({ objects: [{ file: 'input.yaml', text }] });
  return {
    hasErrors: diagnostics.some(({ severity }) => severity === 'error'),
    hasUnknownFields: diagnostics.some(({ code }) => code === 'rendered-unknown-field'),
  };
}

const setOf = (object: KubeObject): string =>
  toJsonText({
    apiVersion: 'fluxcd.controlplane.io/v1',
    kind: 'ResourceSet',
    metadata: { name: 'set', namespace: 'default' },
    spec: { resources: [object] },
  });

it(
  'an object has the verdict of the API server in a file and in a ResourceSet',
  () => {
    const differences: string[] = [];
    const part = partOf(judged, 40);
    expect(part.length).toBeGreaterThan(100);
    for (const { object, isRefused } of part) {
      const text = toJsonText(object);
      const written = saidOf(text);
      const rendered = saidOf(setOf(object));
      if (written.hasErrors !== rendered.hasErrors) differences.push(`file and set differ: ${text}`);
      const isStricter = STRICTER.some((one) => one.test(text));
      if (written.hasErrors && !isRefused && !isStricter) differences.push(`a false error: ${text}`);
      const isKnown = ownFaults(object).length > 0;
      if (isRefused && isKnown && !written.hasErrors && !written.hasUnknownFields)
        differences.push(`no error: ${text}`);
    }
    expect(differences).toEqual([]);
  },
  LONG,
);
