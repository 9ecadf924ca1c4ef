// Runs before each test file, and so before the sources are loaded.
import { setMaxListeners } from 'node:events';
import { mutants } from './state.ts';

// A test that runs often listens to one signal as often.
setMaxListeners(0);

mutants();
