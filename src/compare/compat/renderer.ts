/** What two releases of render-rgd do with one package: its rendered objects, and the diagnostics. */
import {
  composeText,
  joinTexts,
  type Report,
  type Severity,
  shownTitleOf,
  type Text,
  trusted,
} from '../../core/diagnostics/index.ts';
import { KRO_LABEL } from '../../core/model/keys.ts';
import { identityOf, type KubeObject } from '../../core/model/object.ts';
import { getAt } from '../../core/model/value.ts';
import { changesBetween } from '../diff/index.ts';
import { placedIn, type Reviewed, reviewAlone } from '../review/index.ts';
import { describeChange } from './effects.ts';

/** A diagnostic as `--report json` prints it, as far as it is compared. */
export interface PrintedDiagnostic {
  severity: Severity;
  code: string;
  message: string;
  object?: string;
  node?: string;
  field?: string;
  file?: string;
}

/** What a release printed. */
export interface PrintedRelease {
  /** The name of the release in messages. */
  name: Text;
  text: string;
  objects: readonly KubeObject[];
  diagnostics: readonly PrintedDiagnostic[];
}

/**
 * Reports what this release does with a package that another one does not. `reviewed` are the objects of this release,
 * with what of them may come from a Secret. The objects are compared only if both releases rendered them.
 */
export function compareRenderers(
  before: PrintedRelease,
  after: PrintedRelease,
  reviewed: readonly Reviewed[],
): Report[] {
  const reports = [
    ...diagnosticChanges(after, before, composeText`${after.name} reports, and ${before.name} does not`),
    ...diagnosticChanges(before, after, composeText`${before.name} reports, and ${after.name} does not`),
  ];
  const faults = [before, after].flatMap(faultOf);
  if (faults.length > 0) {
    const message = composeText`no object is compared: ${joinTexts(faults, '; ')}`;
    const hint = composeText`correct the errors, and compare again`;
    return [...reports, { code: 'release-not-compared', message, path: [], hint }];
  }
  const objects = objectChanges(before, after, reviewed);
  if (objects.length > 0 || before.text === after.text) return [...reports, ...objects];
  const message = composeText`${before.name} and ${after.name} render the same objects, and write them in another order or form`;
  return [...reports, { code: 'release-change', severity: 'warning', message, path: [] }];
}

/** Returns the first error of a release, which renders nothing then. */
function faultOf({ name, diagnostics }: PrintedRelease): Text[] {
  const error = diagnostics.find(({ severity }) => severity === 'error');
  return error === undefined ? [] : [composeText`${name} reports ${words(error)}`];
}

/** Returns a diagnostic in words, as far as a release printed it. */
function words({ severity, code, message, object, node, field, file }: PrintedDiagnostic): Text {
  const places = [object, node === undefined ? undefined : `node ${node}`, field, file];
  const known = places.filter((part) => part !== undefined && part !== '');
  return trusted.error(`${[`${severity}[${code}]`, ...known].join(' ')}: ${message}`);
}

function objectChanges(before: PrintedRelease, after: PrintedRelease, reviewed: readonly Reviewed[]): Report[] {
  const known = new Map(reviewed.map((one) => [identityOf(one.object), one]));
  const byNode = new Map(reviewed.map((one) => [nodeOf(one.object), one]));
  const review = (object: KubeObject): Reviewed => {
    const same = known.get(identityOf(object)) ?? byNode.get(nodeOf(object));
    // Only its title is printed, and nobody knows whether that is a value of a Secret.
    if (same === undefined) return { ...reviewAlone(object), nameless: reviewed.some(({ nameless }) => nameless) };
    return placedIn(same, object);
  };
  return changesBetween(before.objects.map(review), after.objects.map(review)).map((change): Report => {
    const definition = (change.after ?? change.before)?.place?.definition;
    const message = composeText`${after.name}, compared with ${before.name}: ${describeChange(change)}`;
    return {
      code: 'release-change',
      message,
      path: definition?.path ?? [],
      ...(definition !== undefined && {
        object: shownTitleOf(definition.input),
        source: definition.input.source,
      }),
    };
  });
}

/** Returns the instance and the node that rendered an object, as its labels name them. */
function nodeOf(object: KubeObject): string {
  const labels = [KRO_LABEL.instanceId, KRO_LABEL.nodeId, KRO_LABEL.collectionIndex];
  return JSON.stringify(labels.map((label) => String(getAt(object, ['metadata', 'labels', label]) ?? '')));
}

/** Returns the diagnostics of one release that another one does not have; those that are gone are never errors. */
function diagnosticChanges(own: PrintedRelease, other: PrintedRelease, start: Text): Report[] {
  const known = new Set(other.diagnostics.map(keyOf));
  const found = new Map<string, Report>();
  for (const one of own.diagnostics) {
    const key = keyOf(one);
    if (known.has(key) || found.has(key)) continue;
    const message = composeText`${start}: ${words(one)}`;
    found.set(key, { code: 'release-change', severity: 'warning', message, path: [] });
  }
  return [...found.values()];
}

const keyOf = ({ severity, code, object, node, field, file }: PrintedDiagnostic): string =>
  JSON.stringify([severity, code, object, node, field, file]);
