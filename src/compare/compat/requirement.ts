/** Compares verdicts with the level that a release allows, or with the change of a version in a label. */
import { composeText, type Report, type Text, trusted } from '../../core/diagnostics/index.ts';
import type { KubeObject } from '../../core/model/object.ts';
import { getAt } from '../../core/model/value.ts';
import type { Level } from './effects.ts';
import { rankOf, type Verdict } from './verdict.ts';

export interface Requirement {
  /** The highest level that is accepted; `major` accepts any. */
  require: 'patch' | 'minor' | 'major';
  /** The label or annotation of an RGD with its version; '' for none. */
  label: string;
}

/** Returns an error for each RGD whose change is more than a release allows. */
export function excessOf(verdicts: readonly Verdict[], { require, label }: Requirement): Report[] {
  const reports: Report[] = [];
  for (const verdict of verdicts) {
    if (require !== 'major' && rankOf(verdict.level) > rankOf(require)) {
      reports.push(excess(verdict, composeText`--require ${require}`));
    }
    const fault = label === '' ? undefined : labelFault(verdict, label);
    if (fault !== undefined) reports.push(fault);
  }
  return reports;
}

function excess(verdict: Verdict, allowed: Text): Report {
  const { level, changes, after, before, name } = verdict;
  const [first] = changes;
  const place = first?.after ?? first?.before ?? { source: (after ?? before)?.source, path: [] };
  const message =
    level === 'unknown'
      ? composeText`${allowed} accepts only what was compared: ${first?.what ?? ''}`
      : composeText`the change is ${level}, which is more than ${allowed} allows: ${first?.what ?? ''}`;
  return {
    code: 'change-too-large',
    message,
    path: place.path,
    hint: first?.advice,
    object: composeText`ResourceGraphDefinition/${name}`,
    source: place.source,
  };
}

/** Compares the level with the change of the version that both RGDs have in a label or an annotation. */
function labelFault(verdict: Verdict, label: string): Report | undefined {
  const { before, after, level, name } = verdict;
  // Nothing can be said of a new RGD, or of one that was removed.
  if (before === undefined || after === undefined || level === 'none') return undefined;
  const texts = [before, after].map((input) => textIn(input.object, label));
  const [was, is] = texts.map((text) => versionIn(text ?? ''));
  if (was === undefined || is === undefined) {
    const side = was === undefined ? composeText`old` : composeText`new`;
    return {
      code: 'change-too-large',
      message: composeText`the ${side} version has no semantic version in the label or annotation ${trusted.argument(label)}, such as 1.4.0`,
      path: ['metadata'],
      object: composeText`ResourceGraphDefinition/${name}`,
      source: (was === undefined ? before : after).source,
    };
  }
  const allowed = levelBetween(was, is);
  if (rankOf(level) <= rankOf(allowed)) return undefined;
  const [old = '', current = ''] = texts;
  return excess(
    verdict,
    composeText`the change of ${trusted.argument(label)} from ${trusted.definition(old)} to ${trusted.definition(current)}`,
  );
}

function textIn(object: KubeObject, key: string): string | undefined {
  const values = ['labels', 'annotations'].map((map) => getAt(object, ['metadata', map, key]));
  return values.find((value) => typeof value === 'string');
}

/** The numbers of a semantic version. */
interface Version {
  major: number;
  minor: number;
  patch: number;
}

function versionIn(text: string): Version | undefined {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

/**
 * Returns the level that a change of a version announces. Before 1.0.0 the second number announces a major change, and
 * the third one a minor change. An equal or lower version announces a patch at most.
 */
function levelBetween(was: Version, is: Version): Level {
  const isInitial = was.major === 0 && is.major === 0;
  if (is.major !== was.major) return is.major > was.major ? 'major' : 'patch';
  if (is.minor !== was.minor) return is.minor < was.minor ? 'patch' : isInitial ? 'major' : 'minor';
  return is.patch > was.patch && isInitial ? 'minor' : 'patch';
}
