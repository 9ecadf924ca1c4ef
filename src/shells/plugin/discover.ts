import { Collector } from '../../diagnostics/index.ts';
import { groupVersionKind } from '../../model/object.ts';
import { hasParameters } from '../../options/index.ts';
import { objectsIn, readStreams, type TextStream } from '../../parse/index.ts';
import type { Output } from '../output.ts';
import { readBeside } from '../read-input.ts';
import { checkGiven } from './check.ts';
import type { Given } from './given.ts';
import { findIn, readLeniently } from './package.ts';

/**
 * Prints something when there is something to render: an object of group kro.run (RGDs are), an instance of a kind
 * that the parameter `definitions` leads to, or a build that the Application asks for. An Application that names the
 * plugin gets it only when this says yes, and one that does not falls back to plain files; so whenever a parameter is
 * wrong, or what it leads to cannot be read, the answer is yes, and `generate` tells what is wrong.
 */
export function discover(given: Given, reports: Collector): Output {
  const { build, definitions } = given.settings;
  if (build === 'kustomize' || build === 'helm') return [`build: ${build}\n`];
  const files = readLeniently(['.'], given);
  const ofKro = files.find(isOfKro);
  if (ofKro !== undefined) return [`${ofKro.file}\n`];
  if (isWrong(given, reports)) return ['a parameter is wrong: see generate\n'];
  if (definitions.length === 0) return [];
  const [instance] = findIn(files, readLeniently(definitions, given)).instances;
  return instance?.source === undefined ? [] : [`${instance.source.file}\n`];
}

/**
 * Whether a parameter of the Application is wrong, by itself or in what it leads to. What an administrator set is no
 * reason to take Applications that gave none.
 */
function isWrong(given: Given, reports: Collector): boolean {
  if (!hasParameters(given.variables)) return false;
  if (reports.hasErrors) return true;
  const found = new Collector();
  checkGiven(given, found);
  if (found.hasErrors) return true;
  const { settings, within } = given;
  readBeside(settings, { exclude: settings.exclude, stdin: new Uint8Array(), within }, found);
  return found.hasErrors;
}

/** Most files of a repository are told by their text, without parsing them. */
function isOfKro(stream: TextStream): boolean {
  if (!stream.text.includes('kro.run/')) return false;
  const problems = new Collector();
  const objects = objectsIn(readStreams([stream], problems));
  if (problems.all.length > 0) return /^[\s{,-]*["']?apiVersion["']?\s*:\s*["']?kro\.run\//m.test(stream.text);
  return objects.some(({ object }) => groupVersionKind(object).group === 'kro.run');
}
