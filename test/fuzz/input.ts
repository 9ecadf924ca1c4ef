import fc from 'fast-check';
import { type InputObject, isKubeObject, type KubeObject } from '../../src/core/model/object.ts';
import type { Value, ValueMap } from '../../src/core/model/value.ts';
import { toJsonText } from '../../src/yaml/emit/json.ts';
import { toYaml } from '../../src/yaml/emit/yaml.ts';
import { mutated, mutations } from '../properties/mutants.ts';
import type { Corpus } from './corpus.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateText } from './mutate-text.ts';
import { type Random, randomOf } from './random.ts';

/** An invocation: without arguments it is the KRM function. */
export interface FuzzInput {
  args: readonly string[];
  stdin: Uint8Array;
}

/** Returns the input with this number under this seed, always the same one for the same corpus. */
export function inputOf(corpus: Corpus, seed: number, index: number): FuzzInput {
  const random = randomOf(seed, index);
  const args = argumentsOf(random);
  const text = args.length === 0 ? listText(corpus, random) : streamText(corpus, random);
  return { args, stdin: mutateBytes(new TextEncoder().encode(text), random) };
}

function argumentsOf(random: Random): string[] {
  if (random.chance(0.4)) return [];
  const command = random.pick([...Array<string>(8).fill('render'), 'crd', 'crd', 'pending', 'doctor', 'observe']);
  const args = [command, '-'];
  const sometimes = (...more: string[]): void => {
    if (random.chance(0.25)) args.push(...more);
  };
  sometimes('--on-pending', random.pick(command === 'render' ? [...onPending, 'placeholder'] : onPending));
  sometimes('--diagnostics', 'json');
  if (command === 'doctor') return args;
  if (command === 'observe') args.push('--from', '-');
  for (const flag of ['--strict', '--assume-empty-status', '--keep-owner-references']) sometimes(flag);
  if (random.chance(0.7)) args.push('--namespace', 'default');
  if (command === 'render') sometimes('--order', random.pick(['argocd', 'kpt']));
  if (command === 'render') sometimes('--all');
  sometimes('-o', 'json');
  return args;
}

const onPending = ['fail', 'skip', 'passthrough'];

/** Returns a mutant of values, of text, or of both. */
function streamText(corpus: Corpus, random: Random): string {
  const isValues = random.chance(0.5);
  const text = isValues ? written(mutant(corpus, random), random) : random.pick(corpus.texts);
  return isValues && random.chance(0.6) ? text : mutateText(text, random, corpus);
}

function mutant(corpus: Corpus, random: Random): Value[] {
  const objects = random.pick(corpus.packages);
  const [changes = []] = fc.sample(mutations, { numRuns: 1, seed: random.below(2 ** 31) });
  return mutated(objects, changes).map(({ object }: InputObject) => object);
}

function written(objects: readonly Value[], random: Random): string {
  if (random.chance(0.2)) return objects.map((object) => `${toJsonText(object)}\n`).join('');
  return objects
    .map((object) => toYaml([isKubeObject(object) ? object : ({ object } as ValueMap as KubeObject)]))
    .join('---\n');
}

/** Returns a mutated ResourceList, of the objects of a package or from a file. */
function listText(corpus: Corpus, random: Random): string {
  const items = random.chance(0.6) ? mutant(corpus, random) : random.pick(corpus.packages).map(({ object }) => object);
  const [first] = items;
  const isList = items.length === 1 && isKubeObject(first) && first.kind === 'ResourceList';
  const list: Value = isList
    ? first
    : { apiVersion: 'config.kubernetes.io/v1', kind: 'ResourceList', ...config(random), items };
  const text = random.chance(0.2) ? toJsonText(list) : toYaml([list as KubeObject]);
  return random.chance(0.5) ? text : mutateText(text, random, corpus);
}

function config(random: Random): ValueMap {
  if (random.chance(0.4)) return {};
  const spec: ValueMap = { namespace: 'default' };
  if (random.chance(0.5)) spec.onPending = random.pick(onPending);
  if (random.chance(0.3)) spec.strict = true;
  if (random.chance(0.3)) spec.order = random.pick(['argocd', 'kpt']);
  const functionConfig = { apiVersion: 'fn.kpt.dev/v1alpha1', kind: 'RenderRGD', metadata: { name: 'fuzz' }, spec };
  return { functionConfig };
}
