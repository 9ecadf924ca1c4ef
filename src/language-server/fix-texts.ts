import { applyCertainFixes } from './features/fixes/certain.ts';
import { Validations } from './features/fixes/edits.ts';
import type { CheckSettings } from './workspace/check.ts';
import { Workspace } from './workspace/workspace.ts';

/** The characters of packages that may be validated to fix the files of one command: some seconds. */
const MOST_READ = 20_000_000;

/** Files by URI: those that may change, and others that define kinds. */
export interface TextsToFix {
  readonly texts: ReadonlyMap<string, string>;
  readonly beside: ReadonlyMap<string, string>;
  /** The folder of the package, as a URI. */
  readonly folder: string;
}

export interface FixedTexts {
  /** The texts that changed, by URI. */
  readonly changed: ReadonlyMap<string, string>;
  /** The number of fixes. */
  readonly count: number;
  /** Whether every fix was tried. */
  readonly isComplete: boolean;
}

/** Applies the fixes that nobody has to choose, as `source.fixAll` of an editor does for one file. Pure. */
export function fixTexts({ texts, beside, folder }: TextsToFix, settings: CheckSettings): FixedTexts {
  const workspace = new Workspace();
  workspace.addRoot(folder);
  workspace.configure(settings, [...beside.keys()]);
  for (const [uri, text] of [...beside, ...texts]) workspace.setFile(uri, text);
  const validations = new Validations(MOST_READ);
  const count = applyCertainFixes(workspace, [...texts.keys()], validations);
  const changed = new Map<string, string>();
  for (const [uri, text] of texts) {
    const now = workspace.files.get(uri)?.text ?? text;
    if (now !== text) changed.set(uri, now);
  }
  return { changed, count, isComplete: validations.areLeft };
}
