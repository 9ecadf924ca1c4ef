import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The version that the figures are of: `go install github.com/controlplaneio-fluxcd/flux-operator/cmd/cli@VERSION`. */
export const VERSION = 'v0.58.0';

const folders = [...(process.env.PATH ?? '').split(delimiter), join(homedir(), 'go/bin')];

/**
 * Where the command of the Flux operator is: what FLUX_OPERATOR names, on the PATH, or where `go install` puts it, which
 * names it `cli`; undefined where it is not installed.
 */
export const fluxOperator = [
  process.env.FLUX_OPERATOR ?? '',
  ...folders.map((folder) => join(folder, 'flux-operator')),
].find((path) => path !== '' && existsSync(path));
