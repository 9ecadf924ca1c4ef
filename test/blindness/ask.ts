import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { invoke } from '../cli/invoke.ts';
import type { Random } from '../fuzz/random.ts';
import { drawPackage, type FileContent } from './package.ts';
import type { Plant } from './plants.ts';

/** Writes files below a folder, which is emptied before. */
function write(folder: string, files: ReadonlyMap<string, FileContent>): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, file);
    else writeFileSync(file, content);
  }
  return folder;
}

/** Plants something into a random package, and returns the commands that do not name it. */
export async function silentSurfaces(plant: Plant, random: Random, folder: string): Promise<string[]> {
  const planted = plant.plant(drawPackage(random), random);
  const [older, newer] = [write(join(folder, 'old'), planted.older), write(join(folder, 'new'), planted.newer)];
  const { args = [], named } = planted;
  const commands = {
    validate: ['validate', newer, ...args],
    diff: ['diff', older, newer, ...args],
    compat: ['compat', older, newer, '--instances', newer, ...args],
  };
  const silent: string[] = [];
  for (const surface of plant.surfaces) {
    const { code, stdout, stderr } = await invoke(commands[surface]);
    const text = stdout + stderr;
    const isNamed = named.some((name) => text.includes(name));
    if (!isNamed || (code === 0 && text.includes('nothing wrong') && !text.includes('left out on request'))) {
      silent.push(`${surface} says of ${plant.name} (${named.join(', ')}), exit code ${code}: ${text.slice(-600)}`);
    }
  }
  return silent;
}

/** Validates and compares a random package without anything that nobody can look at, and returns what is said of it. */
export async function complaintsOfClean(random: Random, folder: string): Promise<string[]> {
  const clean = write(join(folder, 'new'), drawPackage(random).files);
  const complaints: string[] = [];
  const validated = await invoke(['validate', clean, '--strict', '--disable', 'lint-unread-field']);
  if (validated.code !== 0 || !/^\d+ objects? in \d+ files?: nothing wrong\n$/.test(validated.stdout)) {
    complaints.push(`validate: ${validated.stdout}`);
  }
  const compared = await invoke(['diff', clean, clean, '--strict']);
  if (compared.code !== 0 || !/^\d+ unchanged\n$/.test(compared.stdout)) complaints.push(`diff: ${compared.stdout}`);
  return complaints;
}
