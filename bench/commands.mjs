// Runs every command with every kind of input that multiplies, and measures CPU seconds and peak memory of the process.
// The table has the most expensive command of each kind, and all that miss the goal.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressIn, MULTIPLYING, RENDERED } from './support/multiplying.mjs';

export const title = 'Every command over inputs that multiply';

const COMMAND = fileURLToPath(new URL('../dist/render-rgd.js', import.meta.url));
const GOAL = { seconds: 2, peak: 300 };
/** Beyond this number of rendered objects, each object more may take the seconds of `EACH`. */
const OBJECTS = 20_000;
const EACH = 0.000_075;
const LONGEST = 60_000;
/** Writes the resource usage of the process to the fourth stream when it ends. */
const WATCH = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())));",
)}`;

export async function run({ short }) {
  const folder = mkdtempSync(join(tmpdir(), 'render-rgd-bench-'));
  try {
    const rows = [];
    for (const [index, [name, make]] of Object.entries(MULTIPLYING).entries()) {
      const text = make();
      const [input, newer, list] = ['input.yaml', 'newer.yaml', 'list.yaml'].map((file) => join(folder, file));
      writeFileSync(input, text);
      writeFileSync(newer, `${text}\n# newer\n`);
      writeFileSync(list, listOf(text));
      const tree = join(folder, `tree-${index}`);
      for (const command of commandsFor({ text, input, newer, tree }).slice(0, short ? 3 : undefined)) {
        rows.push({
          name,
          command: nameOf(command),
          ...cost(command, command.length === 0 ? list : undefined),
        });
      }
    }
    const most = (figure) => Math.max(...rows.map(figure));
    return {
      lines: [
        ['', 'command', 'exit code', 'CPU seconds', 'MiB', 'at most 2 s and 300 MiB'],
        ...Object.keys(MULTIPLYING).flatMap((name) => linesOf(rows.filter((row) => row.name === name))),
      ],
      claims: [
        {
          name: 'any command over such an input',
          figure: most(secondsOf),
          target: GOAL.seconds,
          unit: 's',
        },
        { name: 'its memory', figure: most(({ peak }) => peak), target: GOAL.peak, unit: 'MiB' },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const nameOf = ([verb = 'function', ...rest]) => [verb, ...rest.filter((word) => word.startsWith('--'))].join(' ');

/** Returns the seconds of CPU time beyond those for many rendered objects. */
const secondsOf = ({ name, seconds }) => seconds - Math.max(0, (RENDERED[name] ?? 0) - OBJECTS) * EACH;
const isMissed = (row) => secondsOf(row) > GOAL.seconds || row.peak > GOAL.peak;

/**
 * Returns the rows for one kind of input: the slowest command, the one with the most memory, and those that miss the
 * goal.
 */
function linesOf(rows) {
  const longest = rows.reduce((a, b) => (b.seconds > a.seconds ? b : a));
  const largest = rows.reduce((a, b) => (b.peak > a.peak ? b : a));
  return rows
    .filter((row) => row === longest || row === largest || isMissed(row))
    .map((row) => [
      row.name,
      row.command,
      String(row.code),
      row.seconds.toFixed(1),
      row.peak.toFixed(0),
      isMissed(row) ? '**missed**' : 'met',
    ]);
}

function commandsFor({ text, input, newer, tree }) {
  const address = addressIn(text);
  const [kind] = address.split('/');
  return [
    ['render', input, '--all'],
    ['validate', input],
    ['diff', input, newer],
    ['compat', input, newer],
    ['crd', input],
    ['docs', input],
    ['schema', kind, input],
    ['instance', kind, input],
    ['pending', input],
    ['observe', input, '--from', input],
    ['explain', address, input],
    ['graph', input],
    ['doctor', input],
    ['render', input, '--output-dir', tree],
    ['validate', input, '--report', 'sarif'],
    [],
  ];
}

function cost(command, list) {
  const { status, signal, output } = spawnSync(process.execPath, ['--import', WATCH, COMMAND, ...command], {
    input: list === undefined ? '' : readFileSync(list),
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    timeout: LONGEST,
  });
  if (signal !== null) return { code: signal, seconds: LONGEST / 1000, peak: 0 };
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(String(output[3]));
  return { code: status, seconds: (userCPUTime + systemCPUTime) / 1_000_000, peak: maxRSS / 1024 };
}

/** Returns the documents as items of a ResourceList. */
function listOf(text) {
  const items = text.split(/^---\n/m).filter((document) => document.trim() !== '');
  const shown = items.map((document) => `- ${document.trimEnd().split('\n').join('\n  ')}\n`);
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${shown.join('')}`;
}
