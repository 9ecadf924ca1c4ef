/** Counts the checks of a tool; .ci/run reads the line that `end` prints. */
export function createTally(title) {
  let passed = 0;
  let failed = 0;
  return {
    /** `fault` says what is wrong, or is undefined. */
    check(name, fault) {
      if (fault === undefined) passed += 1;
      else {
        failed += 1;
        console.log(`FAIL ${name}: ${fault}`);
      }
    },
    /** What cannot be checked here is said; on CI it is a failure, where everything has to be there. */
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
