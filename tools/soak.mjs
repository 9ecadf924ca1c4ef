#!/usr/bin/env node
// Renders repeatedly in one process, with the library, and checks that the memory in use does not grow. Needs `npm run
// build`; run by node --expose-gc. With TIMES=10, as in the nightly workflow, it renders more often.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createTally } from './tally.mjs';

const RENDERINGS = Number(process.env.TIMES ?? 1) > 1 ? 10_000 : 3000;
const SAMPLES = 50;
/** The allowed growth of the median of the last fifth of the samples over the second fifth, whichever is more. */
const ALLOWED = { share: 0.05, mebibytes: 2 };

const root = fileURLToPath(new URL('..', import.meta.url));
const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const { compile, crds, render } = await import(pathToFileURL(`${root}${exports['.'].default}`).href);
if (globalThis.gc === undefined) throw new Error('run it with node --expose-gc');

const locale = readFileSync(`${root}tools/determinism/locale.yaml`, 'utf8');
const inputs = [
  { name: 'examples/collections', run: renderFolder('examples/collections/input') },
  { name: 'examples/kpt', run: renderFolder('examples/kpt/package') },
  { name: 'waiting values', run: renderFolder('examples/pending/site'), fails: true },
  { name: 'several compile errors', run: renderFolder('test/cases/several-compile-errors'), fails: true },
  { name: 'no YAML', run: () => render({ objects: [{ file: 'broken.yaml', text: 'a: [' }] }), fails: true },
  { name: 'CRDs', run: crdsOf('examples/collections/input') },
  { name: 'compiled definitions', run: compiledFolder('examples/collections/input') },
  { name: 'definitions compiled again', run: edited },
  // Uses different names, patterns and positions each time, so that caches of the engine would grow.
  { name: 'a new RGD each time', run: newRgd },
];
let current;
const tally = createTally('soak');
for (const { name, run, fails = false } of inputs) {
  const failed = run(0).diagnostics.some(({ severity }) => severity === 'error');
  tally.check(name, failed === fails ? undefined : fails ? 'it does not fail' : 'it fails');
}
const heap = soak();
const [early, late] = [median(fifth(1)), median(fifth(4))];
const bound = early + Math.max(early * ALLOWED.share, ALLOWED.mebibytes);
console.log(
  `median of the second fifth ${early.toFixed(2)} MiB, of the last ${late.toFixed(2)}, bound ${bound.toFixed(2)}`,
);
tally.check('the heap stays flat', late <= bound ? undefined : `${late.toFixed(2)} MiB is beyond ${bound.toFixed(2)}`);
tally.end();

function soak() {
  const samples = [];
  console.log('renderings  heap (MiB)');
  for (let count = 1; count <= RENDERINGS; count++) {
    inputs[count % inputs.length].run(count);
    if (count % (RENDERINGS / SAMPLES) !== 0) continue;
    samples.push(heapUsed());
    if (count % (RENDERINGS / 10) === 0) console.log(`${String(count).padStart(10)}  ${samples.at(-1).toFixed(2)}`);
  }
  return samples;
}

/** Returns the memory after a collection, including memory outside of the heap, such as date formats and buffers. */
function heapUsed() {
  globalThis.gc();
  const { heapUsed: used, external } = process.memoryUsage();
  return (used + external) / 2 ** 20;
}

function fifth(index) {
  return heap.slice((index * SAMPLES) / 5, ((index + 1) * SAMPLES) / 5);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function texts(folder) {
  const files = readdirSync(`${root}${folder}`).filter((file) => file.endsWith('.yaml'));
  return { objects: files.sort().map((file) => ({ file, text: readFileSync(`${root}${folder}/${file}`, 'utf8') })) };
}

function renderFolder(folder) {
  const input = texts(folder);
  return () => render(input);
}

function crdsOf(folder) {
  const input = texts(folder);
  return () => crds(input);
}

function compiledFolder(folder) {
  const { objects } = texts(folder);
  const compiled = compile(objects);
  return () => compiled.render({ objects });
}

/** One program keeps its definitions, and one text changes repeatedly. */
function edited(count) {
  current = (current ?? compile([])).recompile([
    { file: 'locale.yaml', text: locale },
    { file: 'edited.yaml', text: renamed(count) },
  ]);
  return current;
}

function newRgd(count) {
  return render({ objects: [{ file: `${count}.yaml`, text: renamed(count) }] });
}

function renamed(count) {
  return locale
    .replaceAll('Locale', `Locale${count}`)
    .replaceAll('name: words', `name: words-${count}`)
    .replaceAll('straße', `straße${count}`)
    .replace('upper:', `"${count}": \${string("a".matches("a{1,200}|${count}"))}\n          upper:`)
    .replaceAll("'Asia/Kathmandu'", `'${offset(count)}'`);
}

/** Returns a time zone that differs for 600 consecutive numbers. */
function offset(count) {
  const digits = (number) => String(number).padStart(2, '0');
  return `+${digits(Math.floor(count / 60) % 10)}:${digits(count % 60)}`;
}
