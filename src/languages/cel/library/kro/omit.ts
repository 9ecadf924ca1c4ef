/** kro's `omit()`, behind a feature gate that is off: it is declared, so that the compiler can name it and refuse it. */
import { fn, type Library } from '../../library.ts';
import { DYN } from '../../types.ts';
import { failure } from '../../value/values.ts';

export const OMIT = 'omit';

export const omit: Library = {
  name: 'kro omit',
  overloads: [
    fn(OMIT, [], DYN, () => {
      throw failure('omit() requires the CELOmitFunction feature gate to be enabled');
    }),
  ],
};
