import { flag, integer } from '../../render/options/index.ts';

/** The options of `render-rgd playground` alone. */
export const playgroundOptions = {
  port: integer('PORT', 'Serve on this port; 0 takes one that is free.', { default: 0, minimum: 0 }),
  write: flag('Write changes of the opened files back to disk.'),
};
