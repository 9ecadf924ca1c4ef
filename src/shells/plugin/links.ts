import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isError, type Report } from '../../diagnostics/diagnostic.ts';
import { outside, placeOf } from '../boundary.ts';
import type { Given } from './given.ts';

/**
 * helm and kustomize follow links by themselves, so none in the current folder may lead out. Whether none does. (What
 * kustomize loads from other folders, it confines to them.)
 */
export function checkLinks({ within }: Given, reports: Report[]): boolean {
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== '.git') visit(path);
      if (entry.isSymbolicLink() && !within(placeOf(path))) reports.push(outside(path));
    }
  };
  visit('.');
  return !reports.some(isError);
}
