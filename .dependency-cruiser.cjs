// The rule of src: import only from the rows above. `npm run lint` checks it; CONTRIBUTING.md describes the folders.
const ROWS = [
  ['core'],
  ['yaml'],
  ['languages'],
  ['kubernetes'],
  ['kro', 'flux'],
  ['graph'],
  ['render'],
  ['describe'],
  ['check'],
  ['compare'],
  ['author'],
  ['gitops'],
  ['language-server'],
  ['api'],
  ['cli'],
];

const below = (folders) => `^src/(${folders.join('|')})/`;

module.exports = {
  forbidden: [
    ...ROWS.flatMap((row, index) =>
      row.map((folder) => ({
        name: `${folder}-imports-only-from-the-rows-above`,
        severity: 'error',
        from: { path: below([folder]) },
        to: { path: '^src/', pathNot: below([...ROWS.slice(0, index).flat(), folder]) },
      })),
    ),
    {
      name: 'every-file-is-in-a-row',
      severity: 'error',
      from: { path: '^src/', pathNot: below(ROWS.flat()) },
      to: {},
    },
    {
      // A module is a folder of a row. Files of core/{digest,encoding,model,text} are modules of their own.
      name: 'other-folders-import-the-index-of-a-module',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: {
        path: '^src/[^/]+/[^/]+/.',
        pathNot: ['^src/$1/', '^src/core/(digest|encoding|model|text)/', '/index\\.ts$'],
      },
    },
    {
      // The checker and the planner of CEL, and estimates of cost, recurse over the syntax tree.
      name: 'no-cycle',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/languages/cel/(check|plan)/', '^src/kro/structural/cost/'] },
      to: { circular: true },
    },
    {
      name: 'only-the-command-line-uses-the-system',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-file-is-unused',
      severity: 'error',
      from: { path: '^src/', orphan: true },
      to: {},
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js'] },
  },
};
