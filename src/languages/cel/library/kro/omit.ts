/** kro's `omit()`, behind a disabled feature gate: it is declared, so that the compiler can reject it by name. */
import { fn, type Library } from '../../library.ts';
import { DYN } from '../../types.ts';
import { failure } from '../../value/values.ts';

const OMIT = 'omit';

export const omit: Library = {
  name: 'kro omit',
  overloads: [
    fn(OMIT, [], DYN, () => {
      throw failure('omit() requires the CELOmitFunction feature gate to be enabled');
    }),
  ],
};
