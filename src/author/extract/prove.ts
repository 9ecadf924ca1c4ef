import { validatePackage } from '../../check/validate/index.ts';
import {
  Collector,
  format,
  isError,
  type Message,
  phrase,
  type Report,
  reporterFor,
  shown,
  titleText,
} from '../../core/diagnostics/index.ts';
import type { Document, InputObject, KubeObject } from '../../core/model/object.ts';
import { groupVersionKind, identityOf } from '../../core/model/object.ts';
import type { RenderInput, RenderOptions } from '../../core/model/render.ts';
import { equal, get, getAt, isMap, type Path, type Value } from '../../core/model/value.ts';
import type { KindRegistry } from '../../kubernetes/schema/index.ts';
import { plainObject } from './admit.ts';
import { choiceAt } from './choices.ts';
import { type Copy, formatPlace, type Node, type Place, type Step } from './model.ts';
import { withoutNulls } from './nulls.ts';

/** What is rendered, and what has to come out. */
export interface Claim {
  readonly rgd: KubeObject;
  readonly instances: readonly KubeObject[];
  readonly copies: readonly Copy[];
  readonly nodes: readonly Node[];
  readonly kinds: KindRegistry;
  /** The CRDs and the OpenAPI document that describe the kinds. */
  readonly beside: Pick<RenderInput, 'definitions' | 'openapi'>;
  readonly options: RenderOptions;
}

/** The result of rendering every instance. */
export interface Proof {
  /** The number of objects that were compared. */
  readonly objects: number;
  /** The number of nulls in copies that are rendered as absent fields. */
  readonly nulls: number;
  /** The objects of the first instance. */
  readonly rendered: readonly KubeObject[];
  readonly reports: readonly Report[];
}

/** Renders every instance, and compares its objects with those of its copy, by value. */
export function prove(claim: Claim): Proof {
  const reports = new Collector();
  const proven = { objects: 0, nulls: 0, rendered: [] as KubeObject[] };
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
  { rgd, instances, copies, nodes, kinds, beside, options }: Claim,
  batch: readonly number[],
  proven: { objects: number; nulls: number; rendered: KubeObject[] },
  reports: Collector,
): void {
  const chosen = batch.flatMap((index) => instances[index] ?? []);
  const documents: Document[] = [rgd, ...chosen].map((object) => ({ object }));
  const { reports: found, rendering } = validatePackage({ ...beside, objects: documents }, options);
  const fatal = new Set(rendering.reports.filter(isError));
  const ids = new Map(nodes.map((node) => [node.id, node]));
  for (const report of found) {
    if (!fatal.has(report)) reports.add(isError(report) ? { ...inCopy(report, ids), severity: 'warning' } : report);
  }
  for (const [index, report] of onceForEachField(fatal).entries()) {
    reports.add(inCopy(report, ids));
    if (index < MOST_LOCATED) reportUnrendered(report, rgd, ids, reports);
  }
  if (fatal.size > 0) return;
  for (const entry of rendering.entries) {
    if (entry.role !== 'instance') continue;
    const at = instances.indexOf(entry.input.object);
    if (at === 0) for (const { object } of entry.rendered) proven.rendered.push(object);
    const expected = new Map((copies[at]?.objects ?? []).map((input) => [identityOf(input.object), input]));
    for (const { object, node } of entry.rendered) {
      const input = expected.get(identityOf(object));
      expected.delete(identityOf(object));
      if (input === undefined) reportExtra(object, at, ids.get(node), reports);
      else {
        compare(input, plainObject(object), { node: ids.get(node), kinds, proven }, reports);
        proven.objects += 1;
      }
    }
    for (const input of expected.values()) reportMissing(input, nodes, reports);
  }
}

/**
 * Returns an error of a rendered object or of a template as one of the object in the first copy that has it. One that does
 * not stop the rendering is a warning: the object was wrong before, and kro renders it.
 */
function inCopy(report: Report, ids: ReadonlyMap<string, Node>): Report {
  const input = havingPath(ids.get(report.node ?? ''), pathInTemplate(report));
  if (input === undefined) return report;
  const { instance, node, field, namespace, ...rest } = report;
  const path = existing(input.object, pathInTemplate(report));
  const remedy = phrase`correct it in the copies, or leave its kind out with --without ${shown(input.object.kind)}`;
  const hint = report.hint ?? format(remedy);
  return { ...rest, hint, path, object: titleText(input.object, false), source: input.source };
}

/** Returns the first of the reports that several instances have about one field of a template. */
function onceForEachField(reports: Iterable<Report>): Report[] {
  const first = new Map<string, Report>();
  for (const report of reports) {
    const key = JSON.stringify([report.code, report.node, report.path]);
    if (!first.has(key)) first.set(key, report);
  }
  return [...first.values()];
}

