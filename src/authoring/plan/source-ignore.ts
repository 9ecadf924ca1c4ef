import { baseOf, parentOf } from '../../core/text/paths.ts';
import { GlobBudget, patternTest } from '../../languages/glob/index.ts';
import type { Files } from './files.ts';

/** The file with patterns for the folder that it is in. */
const FILE = '.sourceignore';

/** What source-controller leaves out unless a later pattern includes it (fluxcd/pkg: sourceignore). */
const DEFAULTS =
  '.git/ .gitignore .gitmodules .gitattributes *.jpg *.jpeg *.gif *.png *.wmv *.flv *.tar.gz *.zip .github/ .circleci/ .travis.yml .gitlab-ci.yml appveyor.yml .drone.yml cloudbuild.yaml codeship-services.yml codeship-steps.yml **/.goreleaser.yml **/.sops.yaml **/.flux.yaml'.split(
    ' ',
  );

/** The files of a tree with patterns, in the order in which source-controller reads them: a folder before those in it. */
export const ignoreFiles = ({ paths }: Files): string[] =>
  paths
    .filter((path) => baseOf(path) === FILE)
    .map((path) => ({ path, steps: stepsOf(parentOf(path)) }))
    .sort((a, b) => compareSteps(a.steps, b.steps))
    .map(({ path }) => path);

const stepsOf = (path: string): string[] => (path === '' ? [] : path.split('/'));

function compareSteps(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((step, index) => step !== b[index]);
  if (at < 0 || b[at] === undefined) return a.length - b.length;
  return (a[at] as string) < (b[at] as string) ? -1 : 1;
}

/**
 * Returns a test for the files that source-controller leaves out of the artifact of a GitRepository with `spec.ignore`.
 * The last pattern that matches a file decides; one of a folder does not hide those of its files.
 */
export function ignoredIn(files: Files, ignore: string): (path: string) => boolean {
  const budget = new GlobBudget();
  const read = (text: string, folder: string): Pattern[] =>
    text
      .split(/\r?\n/)
      .filter((line) => !line.startsWith('#') && line.trim() !== '')
      .map((line) => readPattern(line, stepsOf(folder), budget));
  const patterns = [
    ...DEFAULTS.map((line) => readPattern(line, [], budget)),
    ...ignoreFiles(files).flatMap((path) => read(files.text(path) ?? '', parentOf(path))),
    ...read(ignore, ''),
  ].reverse();
  return (path) => patterns.find(({ matches }) => matches(path.split('/')))?.excludes === true;
}

/** Reports whether source-controller leaves out a file without any pattern of the repository. */
export const isLeftOutByDefault: (path: string) => boolean = (path) =>
  ignoredIn({ paths: [], text: () => undefined }, '')(path);

interface Pattern {
  excludes: boolean;
  matches: (path: readonly string[]) => boolean;
}

type Step = '' | '**' | ((name: string) => boolean);

/** Reads a pattern as go-git does, which differs from git. */
function readPattern(line: string, domain: readonly string[], budget: GlobBudget): Pattern {
  const excludes = !line.startsWith('!');
  let text = excludes ? line : line.slice(1);
  if (!text.endsWith('\\ ')) text = text.replace(/ +$/, '');
  const isFolder = text.endsWith('/');
  if (isFolder) text = text.slice(0, -1);
  const isPath = text.includes('/');
  const steps = text.split('/').map((step): Step => {
    if (isPath && (step === '' || step === '**')) return step;
    return isPath && step.includes('**') ? () => false : testOf(step, budget);
  });
  const inside = isPath ? matchesPath : matchesName;
  const isBelow = (path: readonly string[]): boolean =>
    path.length > domain.length && domain.every((step, index) => path[index] === step);
  return { excludes, matches: (path) => isBelow(path) && inside(steps, path.slice(domain.length), isFolder) };
}

function testOf(step: string, budget: GlobBudget): (name: string) => boolean {
  if (!/[*?[\\]/.test(step)) return (name) => name === step;
  // `[!a]` has two characters in Go, and `[^a]` is the negation.
  const pattern = step.replace(/\[!([^\]]+)\]/g, '[$1!]');
  return patternTest(pattern, { matchesSlash: false, braces: false }, budget);
}

/** A pattern without a slash matches the file, or a folder above it. */
function matchesName([step]: readonly Step[], path: readonly string[], isFolder: boolean): boolean {
  if (typeof step !== 'function') return false;
  const at = path.findIndex(step);
  return at >= 0 && !(isFolder && at === path.length - 1);
}

/** A pattern with a slash matches from its folder on: the file, or a folder above it. */
function matchesPath(steps: readonly Step[], path: readonly string[], isFolder: boolean): boolean {
  let [at, isMatched, skips] = [0, false, false];
  for (const [index, step] of steps.entries()) {
    if (step === '') skips = false;
    else if (step === '**') {
      if (index === steps.length - 1) break;
      skips = true;
    } else if (skips) {
      skips = false;
      const found = path.slice(at).findIndex(step);
      if (found < 0) {
        if (at >= path.length) return false;
        [at, isMatched] = [path.length, false];
      } else [at, isMatched] = [at + found + 1, true];
    } else {
      if (at >= path.length || !step(path[at] as string)) return false;
      [at, isMatched] = [at + 1, true];
    }
  }
  return isMatched && !(isFolder && at === path.length);
}
