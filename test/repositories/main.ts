import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isRgd } from '../../src/kro/definition/read.ts';
import { hasGo } from '../cluster/control-plane/build.ts';
import { jsonText } from '../cluster/documents.ts';
import { compareWith } from '../differential/comparison.ts';
import { startJudge } from '../differential/judge.ts';
import { judgeCommand } from '../differential/judge-program.ts';
import { printGroups } from '../differential/report.ts';
import { replaceSection, table } from '../fidelity/page.ts';
import { packagesOf, type RepositoryPackage } from './packages.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    packages: { type: 'string' },
    show: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});

/** The result for one clone. */
interface Row {
  name: string;
  packages: number;
  equal: number;
  onPurpose: number;
  open: number;
  /** Files with errors: most are templates of other tools. */
  unread: number;
}

if (positionals.length !== 1) {
  console.error('usage: npm run repositories -- LIST [--packages DIR] [--show N] [--write]');
  process.exitCode = 2;
} else if (hasGo()) await run(positionals[0] ?? '');
else {
  console.log("SKIPPED: Go is missing, so kro's engine cannot be built");
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
}

async function run(list: string): Promise<void> {
  const judge = startJudge(await judgeCommand());
  const comparison = compareWith(judge, Number(values.show));
  const rows: Row[] = [];
  for (const { clone, name } of clonesIn(list)) {
    const { packages, unread } = await packagesOf(clone);
    const before = comparison.count();
    await comparison.packages(packages);
    const after = comparison.count();
    const [onPurpose, open] = [after.onPurpose - before.onPurpose, after.open - before.open];
    const equal = packages.length - onPurpose - open;
    rows.push({ name, packages: packages.length, equal, onPurpose, open, unread });
    if (values.packages !== undefined) for (const one of packages) writeCase(values.packages, name, one);
  }
  await printGroups(comparison, judge, false);
  judge.close();
  const lines = tableOf(rows);
  console.log(lines.join('\n'));
  if (values.write) replaceSection('repositories', lines);
  const { total, open } = comparison.count();
  console.log(`repositories: ${total - open} passed, ${open} failed`);
  process.exitCode = open === 0 && total > 0 ? 0 : 1;
}

function clonesIn(list: string): { clone: string; name: string }[] {
  const lines = readFileSync(list, 'utf8')
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const [clone = '', name = basename(clone)] = line.split(/\s+/);
      return { clone, name };
    });
}

/** Writes a package as a case of `npm run cluster`. */
function writeCase(folder: string, repository: string, { name, objects }: RepositoryPackage): void {
  const path = join(folder, `${repository}--${name}`.replaceAll(/[^\w.-]+/g, '-'));
  mkdirSync(path, { recursive: true });
  const documents = objects.map((object) => jsonText(object));
  writeFileSync(join(path, 'input.yaml'), `${documents.join('\n---\n')}\n`);
  console.log(`${path}: ${objects.filter((object) => isRgd(object as never)).length} RGDs`);
}

function tableOf(rows: readonly Row[]): string[] {
  const sum = (key: Exclude<keyof Row, 'name'>): number => rows.reduce((total, row) => total + row[key], 0);
  const cells = ({ name, packages, equal, onPurpose, open, unread }: Row): string[] => [
    name,
    ...[packages, equal, onPurpose, open, unread].map((count) => count.toLocaleString('en')),
  ];
  const total: Row = {
    name: 'all',
    packages: sum('packages'),
    equal: sum('equal'),
    onPurpose: sum('onPurpose'),
    open: sum('open'),
    unread: sum('unread'),
  };
  const head = ['repository', 'RGDs', 'equal', 'different on purpose', 'open', 'files not read'];
  return table([head, ...[...rows, total].map(cells)]);
}
