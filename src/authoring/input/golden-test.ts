const EXPECTED = ['expected.yaml', 'expected-diagnostics.yaml'];

/**
 * Reports whether a folder is a golden test, whose files are input for `test` only: it has a test.yaml and an expected
 * file. A test.yaml that is a Kubernetes object does not count.
 */
export function isGoldenTest(names: readonly string[], readTest: () => string): boolean {
  if (!names.includes('test.yaml') || !EXPECTED.some((name) => names.includes(name))) return false;
  return !/^["']?(apiVersion|kind)["']?\s*:|^\s*\{/m.test(readTest());
}
