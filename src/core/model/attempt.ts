/**
 * Returns the result of a call of the platform that rejects some inputs, or `undefined` if it throws such an error.
 * @throws any other error: it is a bug
 */
export function attempt<T>(call: () => T, rejection: abstract new (...args: never[]) => Error): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof rejection) return undefined;
    throw error;
  }
}
