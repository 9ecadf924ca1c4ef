import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { hasGo } from '../cluster/control-plane/build.ts';
import { sample } from '../differential/draw.ts';
import { packageOfExpressions, worldExpression } from '../differential/expression-packages.ts';
import { startJudge } from '../differential/judge.ts';
import { judgeCommand } from '../differential/judge-program.ts';
import { packageOf } from '../differential/packages.ts';
import { conformancePackages } from '../differential/sources.ts';
import { writeJudged } from './answers.ts';
import { type Fault, faults } from './faults.ts';
import { replaceSection, table } from './page.ts';

const SEED = 1;
const PACKAGES = 300;
const EXPRESSIONS = 200;
/** All of the faults must be found. */
const WANTED = faults.length;

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

if (hasGo()) await run();
else {
  console.log('SKIPPED: go is not here, so nobody can ask kro');
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
}

async function run(): Promise<void> {
  // Inside node_modules, so that packages are found from there.
  const folder = mkdtempSync(resolve('node_modules/.faults-'));
  const recorded = join(mkdtempSync(join(tmpdir(), 'render-rgd-faults-')), 'recorded.json');
  try {
    writeFileSync(recorded, await record());
    const usual = await openWith(undefined, folder, recorded);
    const rows: string[][] = [];
    for (const fault of faults) {
      const more = (await openWith(fault, folder, recorded)) - usual;
      rows.push([fault.name, `\`${fault.file}\``, more > 0 ? String(more) : 'not found']);
      console.log(`${more > 0 ? 'found' : 'NOT FOUND'}: ${fault.name} (${more} more disagreements)`);
    }
    const found = rows.filter(([, , more]) => more !== 'not found').length;
    if (values.write) replaceSection('faults', table([['fault', 'file', 'disagreements'], ...rows]));
    console.log(`faults: ${found} passed, ${Math.max(0, WANTED - found)} failed`);
    process.exitCode = found >= WANTED ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(join(recorded, '..'), { recursive: true, force: true });
  }
}

/** Returns packages with kro's verdicts, requested once: kro does not change with the faults. */
async function record(): Promise<string> {
  const judge = startJudge(await judgeCommand());
  const inputs = [
    ...conformancePackages(false),
    ...sample(packageOf, PACKAGES, SEED),
    ...sample(worldExpression, EXPRESSIONS, SEED).map((expression) => packageOfExpressions([expression])),
  ];
  const verdicts = await judge.ask(inputs);
  judge.close();
  return writeJudged(inputs.flatMap((input, index) => (verdicts[index] ? [{ input, verdict: verdicts[index] }] : [])));
}

/** Returns how many packages render unlike in kro, with a fault in the sources. */
async function openWith(fault: Fault | undefined, folder: string, recorded: string): Promise<number> {
  const outfile = join(folder, 'recorded.mjs');
  await build({
    entryPoints: ['test/fidelity/recorded.ts'],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
    plugins: fault === undefined ? [] : [withFault(fault)],
  });
  return Number(execFileSync(process.execPath, [outfile, recorded], { encoding: 'utf8', maxBuffer: 1 << 26 }));
}

/** Replaces the text while the file is read, so that the fault is never on disk. */
function withFault({ file, from, to }: Fault): Plugin {
  return {
    name: 'fault',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (path !== resolve(file)) return undefined;
        const text = readFileSync(path, 'utf8');
        if (text.split(from).length !== 2) throw new Error(`${file} does not have '${from}' once`);
        return { contents: text.replace(from, () => to), loader: 'ts' };
      });
    },
  };
}
