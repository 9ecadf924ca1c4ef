/** Counts the checks of a tool; .ci/run reads the line that `end` prints. */
export function createTally(title) {
  let passed = 0;
  let failed = 0;
  return {
    /** `fault` is the error, or undefined. */
    check(name, fault) {
      if (fault === undefined) passed += 1;
      else {
        failed += 1;
        console.log(`FAIL ${name}: ${fault}`);
      }
    },
    /** Reports what cannot be checked here; it is a failure on CI, where everything must be available. */
    skip(name, reason) {
      if (process.env.CI === 'true') this.check(name, reason);
      else console.log(`SKIPPED: ${name}: ${reason}`);
    },
    end() {
      console.log(`${title}: ${passed} passed, ${failed} failed`);
      process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
    },
  };
}