/** Returns the path in a template; in the RGD, spec.resources[0].template is before it. */
const pathInTemplate = ({ path }: Report): Path => (path[3] === 'template' ? path.slice(4) : []);

/** The most errors of a rendering that are reported in the copies too. */
const MOST_LOCATED = 5;

/** Reports the field of a copy that does not render as it is written, and the choice that made it, if there is one. */
function reportUnrendered(report: Report, rgd: KubeObject, ids: ReadonlyMap<string, Node>, reports: Collector): void {
  const node = ids.get(report.node ?? '');
  const input = havingPath(node, pathInTemplate(report));
  if (node === undefined || input === undefined) {
    const message = phrase`the RGD that was found does not render, so nothing is written`;
    reporterFor({ object: rgd }, reports).report({ code: 'extract-differs', message, path: [] });
    return;
  }
  const inTemplate = pathInTemplate(report);
  const choice = choiceAt(node, inTemplate);
  if (choice.isEqual) return;
  const path = existing(input.object, inTemplate);
  const place = formatPlace({ node: node.id, steps: stepsOf(inTemplate), schema: undefined });
  const message = phrase`${{ field: shown(place) }} does not render, so nothing is written: ${choice.message}`;
  reporterFor(input, reports).report({ code: 'extract-differs', message, hint: keepOut(input.object), path });
}

/** Returns the first object of a node that has the most of a path. */
function havingPath(node: Node | undefined, path: Path): InputObject | undefined {
  const [first, ...others] = node?.inputs.filter((input) => input !== undefined) ?? [];
  if (first === undefined) return undefined;
  let best = first;
  for (const input of others) {
    if (existing(input.object, path).length > existing(best.object, path).length) best = input;
  }
  return best;
}

/** Returns the part of a path that an object has. */
function existing(object: KubeObject, path: Path): Path {
  let length = path.length;
  while (length > 0 && getAt(object, path.slice(0, length)) === undefined) length -= 1;
  return path.slice(0, length);
}

const keepOut = ({ kind }: KubeObject): Message =>
  phrase`leave its kind out with --without ${shown(kind)}, or make the field equal in the copies`;

const KEEP_OUT = phrase`leave its kind out with --without, or the copy out of the command`;

function reportMissing(input: InputObject, nodes: readonly Node[], reports: Collector): void {
  const node = nodes.find(({ inputs }) => inputs.includes(input));
  const message =
    node === undefined
      ? phrase`would not be rendered, so nothing is written`
      : phrase`would not be rendered, so nothing is written: node ${{ node: shown(node.id) }}, ${choiceAt(node, []).message}`;
  reporterFor(input, reports).report({ code: 'extract-differs', message, path: [], hint: KEEP_OUT });
}

/** Reports an object that the copy lacks, at the object of another copy from which its node comes. */
function reportExtra(object: KubeObject, copy: number, node: Node | undefined, reports: Collector): void {
  const input = node?.inputs.find((one) => one !== undefined) ?? { object };
  const start = phrase`would be rendered for copy ${{ item: shown(copy + 1) }} too, which lacks it, so nothing is written`;
  const message =
    node === undefined ? start : phrase`${start}: node ${{ node: shown(node.id) }}, ${choiceAt(node, []).message}`;
  reporterFor(input, reports).report({ code: 'extract-differs', message, path: [], hint: KEEP_OUT });
}

/** What an object is compared with, and where. */
interface Comparison {
  readonly node: Node | undefined;
  readonly kinds: KindRegistry;
  readonly proven: { nulls: number };
}

/** Reports the first field that differs, and the choice that made it. */
function compare(
  input: InputObject,
  rendered: KubeObject,
  { node, kinds, proven }: Comparison,
  reports: Collector,
): void {
  const written = plainObject(input.object);
  if (equal(written, rendered)) return;
  const schema = kinds.find(groupVersionKind(input.object))?.schema;
  let nulls = 0;
  const expected = withoutNulls(written, schema, () => {
    nulls += 1;
  });
  if (
    equal(
      expected,
      withoutNulls(rendered, schema, () => undefined),
    )
  ) {
    proven.nulls += nulls;
    return;
  }
  const path = differenceIn(expected, rendered, []);
  const place: Place = { node: node?.id ?? titleText(rendered, false), steps: stepsOf(path), schema: undefined };
  const choice = node === undefined ? phrase`it has no node` : choiceAt(node, path).message;
  const message = phrase`would render differently at ${{ field: shown(formatPlace(place)) }}, so nothing is written: ${choice}`;
  reporterFor(input, reports).report({ code: 'extract-differs', message, path, hint: keepOut(input.object) });
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
