/**
 * Every function of src/cli and src/gitops that reads folders or objects of git, or calls itself, with what bounds it. A
 * function without a row fails the test beside this file.
 */
export interface WalkRow {
  /** `FILE FUNCTION`. */
  place: string;
  /** What bounds the number of entries, the levels and the bytes; or why there is nothing to bound. */
  entries: string;
  levels: string;
  bytes: string;
  /** By what it is read once. */
  once: string;
}

const row = (place: string, entries: string, levels: string, bytes: string, once: string): WalkRow => ({
  place,
  entries,
  levels,
  bytes,
  once,
});

/** A function on values, which the readers of YAML and JSON limit to MAX_VALUE_DEPTH levels. */
const ofValues = (place: string): WalkRow => row(place, 'the value', 'MAX_VALUE_DEPTH', 'the value', 'no references');
/** A function that lists the temporary folder of this program, whose entries it knows. */
const ofWorkspace = (place: string): WalkRow => row(place, 'its own files', 'none below', 'no files', 'one folder');

export const walks: readonly WalkRow[] = [
  row('src/cli/file-system.ts entriesIn', 'its callers', 'one folder', 'no files', 'its callers'),
  row('src/cli/file-system.ts namesIn', 'its callers', 'one folder', 'no files', 'its callers'),
  row('src/cli/walk.ts read', 'MAX_WALK_ENTRIES', 'MAX_WALK_LEVELS', 'no files', 'its callers'),
  row('src/cli/files.ts readFolder', 'MAX_WALK_ENTRIES', 'MAX_WALK_LEVELS', 'MAX_READ_BYTES', 'the real path'),
  row('src/cli/output-folders.ts pathsBelow', 'MAX_WALK_ENTRIES', 'MAX_WALK_LEVELS', 'MAX_READ_BYTES', 'no links'),
  ...['probeFolder', 'probeEntry'].map((name) =>
    row(`src/cli/met-files.ts ${name}`, 'MAX_WALK_ENTRIES', 'MAX_WALK_LEVELS', 'MAX_READ_BYTES', 'the real path'),
  ),
  row('src/cli/extract.ts entriesIn', 'one folder of a person', 'one folder', 'no files', 'one folder'),
  row('src/cli/extract.ts copiesOf', 'one folder of a person', 'one folder', 'no files', 'one folder'),
  ...['objectsAt', 'kustomized'].map((name) =>
    row(`src/cli/extract.ts ${name}`, 'MOST_KUSTOMIZATIONS', 'MOST_LEVELS', 'MAX_READ_BYTES each', 'a number of them'),
  ),
  row('src/cli/git/missing.ts submodulesOf', 'the lines of .gitmodules', 'one folder each', 'no files', 'the path'),
  row('src/cli/traces.ts filesBelow', 'MOST_ENTRIES', 'a queue', 'MOST_CHARACTERS', 'no links'),
  row('src/cli/lsp-server.ts filesBelow', 'MAX_WALK_ENTRIES', 'MAX_WALK_LEVELS', 'MAX_FILES of MAX_BYTES', 'no links'),
  row('src/cli/test/case.ts addTestsBelow', 'MAX_WALK_ENTRIES', 'MAX_WALK_LEVELS', 'no files', 'no links'),
  row('src/cli/test/case.ts filesIn', 'one folder of a test', 'one folder', 'MAX_READ_BYTES', 'one folder'),
  row('src/cli/git/commit.ts filesBelow', 'MAX_WALK_ENTRIES', 'MAX_WALK_LEVELS', 'MAX_READ_BYTES', 'no links'),
  row('src/cli/git/commit.ts movedTo', 'MOST_PAIRS, MOST_LINES', 'no levels', 'MAX_READ_BYTES', 'the hash'),
  row('src/cli/git/commit.ts outcomesOf', 'those of listTree', 'no levels', 'MAX_READ_BYTES', 'the hash'),
  row('src/cli/git/commit.ts writeFiles', 'those of listTree', 'those of listTree', 'MAX_WRITTEN_BYTES', 'the hash'),
  row('src/cli/git/tree.ts listTree', 'MAX_WALK_ENTRIES', 'MAX_WALK_LEVELS', 'MAX_PATHS_BYTES', 'the hash, to read it'),
  row('src/cli/git/tree.ts readTrees', 'MAX_READ_BYTES of git', 'MAX_WALK_LEVELS', 'MAX_READ_BYTES', 'the hash'),
  row('src/cli/git/tree.ts readLinks', 'those of listTree', 'MAX_LINKS', 'MAX_READ_BYTES', 'the hash'),
  row('src/cli/git/tree.ts readEntries', 'those of listTree', 'no levels', 'MAX_READ_BYTES', 'the hash'),
  row('src/cli/git/versions.ts readVersionsOf', 'those of listTree', 'no levels', 'MAX_READ_BYTES', 'the hash'),
  row('src/cli/plan/tools.ts copyEntries', 'MAX_WALK_ENTRIES', 'MAX_WALK_LEVELS', 'MAX_READ_BYTES', 'no links'),
  row('src/cli/playground/run.ts filesBelow', 'the page of this build', 'the page', 'the page', 'the page'),
  row('src/cli/plugin/tree/chart.ts chartsIn', 'its charts, each once', 'a list', 'MOST_BYTES', 'the real path'),
  row('src/cli/plugin/tree/chart.ts checkArchive', 'MOST_UNPACKED', 'MOST_ARCHIVES', 'MOST_UNPACKED', 'no links'),
  row('src/cli/plugin/tree/chart.ts checkLinks', 'MAX_ENTRIES', 'MAX_WALK_LEVELS', 'no files', 'the real path'),
  ...['checkFolder', 'checkFile', 'checkText', 'follow'].map((name) =>
    row(
      `src/cli/plugin/tree/kustomization.ts ${name}`,
      'each file once',
      'MAX_WALK_LEVELS',
      'MOST_BYTES each',
      'the real path',
    ),
  ),
  ofValues('src/cli/plugin/tree/kustomization.ts foundIn'),
  row('src/cli/watch.ts watch', 'one run for all changes', 'one at a time', 'no files', 'one run'),
  row('src/cli/write/index.ts removeLeftovers', 'the folder of a written file', 'one folder', 'no files', 'the path'),
  row('src/cli/write/scratch.ts removeLeft', 'the temporary folder', 'its own folders', 'no files', 'no links'),
  row('src/cli/write/tree.ts folderMaker', 'the parts of a path', 'MAX_PATH_BYTES', 'no files', 'the path'),
  row('src/cli/write/tree.ts putInPlace', 'its own files', 'those of its output', 'no files', 'its own folder'),
  ofWorkspace('src/cli/write/workspace.ts isUsed'),
  ofWorkspace('src/cli/write/workspace.ts workspaceOf'),
  ofWorkspace('src/cli/write/workspace.ts createWatch'),
  ofWorkspace('src/cli/write/workspace.ts removeLeft'),
  ofValues('src/gitops/plan/dangers/fields.ts imagesIn'),
  ofValues('src/gitops/plan/dangers/shown.ts withoutMasked'),
  ofValues('src/gitops/plan/discover/application-set.ts mergedMap'),
  ofValues('src/gitops/plan/discover/application-set.ts asAdded'),
  ofValues('src/gitops/plan/discover/argocd-builds.ts isEmpty'),
  ofValues('src/gitops/plan/discover/argocd-builds.ts resolvePathSettings'),
  ofValues('src/gitops/plan/discover/argocd.ts mergePatch'),
  ofValues('src/gitops/plan/discover/generators.ts withoutEmpty'),
  ofValues('src/gitops/plan/discover/parameters.ts withFloats'),
  ofValues('src/gitops/plan/discover/parameters.ts fill'),
  ofValues('src/gitops/plan/discover/parameters.ts flattened'),
  ofValues('src/gitops/plan/fields.ts unsupportedIn'),
  ofValues('src/gitops/plan/reports.ts withVisibleTexts'),
  ofValues('src/gitops/plan/ignored.ts withValueAt'),
  ofValues('src/gitops/plan/written.ts differences'),
  ...[
    'outcomeOf',
    'linesOf',
    '#lineOf',
    '#decide',
    '#withoutController',
    '#byParents',
    '#appliedBy',
    '#stateOf',
    '#hiddenBefore',
    '#wasInCluster',
    '#withoutNewer',
    '#fateBy',
  ].map((name) =>
    row(
      `src/gitops/plan/outcomes.ts ${name}`,
      'the declarations',
      'applications that declare others',
      'no files',
      'a pair',
    ),
  ),
  row('src/gitops/plan/compare.ts compareApplication', 'once', 'the sources of an application', 'no files', 'a pair'),
  row('src/gitops/plan/compare.ts compareVersions', 'once', 'the sources of an application', 'no files', 'a pair'),
  row('src/gitops/plan/compare.ts partialComparison', 'once', 'the sources of an application', 'no files', 'a pair'),
  row('src/gitops/plan/discover/references.ts referencesIn', 'artifacts by name', 'MAX_LINKS', 'no files', 'the name'),
  row('src/gitops/plan/edits.ts wordsOf', 'the text', 'MAX_NESTING', 'the text', 'no references'),
  row('src/gitops/plan/edits.ts parseVariable', 'the text', 'MAX_NESTING', 'the text', 'no references'),
  row('src/gitops/plan/edits.ts expression', 'the text', 'MAX_NESTING', 'the text', 'no references'),
  row('src/gitops/plan/files.ts readPath', 'the files of a version', 'their paths', 'MAX_READ_BYTES', 'the real path'),
  row('src/gitops/plan/kustomization.ts fluxParts', 'the files', 'their paths', 'no files', 'no links'),
  ...['listed', 'readListed', 'configsOf'].map((name) =>
    row(`src/gitops/plan/kustomization.ts ${name}`, 'each once', 'MAX_WALK_LEVELS', 'MAX_READ_BYTES', 'the real path'),
  ),
  row(
    'src/gitops/plan/repository.ts createRepositories',
    'the files of a version',
    'an artifact',
    'no files',
    'the text',
  ),
];
