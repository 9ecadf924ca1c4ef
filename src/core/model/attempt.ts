/** Returns the result of a call, `undefined` if it rejects its input; throws any other error, which is a bug. */
export function attempt<T>(
  call: () => T,
  rejection: abstract new (...args: never[]) => { message: string },
): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof rejection) return undefined;
    throw error;
  }
}
