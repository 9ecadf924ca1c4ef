import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { kroSources } from '../../cluster/control-plane/build.ts';
import recorded from './inventory.json' with { type: 'json' };

/** Where a bundle of this program writes it. */
const WRITTEN = 'test/differential/drawn/inventory.json';

type Inventory = Readonly<Record<string, readonly string[]>>;

/** Returns what kro has: its API types, its CEL environment, its parser and its documentation, as the judge reads them. */
const inventoryOf = (judge: string): Inventory =>
  JSON.parse(execFileSync(judge, ['inventory', kroSources()], { encoding: 'utf8' })) as Inventory;

/** Returns what differs between kro and the file from which the table of coverage is made. */
export const staleInventory = (judge: string): string[] => inventoryFaults(recorded, inventoryOf(judge));

export function inventoryFaults(known: Inventory, current: Inventory): string[] {
  return [...new Set([...Object.keys(known), ...Object.keys(current)])].flatMap((list) => {
    const old = known[list] ?? [];
    const now = current[list] ?? [];
    const missing = now.filter((one) => !old.includes(one)).map((one) => `inventory.json lacks ${list}: ${one}`);
    const gone = old.filter((one) => !now.includes(one)).map((one) => `kro no longer has ${list}: ${one}`);
    return [...missing, ...gone];
  });
}

export const writeInventory = (judge: string): void =>
  writeFileSync(WRITTEN, `${JSON.stringify(inventoryOf(judge), null, 2)}\n`);
