// Counts the packages with recorded verdicts that render unlike in kro: recorded.ts FILE.
import { readFileSync } from 'node:fs';
import { disagreement, ours, theirs } from '../differential/compare.ts';
import { purposeOf } from '../differential/on-purpose.ts';
import { readJudged } from './answers.ts';

const open = readJudged(readFileSync(process.argv[2] ?? '', 'utf8')).filter(({ input, verdict }) => {
  const found = disagreement(answer(input), theirs(verdict, input));
  return found !== undefined && purposeOf(found, input) === undefined;
});
console.log(open.length);

/** A fault may also throw. */
function answer(input: Parameters<typeof ours>[0]): ReturnType<typeof ours> {
  try {
    return ours(input);
  } catch (cause) {
    return { stage: 'internal', message: String(cause), objects: new Map() };
  }
}
