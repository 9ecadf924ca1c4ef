const EXPECTED = ['expected.yaml', 'expected-diagnostics.yaml'];

/**
 * Whether a folder is a golden test, whose files are no input for anything but `test`: it has a test.yaml and the file
 * that the test expects. A test.yaml that is an object is none.
 */
export function isGoldenTest(names: readonly string[], readTest: () => string): boolean {
  if (!names.includes('test.yaml') || !EXPECTED.some((name) => names.includes(name))) return false;
  return !/^["']?(apiVersion|kind)["']?\s*:|^\s*\{/m.test(readTest());
}
