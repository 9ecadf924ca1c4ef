import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The measured version: `go install github.com/controlplaneio-fluxcd/flux-operator/cmd/cli@VERSION`. */
export const VERSION = 'v0.58.0';

const folders = [...(process.env.PATH ?? '').split(delimiter), join(homedir(), 'go/bin')];

/**
 * The command of the Flux operator: FLUX_OPERATOR, on the PATH, or in the folder of `go install`, which names it `cli`;
 * undefined if it is not installed.
 */
export const fluxOperator = [
  process.env.FLUX_OPERATOR ?? '',
  ...folders.map((folder) => join(folder, 'flux-operator')),
].find((path) => path !== '' && existsSync(path));
