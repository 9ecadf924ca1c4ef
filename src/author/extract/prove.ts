import { validatePackage } from '../../check/validate/index.ts';
import {
  Collector,
  isError,
  phrase,
  type Report,
  reporterFor,
  shown,
  titleText,
} from '../../core/diagnostics/index.ts';
import type { Document, InputObject, KubeObject } from '../../core/model/object.ts';
import { identityOf } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { equal, get, isMap, type Path, type Value } from '../../core/model/value.ts';
import { plainObject } from './admit.ts';
import { type Copy, formatPlace, type Node, type Place, type Step } from './model.ts';

/** What is rendered, and what has to come out. */
export interface Claim {
  readonly rgd: KubeObject;
  readonly instances: readonly KubeObject[];
  readonly copies: readonly Copy[];
  readonly nodes: readonly Node[];
  /** The CRDs and the OpenAPI document that describe the kinds. */
  readonly beside: Pick<RenderInput, 'definitions' | 'openapi'>;
  readonly options: RenderOptions;
}

/** The result of rendering every instance. */
export interface Proof {
  /** The number of objects that were compared. */
  readonly objects: number;
  /** The objects of the first instance. */
  readonly rendered: readonly KubeObject[];
  readonly reports: readonly Report[];
}

/** Renders every instance, and compares its objects with those of its copy, by value. */
export function prove(claim: Claim): Proof {
  const reports = new Collector();
  const proven = { objects: 0, rendered: [] as KubeObject[] };
  for (const batch of batchesOf(claim)) {
    if (reports.hasErrors) break;
    proveBatch(claim, batch, proven, reports);
  }
  return { ...proven, reports: reports.all };
}

/**
 * Returns the indexes of instances that are rendered together. Copies for different clusters may have objects of the same
 * names, which are not rendered together.
 */
function batchesOf({ copies, instances }: Claim): number[][] {
  const batches: { known: Set<string>; members: number[] }[] = [];
  for (const [index, { objects }] of copies.entries()) {
    const own = objects.map(({ object }) => identityOf(object));
    const instance = instances[index];
    if (instance !== undefined) own.push(identityOf(instance));
    let batch = batches.find(({ known }) => !own.some((identity) => known.has(identity)));
    if (batch === undefined) {
      batch = { known: new Set(), members: [] };
      batches.push(batch);
    }
    for (const identity of own) batch.known.add(identity);
    batch.members.push(index);
  }
  return batches.map(({ members }) => members);
}

function proveBatch(
  { rgd, instances, copies, nodes, beside, options }: Claim,
  batch: readonly number[],
  proven: { objects: number; rendered: KubeObject[] },
  reports: Collector,
): void {
  const chosen = batch.flatMap((index) => instances[index] ?? []);
  const documents: Document[] = [rgd, ...chosen].map((object) => ({ object }));
  const { reports: found, rendering } = validatePackage({ ...beside, objects: documents }, options);
  const fatal = new Set(rendering.reports.filter(isError));
  // The objects are those of the copies: what is wrong with them was wrong before.
  for (const report of found)
    reports.add(isError(report) && !fatal.has(report) ? { ...report, severity: 'warning' } : report);
  if (fatal.size > 0) {
    const message = phrase`the RGD that was found does not render, so nothing is written`;
    reporterFor({ object: rgd }, reports).report({ code: 'extract-differs', message, path: [] });
    return;
  }
  const ids = new Map(nodes.map((node) => [node.id, node]));
  for (const entry of rendering.entries) {
    if (entry.role !== 'instance') continue;
    const at = instances.indexOf(entry.input.object);
    if (at === 0) for (const { object } of entry.rendered) proven.rendered.push(object);
    const expected = new Map((copies[at]?.objects ?? []).map((input) => [identityOf(input.object), input]));
    for (const { object, node } of entry.rendered) {
      const input = expected.get(identityOf(object));
      expected.delete(identityOf(object));
      if (input === undefined) reportExtra(object, ids.get(node), reports);
      else {
        compare(input, plainObject(object), ids.get(node), reports);
        proven.objects += 1;
      }
    }
    for (const input of expected.values()) {
      const message = phrase`would not be rendered`;
      reporterFor(input, reports).report({ code: 'extract-differs', message, path: [], hint: KEEP_OUT });
    }
  }
}

const KEEP_OUT = phrase`leave its kind out with --without, or the copy out of the command`;

function reportExtra(object: KubeObject, node: Node | undefined, reports: Collector): void {
  const message = phrase`would be rendered, and is in no copy: node ${shown(node?.id ?? '')}`;
  reporterFor({ object }, reports).report({ code: 'extract-differs', message, path: [], hint: KEEP_OUT });
}

/** Reports the first field that differs, and the choice that made it. */
function compare(input: InputObject, rendered: KubeObject, node: Node | undefined, reports: Collector): void {
  const expected = plainObject(input.object);
  if (equal(expected, rendered)) return;
  const path = differenceIn(expected, rendered, []);
  const place: Place = { node: node?.id ?? titleText(rendered, false), steps: stepsOf(path), schema: undefined };
  const message = phrase`would render differently at ${shown(formatPlace(place))}, so nothing is written`;
  const hint = phrase`leave its kind out with --without ${shown(input.object.kind)}, or make the field equal in the copies`;
  reporterFor(input, reports).report({ code: 'extract-differs', message, path, hint });
}

const stepsOf = (path: Path): Step[] => path.map((step) => (typeof step === 'number' ? { item: String(step) } : step));

function differenceIn(a: Value | undefined, b: Value | undefined, path: Path): Path {
  if (isMap(a) && isMap(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const before = get(a, key);
      const after = get(b, key);
      if (!equal(before, after)) return differenceIn(before, after, [...path, key]);
    }
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    const length = Math.max(a.length, b.length);
    for (let at = 0; at < length; at += 1) {
      if (!equal(a[at], b[at])) return differenceIn(a[at], b[at], [...path, at]);
    }
  }
  return path;
}
