// Test files share modules, so a hook in a module that several of them import runs for the first one only. This file is
// a setup file, which vitest runs for each of them.
import { afterEach, vi } from 'vitest';
import { removeFolders } from './temporary.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  removeFolders();
});
