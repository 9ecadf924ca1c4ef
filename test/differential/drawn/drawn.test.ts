import { describe, expect, it } from 'vitest';
import { sample } from '../draw.ts';
import { packageOfExpressions, worldExpression } from '../expression-packages.ts';
import { packageOf } from '../packages.ts';
import { abouts } from './headings.ts';
import inventory from './inventory.json' with { type: 'json' };
import { inventoryFaults } from './inventory.ts';
import { drawnOf, inventoryRows } from './rows.ts';
import { shapeRows } from './shapes.ts';

const [SAMPLES, SEED] = [1000, 1];
const rows = [...inventoryRows, ...shapeRows];

/** How many of so many packages, and of so many expressions, have something. */
function countedRows(): { name: string; packages: number; expressions: number }[] {
  const packages = sample(packageOf, SAMPLES, SEED).map(drawnOf);
  const expressions = sample(worldExpression, SAMPLES, SEED).map((one) => drawnOf(packageOfExpressions([one])));
  const within = ({ has }: (typeof rows)[number], all: typeof packages): number => all.filter(has).length;
  // The RGD around an expression is the same for each.
  const isCode = ({ name }: (typeof rows)[number]): boolean => /^(?:function|read)/.test(name);
  return rows.map((row) => ({
    name: row.name,
    packages: within(row, packages),
    expressions: isCode(row) ? within(row, expressions) : 0,
  }));
}

const counted = countedRows();

it('the generators draw everything that kro has', () => {
  expect(counted.filter(({ packages }) => packages === 0).map(({ name }) => name)).toEqual([]);
});

it('the table says how often', async () => {
  const lines = counted.map(
    ({ name, packages, expressions }) => `| ${name.replaceAll('|', '\\|')} | ${packages} | ${expressions || ''} |`,
  );
  const head = [
    '# What the generators draw',
    '',
    `In ${SAMPLES} packages and ${SAMPLES} expressions with seed ${SEED}. \`npx vitest run test/differential/drawn -u\` writes this page.`,
    'The rows are what kro has: `judge inventory`, and the shapes that its documentation describes.',
    '',
    '| what | packages | expressions |',
    '| --- | ---: | ---: |',
  ];
  await expect(`${[...head, ...lines].join('\n')}\n`).toMatchFileSnapshot('table.md');
});

describe("the headings of kro's documentation", () => {
  const about = (heading: string) => abouts.find(({ headings }) => headings.test(heading));

  it('each have rows, or a reason why they have none', () => {
    expect(inventory.headings.filter((heading) => about(heading) === undefined)).toEqual([]);
  });

  it('each entry is about one of them', () => {
    const used = new Set(inventory.headings.map(about));
    expect(abouts.filter((one) => !used.has(one)).map(({ headings }) => headings.source)).toEqual([]);
  });

  it('name rows of the table', () => {
    const names = new Set(rows.map(({ name }) => name));
    const named = abouts.flatMap((one) => ('rows' in one ? one.rows : []));
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });
});

describe('an inventory that is not that of kro', () => {
  it('lacks what kro has, and has what kro no longer has', () => {
    const current = { ...inventory, functions: [...inventory.functions.slice(1), 'brandNew'] };
    expect(inventoryFaults(inventory, current)).toEqual([
      'inventory.json lacks functions: brandNew',
      `kro no longer has functions: ${inventory.functions[0]}`,
    ]);
  });

  it('lacks a list', () => {
    expect(inventoryFaults(inventory, { ...inventory, gates: ['One'] })).toEqual(['inventory.json lacks gates: One']);
  });

  it('has no faults if it is the same', () => {
    expect(inventoryFaults(inventory, inventory)).toEqual([]);
  });
});
