import type { Report } from '../diagnostics/index.ts';
import type { RenderInput, RenderOptions } from '../model/render.ts';
import { type Comparison, compareVersions } from './compare.ts';
import { renderVersion } from './reviewed.ts';

/**
 * Renders two versions of a package, and compares what comes out. Pure. With an error among the reports, which are those
 * of both, the comparison says nothing.
 */
export function diffPackages(
  before: RenderInput,
  after: RenderInput,
  options: RenderOptions & { all: boolean },
): { comparison: Comparison; reports: readonly Report[] } {
  const [old, young] = [renderVersion(before, options), renderVersion(after, options)];
  return {
    comparison: compareVersions(old.objects, young.objects),
    reports: toldOnce([...old.reports, ...young.reports]),
  };
}

/** Warnings about what both versions have are told once. */
export function toldOnce(reports: readonly Report[]): Report[] {
  const seen = new Set<string>();
  return reports.filter(({ code, object, node, message, severity, path }) => {
    if ((severity ?? 'error') === 'error') return true;
    const key = JSON.stringify([code, object, node, message, path]);
    return !seen.has(key) && seen.add(key);
  });
}
