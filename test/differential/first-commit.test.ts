import { describe, expect, it } from 'vitest';
import { traces } from './first-commit.ts';

const failing = (error: string) => ({ stage: 'expand', error });

describe('elements of different types in a list of the status', () => {
  it.each([
    'compile node "instance": type mismatch in node "instance" at path "status.l[1]": expression',
    'build node "instance": parse patch payload: expected integer type for path status.box.a[0][0], got string',
    'build node "instance": parse patch payload: expected string type for path status.l[1], got int64',
  ])('%s', (error) => expect(traces.statusNeedsOneType.isIn(failing(error) as never)).toBe(true));
  it.each([
    'compile node "instance": type mismatch in node "instance" at path "status.word": expression',
    'build node "instance": parse patch payload: expected integer type for path status.word, got string',
    'build node "a": parse payload: expected integer type for path spec.l[0], got string',
  ])('%s is something else', (error) => expect(traces.statusNeedsOneType.isIn(failing(error) as never)).toBe(false));
});
