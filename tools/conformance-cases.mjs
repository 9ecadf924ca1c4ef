// A conformance case is a folder with input.yaml, perhaps observed.yaml, and what is expected:
//   expected.json              the rendered objects, in order
//   expected-crds.json         the generated CRDs, sorted by name
//   expected-error.json        the stage (and node) in which rendering must fail
//   expected-diagnostics.json  each entry's fields stand together in one diagnostic
//   args.json                  options in place of --strict
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Keeps integers beyond 2^53 distinct: they become the text 'int:<digits>'. */
const parse = (text) =>
  JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g, (token) => (token[0] === '"' ? token : `"int:${token}"`)),
  );

const readJson = (path) => (existsSync(path) ? parse(readFileSync(path, 'utf8')) : undefined);

/** Returns all cases below a folder. */
export function findCases(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .sort()
    .flatMap((path) => (existsSync(join(path, 'input.yaml')) ? [path] : findCases(path)));
}

/**
 * Checks one case. `run` takes the arguments of the command and returns its exit code, stdout and stderr. Returns the
 * error, or undefined.
 */
export async function checkCase(folder, run) {
  const at = (name) => join(folder, name);
  const options = readJson(at('args.json')) ?? ['--strict'];
  const args = [
    'render',
    at('input.yaml'),
    '--namespace',
    'default',
    ...options,
    '-o',
    'json',
    '--diagnostics',
    'json',
  ];
  if (existsSync(at('observed.yaml'))) args.push('--observed', at('observed.yaml'));
  const result = await run(args);
  const diagnostics = readDiagnostics(result);
  if (typeof diagnostics === 'string') return diagnostics;
  const wanted = readJson(at('expected-diagnostics.json')) ?? [];
  const missing = wanted.find((want) => !diagnostics.some((got) => includes(got, want)));
  if (missing !== undefined) return `no diagnostic has ${JSON.stringify(missing)}: ${shorten(diagnostics)}`;
  const failure = readJson(at('expected-error.json'));
  if (failure !== undefined) return checkFailure(failure, result, diagnostics);
  // kro has a result for every case except those whose about.txt describes what goes beyond it.
  const needed = existsSync(at('about.txt')) ? ['expected.json'] : ['expected.json', 'expected-crds.json'];
  const lost = needed.find((name) => !existsSync(at(name)));
  if (lost !== undefined) return `${lost} is not there`;
  if (result.code !== 0) return `exit code ${result.code}: ${shorten(diagnostics)}`;
  const difference = firstDifference(readJson(at('expected.json')), parse(result.stdout));
  if (difference !== undefined) return `objects differ at ${difference}`;
  return checkCrds(readJson(at('expected-crds.json')), at('input.yaml'), options, run);
}

function readDiagnostics({ code, stderr }) {
  try {
    return parse(stderr);
  } catch {
    return `exit code ${code}, and stderr is not JSON: ${stderr.slice(0, 300)}`;
  }
}

const includes = (got, want) => Object.entries(want).every(([key, value]) => got[key] === value);

function checkFailure({ stage, node }, { code, stdout }, diagnostics) {
  if (code !== 1) return `exit code ${code} in place of an error of stage ${stage}`;
  if (stdout !== '') return 'it printed to stdout although it failed';
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const hit = errors.some((error) => error.stage === stage && (node === undefined || error.node === node));
  return hit
    ? undefined
    : `no error of stage ${stage}${node === undefined ? '' : ` in node ${node}`}: ${shorten(errors)}`;
}

async function checkCrds(expected, input, options, run) {
  if (expected === undefined) return undefined;
  const result = await run(['crd', input, ...options.filter((option) => option === '--strict'), '-o', 'json']);
  if (result.code !== 0) return `crd: exit code ${result.code}: ${result.stderr.slice(0, 300)}`;
  const difference = firstDifference(expected, parse(result.stdout));
  return difference === undefined ? undefined : `CRDs differ at ${difference}`;
}

/** Returns the first difference of two JSON values; the order of keys does not count. */
function firstDifference(want, got, path = '') {
  if (want === got) return undefined;
  const bothContainers = isContainer(want) && isContainer(got) && Array.isArray(want) === Array.isArray(got);
  if (bothContainers) {
    for (const key of new Set([...Object.keys(want), ...Object.keys(got)])) {
      const inner = firstDifference(own(want, key), own(got, key), `${path}/${key}`);
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  return `${path || '/'}: wanted ${shorten(want)}, got ${shorten(got)}`;
}

const isContainer = (value) => typeof value === 'object' && value !== null;
const own = (value, key) => (Object.hasOwn(value, key) ? value[key] : undefined);
const shorten = (value) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 240));
