import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { invoke } from '../cli/invoke.ts';
import { Language } from './language.ts';

/** The diagnostics of a file that both know, as lines. */
type Lines = string[];

interface Printed {
  file: string | undefined;
  severity: string;
  code: string;
  stage: string;
  line?: number;
  column?: number;
  message: string;
  hint?: string;
}

/** An editor says nothing about the syntax of files that have nothing to do with kro or Flux. */
const isForeign = (file: string, { stage }: Printed): boolean =>
  stage === 'parse' && !/ResourceGraphDefinition|ResourceSet|kro\.run|fluxcd/.test(readFileSync(file, 'utf8'));

/** Returns what `validate .` prints about the files of a folder; an editor does not open those that it does not read. */
export async function validated(folder: string): Promise<Lines> {
  const home = process.cwd();
  process.chdir(folder);
  try {
    const { stdout } = await invoke(['validate', '.', '-o', 'json']);
    const diagnostics = JSON.parse(stdout) as Printed[];
    const shared = diagnostics.filter((one) => one.file !== undefined && one.code !== 'skipped-file');
    return unique(shared.filter((one) => !isForeign(one.file ?? '', one)).map(lineOf));
  } finally {
    process.chdir(home);
  }
}

const lineOf = ({ file, severity, code, line, column, message, hint }: Printed): string =>
  [file, line ?? 1, column ?? 1, severity, code, message, hint ?? ''].join(' | ');

/** An editor shows equal diagnostics of one location once. */
const unique = (lines: Lines): Lines => [...new Set(lines)].sort();

const SEVERITIES = ['', 'error', 'warning', 'info'];

/** Returns the diagnostics of the language server in a workspace of one folder, by file. */
export function reported(folder: string): Lines {
  const language = new Language();
  language.workspace.addRoot(pathToFileURL(folder).href);
  for (const name of readdirSync(folder, { recursive: true }).map(String).sort()) {
    if (!/\.(?:ya?ml|json)$/.test(name) || /(?:^|\/)(?:\.|node_modules\/)/.test(name)) continue;
    language.workspace.setFile(pathToFileURL(join(folder, name)).href, readFileSync(join(folder, name), 'utf8'));
  }
  while (language.checkNext());
  const lines = [...language.workspace.packages]
    .filter(({ isTest }) => !isTest)
    .flatMap(({ files }) => files)
    .flatMap(({ uri }) =>
      language.diagnostics(uri).map(({ range: { start }, severity = 0, code, message, data }) => {
        const { hint } = data as { hint?: string };
        return lineOf({
          file: relative(folder, new URL(uri).pathname),
          severity: SEVERITIES[severity] ?? '',
          code: String(code),
          stage: '',
          line: start.line + 1,
          column: start.character + 1,
          message: hint === undefined ? String(message) : String(message).slice(0, -hint.length - 1),
          ...(hint === undefined ? {} : { hint }),
        });
      }),
    );
  return unique(lines);
}
