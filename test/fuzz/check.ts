import { loadAll, YAMLException } from 'js-yaml';
import { readListText } from '../../src/cli/resourcelist/index.ts';
import { Collector } from '../../src/core/diagnostics/index.ts';
import { labelKeyFault, labelValueFault } from '../../src/core/model/names.ts';
import { isKubeObject, type KubeObject } from '../../src/core/model/object.ts';
import { equal, get, isMap, type Value } from '../../src/core/model/value.ts';
import { readStream } from '../../src/yaml/parse/yaml.ts';
import { type Invocation, invoke } from '../cli/invoke.ts';
import type { FuzzInput } from './input.ts';

/** Matches messages of the JavaScript engine, and the text of values that are not meant to be printed. */
const OF_THE_ENGINE =
  /this is a bug|\n +at .+:\d+:\d+\)?\n|Maximum call stack|Cannot (?:read|convert|mix)|is not (?:a function|iterable)|\[object |Invalid (?:array|string) length/;

export interface Verdict {
  /** The invocation succeeded. */
  succeeded: boolean;
  /** The error in the result. */
  fault?: string | undefined;
}

export async function verdictOn(input: FuzzInput): Promise<Verdict> {
  try {
    const first = await invoke(input.args, input.stdin);
    return { succeeded: first.code === 0, fault: await faultOf(input, first) };
  } catch (error) {
    return { succeeded: false, fault: String(error instanceof Error ? error.stack : error) };
  }
}

async function faultOf({ args, stdin }: FuzzInput, first: Invocation): Promise<string | undefined> {
  const fault = outcomeFault(first) ?? (args.length === 0 ? listFault(first, stdin) : printFault(first, args));
  if (fault !== undefined) return `${fault}\n${first.stderr.slice(0, 2000)}`;
  const second = await invoke(args, stdin);
  if (second.stdout !== first.stdout || second.stderr !== first.stderr) return 'a second run gives something else';
  return args.length === 0 && first.code === 0 ? againFault(first) : undefined;
}

function outcomeFault({ code, stderr }: Invocation): string | undefined {
  if (code !== 0 && code !== 1) return `exit code ${code}`;
  const word = OF_THE_ENGINE.exec(stderr)?.[0];
  if (word !== undefined) return `stderr holds ${JSON.stringify(word)}`;
  if (code === 1 && !/error\[|"severity": "error"/.test(stderr)) return 'it fails without an error';
  if (code === 0 && /^(?:[^\s]+: )?error\[|^ {4}"severity": "error"/m.test(stderr)) return 'it succeeds with an error';
  return undefined;
}

/** A command prints everything or nothing, and its output can be read. */
function printFault({ code, stdout }: Invocation, args: readonly string[]): string | undefined {
  if (code === 1) return stdout === '' || args[0] === 'doctor' ? undefined : 'it fails with output';
  if (args[0] === 'doctor' || (args[0] === 'pending' && !args.includes('-o'))) return undefined;
  const objects = args.includes('-o') ? JSON.parse(stdout) : readable(stdout);
  if (!Array.isArray(objects)) return 'the output cannot be read';
  if (args[0] === 'pending') return undefined;
  if (!objects.every(isKubeObject)) return 'the output holds something else than objects';
  const isAllOurs = args[0] === 'render' && !args.includes('--all') && !args.includes('passthrough');
  return isAllOurs ? objects.map(labelFault).find((fault) => fault !== undefined) : undefined;
}

function labelFault(object: KubeObject): string | undefined {
  const labels = get(object.metadata, 'labels');
  for (const [key, value] of Object.entries(isMap(labels) ? labels : {})) {
    const fault = labelKeyFault(key) ?? (typeof value === 'string' ? labelValueFault(value) : 'it is no string');
    if (fault !== undefined) return `the label ${key}: ${fault}`;
  }
  return undefined;
}

/** Returns all documents of a text; both readers accept it, with the same count. */
function readable(text: string): Value[] | undefined {
  const { documents, problems } = readStream(text);
  const isRead = problems.length === 0 && countedByOthers(text) === documents.length;
  return isRead ? documents.map(({ value }) => value) : undefined;
}

/** Returns how many documents another reader finds; `undefined` if it rejects the text. */
function countedByOthers(text: string): number | undefined {
  try {
    return loadAll(text).length;
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

/**
 * Returns the first document of an answer. It may still contain what others reject in the input, such as a duplicate
 * key.
 */
function answerIn(stdout: string, stdin: Uint8Array): Value | undefined {
  if (countedByOthers(new TextDecoder().decode(stdin)) !== undefined) return readable(stdout)?.[0];
  return readStream(stdout).documents[0]?.value;
}

/** The function answers with a ResourceList unless the input is none, and with the unchanged items after an error. */
function listFault({ code, stdout }: Invocation, stdin: Uint8Array): string | undefined {
  const given = listIn(stdin);
  if (given === undefined) return code === 1 && stdout === '' ? undefined : 'it answers to what is no ResourceList';
  const list = answerIn(stdout, stdin);
  const answered = itemsOf(list);
  if (answered === undefined) return 'the answer is no ResourceList';
  if (code === 1 && !equal(answered, itemsOf(given) ?? [])) return 'it fails and changes the items';
  const results = get(list, 'results');
  const failed = Array.isArray(results) && results.some((result) => get(result, 'severity') === 'error');
  return failed === (code === 1) ? undefined : 'the exit code and the results differ';
}

/** Returns the ResourceList in the bytes, as the function reads it. */
function listIn(stdin: Uint8Array): Value | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(stdin);
  } catch {
    return undefined;
  }
  return readListText({ file: '-', text }, new Collector())?.value;
}

const itemsOf = (list: Value | undefined): Value[] | undefined => {
  const items = get(list, 'items');
  return isMap(list) && (Array.isArray(items) || items === undefined || items === null) ? (items ?? []) : undefined;
};

/**
 * Rendering its own output in place changes nothing. kustomize does not write an answer back, and gets one without the
 * live objects that it would reject beside rendered ones.
 */
async function againFault({ stdout }: Invocation): Promise<string | undefined> {
  if (stdout.includes('kustomize.config.k8s.io/id')) return undefined;
  const again = await invoke([], stdout);
  const [before, after] = [stdout, again.stdout].map((text) => itemsOf(readStream(text).documents[0]?.value) ?? []);
  if (again.code !== 0) return `rendering the answer again fails\n${again.stderr.slice(0, 2000)}`;
  return equal(before ?? [], after ?? []) ? undefined : 'rendering the answer again changes it';
}
