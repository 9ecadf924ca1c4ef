import { type Message, type Problem, phrase, shown } from '../../core/diagnostics/index.ts';
import type { GroupVersionKind } from '../../core/model/object.ts';
import { KUBERNETES_RELEASES, type KubernetesRelease, NEWEST_KUBERNETES } from '../../core/model/render.ts';
import type { Path, Value } from '../../core/model/value.ts';
import { builtinKinds } from './builtin.ts';
import { isEarlier, lifecycleOf } from './lifecycles.ts';
import { deprecatedPaths, kindsOfMinor } from './minors.ts';
import { type KindRegistry, readKindName, type Schema, schemaAt } from './schema.ts';

/** Returns the kinds that a release of Kubernetes serves, alpha and beta versions included. */
export const kubernetesKinds = (release: KubernetesRelease): KindRegistry =>
  release === NEWEST_KUBERNETES ? builtinKinds : kindsOfMinor(release);

const OLDEST = KUBERNETES_RELEASES.at(-1) as KubernetesRelease;

const kindText = ({ group, version, kind }: GroupVersionKind): string =>
  `${group === '' ? '' : `${group}/`}${version} ${kind}`;

/** Without a path: that of the object is the path of its apiVersion. */
type KindProblem = Omit<Problem, 'path'>;

/**
 * Returns the problem of a kind that a release of Kubernetes does not serve and another one does. Without a release, it
 * is that of a cluster, and only known to be newer than what it does not have.
 */
export function unservedKind(gvk: GroupVersionKind, release: KubernetesRelease | undefined): KindProblem | undefined {
  const { removed } = lifecycleOf(gvk) ?? {};
  const alike = kindText(gvk);
  if (removed !== undefined && !isEarlier(release ?? NEWEST_KUBERNETES, removed)) {
    const message = isEarlier(NEWEST_KUBERNETES, removed)
      ? phrase`Kubernetes ${{ removed: shown(removed) }} will no longer serve ${{ kind: alike }}, as planned`
      : phrase`${{ kind: alike }} was removed in Kubernetes ${{ removed: shown(removed) }}`;
    return { code: 'api-removed', message, hint: removedHint(gvk, release, removed), alike };
  }
  if (release === undefined || release === NEWEST_KUBERNETES) return undefined;
  const [first] = releasesWith(gvk);
  if (first === undefined || !isEarlier(release, first)) return undefined;
  const message = phrase`Kubernetes ${{ release: shown(release) }} does not serve ${{ kind: alike }}: ${{ since: shown(first) }} does`;
  const hint = phrase`write a version that it serves, or name the release of the cluster with --kubernetes`;
  return { code: 'api-not-yet-served', message, hint, alike };
}

function removedHint(gvk: GroupVersionKind, release: KubernetesRelease | undefined, removed: string): Message {
  const replacement = replacementOf(gvk, release ?? NEWEST_KUBERNETES);
  const use = replacement && phrase`use ${kindText(replacement)}`;
  const older = isEarlier(OLDEST, removed)
    ? phrase`name its release with --kubernetes`
    : phrase`give its types with --openapi`;
  if (release === undefined) return use ?? phrase`remove it`;
  return phrase`${use ?? phrase`remove it`}; if the cluster is older, ${older}`;
}

/** Returns what replaces a kind in a release: what Kubernetes names, unless it was removed too, or a stable version. */
function replacementOf(gvk: GroupVersionKind, release: string): GroupVersionKind | undefined {
  const { replacement } = lifecycleOf(gvk) ?? {};
  if (replacement === undefined) return stableVersion(gvk, release);
  const { removed } = lifecycleOf(replacement) ?? {};
  if (removed === undefined || isEarlier(release, removed)) return replacement;
  return replacementOf(replacement, release);
}

/** Returns the stable version of a kind that a release serves; a later release is taken for the newest known one. */
function stableVersion({ group, kind }: GroupVersionKind, release: string): GroupVersionKind | undefined {
  const known = KUBERNETES_RELEASES.find((one) => one === release) ?? NEWEST_KUBERNETES;
  const versions = [...kubernetesKinds(known).names()].map(readKindName);
  return versions.find((one) => one.group === group && one.kind === kind && /^v\d+$/.test(one.version));
}

/** Returns the problem of a kind that a release serves and has deprecated. */
export function deprecatedKind(gvk: GroupVersionKind, release: string): KindProblem | undefined {
  const { deprecated, removed } = lifecycleOf(gvk) ?? {};
  if (deprecated === undefined || isEarlier(release, deprecated)) return undefined;
  if (removed !== undefined && !isEarlier(release, removed)) return undefined;
  const alike = kindText(gvk);
  const until = removed === undefined ? undefined : phrase`, and ${{ removed: shown(removed) }} no longer serves it`;
  const message = phrase`${{ kind: alike }} is deprecated since Kubernetes ${{ since: shown(deprecated) }}${until ?? phrase``}`;
  const replacement = replacementOf(gvk, removed ?? release);
  const hint = replacement && phrase`use ${kindText(replacement)}`;
  return { code: 'lint-deprecated-api', message, severity: 'warning', alike, ...(hint && { hint }) };
}

/** Returns the problems of the fields in an object whose description in a release says that they are deprecated. */
export function deprecatedFields(object: Value, gvk: GroupVersionKind, release: string): Problem[] {
  return deprecatedPaths(object, gvk, release).map((path) => ({
    code: 'deprecated-field',
    message: phrase`this field of ${{ kind: kindText(gvk) }} is deprecated in Kubernetes ${{ release: shown(release) }}`,
    hint: phrase`kubectl explain shows what to use in its place`,
    severity: 'warning',
    path,
  }));
}

/** Returns the releases with tables that serve a kind, or a field of it, the oldest first. */
function releasesWith(gvk: GroupVersionKind, path: Path = []): KubernetesRelease[] {
  const serves = (release: KubernetesRelease): boolean =>
    schemaAt(kubernetesKinds(release).find(gvk)?.schema, path) !== undefined;
  return KUBERNETES_RELEASES.filter(serves).reverse();
}

/**
 * Returns the problem of a field that a release does not serve and another one does. `schema` is that of the kind: if it
 * is not the schema of the release, a CRD or a cluster has described the kind.
 */
export function unservedField(
  { gvk, schema, release }: { gvk: GroupVersionKind; schema: Schema | undefined; release: KubernetesRelease },
  path: Path,
): Problem | undefined {
  if (schema === undefined || kubernetesKinds(release).find(gvk)?.schema !== schema) return undefined;
  const releases = releasesWith(gvk, path);
  const first = releases[0];
  const last = releases.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const other = isEarlier(release, first)
    ? phrase`${{ since: shown(first) }} does`
    : phrase`${shown(last)} was the last that does`;
  return {
    code: 'field-not-served',
    message: phrase`Kubernetes ${{ release: shown(release) }} does not serve this field of ${{ kind: kindText(gvk) }}: ${other}`,
    hint: phrase`remove the field, or name the release of the cluster with --kubernetes`,
    path,
  };
}
