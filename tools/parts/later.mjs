/**
 * Modules that a plain rendering does not call, each an entry of a part. All that they export are functions
 * (test/tools/later.test.ts). What they import alone goes into their part, or into one that they share.
 */
export const LATER = [
  'src/shells/help.ts',
  // Commands.
  'src/shells/compat.ts',
  'src/shells/completion.ts',
  'src/shells/diff.ts',
  'src/shells/doctor.ts',
  'src/shells/explain.ts',
  'src/shells/function.ts',
  'src/shells/graph.ts',
  'src/shells/init.ts',
  'src/shells/observe.ts',
  'src/shells/offers.ts',
  'src/shells/pending.ts',
  'src/shells/plugin/index.ts',
  'src/shells/test/index.ts',
  'src/shells/tree/index.ts',
  'src/shells/validate.ts',
  // What few packages need.
  'src/cel/re2.ts',
  'src/graph/svg.ts',
  'src/locate/index.ts',
  'src/resourceset/package.ts',
  'src/survey/index.ts',
];
