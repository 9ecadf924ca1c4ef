import type { Report } from '../../diagnostics/diagnostic.ts';
import { groupVersionKind } from '../../model/object.ts';
import { flattenObjects } from '../../parse/flatten.ts';
import { readStreams, type TextStream } from '../../parse/streams.ts';
import type { Output } from '../output.ts';
import type { Given } from './given.ts';
import { findIn, readLeniently } from './package.ts';

/**
 * Prints something when there is something to render: an object of group kro.run (RGDs are), an instance of a kind
 * that the parameter `definitions` leads to, or a build that the Application asks for. An Application that names the
 * plugin gets it only when this says yes, so a wrong parameter is no reason to say no: `generate` tells what is wrong.
 */
export function discover(given: Given): Output {
  const { build, definitions } = given.settings;
  if (build === 'kustomize' || build === 'helm') return [`build: ${build}\n`];
  const files = readLeniently(['.'], given);
  const ofKro = files.find(isOfKro);
  if (ofKro !== undefined) return [`${ofKro.file}\n`];
  if (definitions.length === 0) return [];
  const [instance] = findIn(files, readLeniently(definitions, given)).instances;
  return instance?.source === undefined ? [] : [`${instance.source.file}\n`];
}

/** Most files of a repository are told by their text, without parsing them. */
function isOfKro(stream: TextStream): boolean {
  if (!stream.text.includes('kro.run/')) return false;
  const problems: Report[] = [];
  const objects = flattenObjects(readStreams([stream], problems), []);
  if (problems.length > 0) return /^[\s{,-]*["']?apiVersion["']?\s*:\s*["']?kro\.run\//m.test(stream.text);
  return objects.some(({ object }) => groupVersionKind(object).group === 'kro.run');
}
