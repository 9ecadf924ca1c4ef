/** Finds the RGD of which sets of objects are instances, and proves that rendering it gives back the objects. */
import {
  Collector,
  composeText,
  phrase,
  type Report,
  reporterFor,
  shown,
  told,
  trusted,
  unplaced,
} from '../../core/diagnostics/index.ts';
import type { InputObject, KubeObject } from '../../core/model/object.ts';
import { NEWEST_KUBERNETES, type RenderInput, type RenderOptions } from '../../core/model/render.ts';
import { definedKind, isRgd } from '../../kro/definition/index.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { type KindRegistry, kindsOf, readDescriptions } from '../../kubernetes/schema/index.ts';
import { defaultRenderOptions } from '../../render/options/index.ts';
import { toYaml } from '../../yaml/emit/index.ts';
import { objectsIn } from '../../yaml/parse/index.ts';
import { type Admitted, admit, type Excluded } from './admit.ts';
import { align } from './align.ts';
import { type Answers, checkKept, type Join, joinsOf, NO_ANSWERS, renameFields } from './answers.ts';
import { withComments } from './comments.ts';
import { describeFields } from './describe.ts';
import { checkFormats } from './formats.ts';
import { Generaliser } from './generalise.ts';
import { identitiesOf } from './identity.ts';
import { type Copy, type Field, formatPlace, type Identity, type Node, type Rows } from './model.ts';
import { idsOf, nameFields } from './name.ts';
import { nodesOf } from './nodes.ts';
import { prove } from './prove.ts';
import { referNodes } from './references.ts';
import { conditionReports, type ExtractReport, equalCount, fieldReports, wholeReports } from './report.ts';
import { Resolver } from './resolve.ts';
import { writeSchema } from './schema.ts';
import { groupsOf } from './similar.ts';
import { type Target, writeInstances, writeRgd } from './write.ts';

export { type Answers, readAnswers } from './answers.ts';
export { filesOf, streamOf } from './files.ts';
export type { Copy } from './model.ts';
export { type ExtractReport, extractText, type FieldReport } from './report.ts';

/** What is extracted, and how. */
export interface ExtractInput {
  readonly copies: readonly Copy[];
  /** CRDs and an OpenAPI document that describe the kinds, and RGDs, whose instances are not part of a copy. */
  readonly beside?: Pick<RenderInput, 'definitions' | 'openapi'>;
  /** The text of `data/kubernetes-descriptions.json`. */
  readonly descriptions: string;
}

export interface ExtractOptions extends Target {
  /** Kinds of objects that are not part of an instance. */
  readonly without?: readonly string[];
  readonly answers?: Answers;
  /** Whether the copies are copies of one thing however little they have in common. */
  readonly together?: boolean;
}

/** An RGD with an instance for each copy. */
interface Extracted {
  readonly rgd: KubeObject;
  /** The RGD as YAML, with the comments of the copies. */
  readonly text: string;
  /** In the order of the copies. */
  readonly instances: readonly KubeObject[];
  /** The objects of the first copy, as the RGD renders them. */
  readonly rendered: readonly KubeObject[];
  readonly report: ExtractReport;
}

/** The result: nothing is extracted after an error. */
export interface Extraction {
  readonly extracted?: Extracted;
  readonly reports: readonly Report[];
}

/**
 * Returns the RGD of copies. It is accepted only if rendering the instance of each copy gives back exactly its objects.
 * Pure.
 */
export function extract({ copies, beside = {}, descriptions }: ExtractInput, options: ExtractOptions): Extraction {
  const reports = new Collector();
  const given = objectsIn(beside.definitions ?? []);
  const rgds = given.map(({ object }) => object).filter(isRgd);
  const excluded: Excluded = { without: options.without ?? [], defined: new Set(rgds.map(definedKind)) };
  const admitted = admit(copies, excluded, reports);
  if (admitted.copies.every(({ objects }) => objects.length === 0) && !reports.hasErrors) {
    reports.add(unplaced('nothing-to-read', composeText`the copies have no objects`));
  }
  for (const { name, objects } of admitted.copies) {
    if (objects.length > 0 || reports.hasErrors) continue;
    reports.add(
      unplaced(
        'nothing-to-read',
        told`the copy ${{ file: trusted.file(name) }} has no objects`,
        composeText`leave it out of the command`,
      ),
    );
  }
  if (reports.hasErrors) return { reports: reports.all };
  const definitions = [...given.filter(({ object }) => roleOf(object) === 'crd'), ...distinctCrds(admitted.crds)];
  const found = find(admitted, options, { ...beside, definitions }, descriptions, reports);
  return found === undefined || reports.hasErrors
    ? { reports: reports.all }
    : { extracted: found, reports: reports.all };
}

/** Each copy may bring the same CRD. */
function distinctCrds(crds: readonly InputObject[]): InputObject[] {
  const known = new Map(crds.map((crd) => [toYaml([crd.object]), crd]));
  return [...known.values()];
}

function find(
  admitted: Admitted,
  options: ExtractOptions,
  beside: Pick<RenderInput, 'definitions' | 'openapi'>,
  descriptions: string,
  reports: Collector,
): Extracted | undefined {
  const { copies } = admitted;
  const { answers = NO_ANSWERS } = options;
  const kinds = kindsOf(objectsIn(beside.definitions ?? []), beside.openapi, NEWEST_KUBERNETES, reports);
  checkFormats(copies, kinds, reports);
  if (reports.hasErrors) return undefined;
  const identities = identitiesOf(copies, kinds);
  if (options.together !== true && !areAlike(copies, identities, reports)) return undefined;
  const first = generalise(copies, identities, kinds, answers, []);
  checkKept(first.fields, first.nodes, answers.keep, reports);
  const joins = joinsOf(first.fields.get(first.root) ?? [], answers.same, reports);
  // Conditions depend on the fields: they are decided again.
  const general = joins.length === 0 ? first : generalise(copies, identities, kinds, answers, joins);
  const { root, nodes, fields } = general;
  renameFields(fields.get(root) ?? [], answers.rename, reports);
  describeFields([...fields.values()].flat(), nodes, readDescriptions(descriptions));
  const schema = writeSchema(fields, root, options.kind);
  for (const place of schema.untyped) reportUntyped(place, nodes, reports);
  if (reports.hasErrors) return undefined;
  const rgd = writeRgd(options, schema, nodes);
  const instances = writeInstances(options, identities, fields, root);
  const {
    objects,
    rendered,
    nulls,
    reports: proof,
  } = prove({ rgd, instances, copies, nodes, kinds, beside, options: renderOptions });
  reports.addAll(proof);
  if (nulls > 0) admitted.dropped.set('null', nulls);
  const commented = withComments(toYaml([rgd]), nodes);
  const report: ExtractReport = {
    copies: copies.length,
    objects,
    fields: fieldReports(fields, root, schema.lines),
    conditions: conditionReports(nodes),
    collections: nodes.filter(({ list }) => list !== undefined).length,
    notGeneralised: wholeReports(nodes, answers.keep),
    equal: equalCount(nodes),
    lines: {
      before: linesOf(copies.flatMap((copy) => copy.objects.map(({ object }) => object))),
      after: linesOf([rgd, ...instances]),
    },
    comments: { kept: commented.kept, dropped: commented.dropped },
    leftOut: Object.fromEntries(admitted.leftOut),
    notCompared: Object.fromEntries(admitted.dropped),
  };
  return { rgd, text: commented.text, instances, rendered, report };
}

/** The nodes of the RGD, and the fields of its instances. */
interface Generalised {
  readonly root: Rows;
  readonly nodes: readonly Node[];
  readonly fields: Map<Rows, Field[]>;
}

/** Finds what all copies have in common, and the fields for what differs. */
function generalise(
  copies: readonly Copy[],
  identities: readonly Identity[],
  kinds: KindRegistry,
  { keep }: Answers,
  joins: readonly Join[],
): Generalised {
  const root: Rows = { size: copies.length, prefix: 'schema.spec' };
  const aligned = align(copies, identities, root);
  const generaliser = new Generaliser(identities, keep);
  const nodes = nodesOf(aligned, idsOf(aligned), generaliser, identities, kinds);
  const resolver = new Resolver(identities, root, keep, joins);
  resolver.resolve(nodes);
  referNodes(nodes);
  const { fields } = resolver;
  nameFields(fields, root, nodes);
  return { root, nodes, fields };
}

const renderOptions: RenderOptions = defaultRenderOptions;

const linesOf = (objects: readonly KubeObject[]): number => toYaml(objects).split('\n').length - 1;

/** Reports copies that are not copies of one thing, and the groups that are. */
function areAlike(copies: readonly Copy[], identities: readonly Identity[], reports: Collector): boolean {
  const groups = groupsOf(copies, identities);
  if (groups.length === 1) return true;
  const lists = groups.map((group) => group.map(({ name }) => name).join(', '));
  const message = told`these are not copies of one thing: they are ${{ count: groups.length }} groups`;
  const hint = composeText`extract each group on its own: ${trusted.file(lists.join('; '))}; --together makes one RGD of them`;
  reports.add(unplaced('extract-groups', message, hint));
  return false;
}

function reportUntyped(place: Parameters<typeof formatPlace>[0], nodes: readonly Node[], reports: Collector): void {
  const object = nodes.find(({ id }) => id === place.node)?.objects.find((one) => one !== undefined);
  if (object === undefined) return;
  const message = phrase`${{ field: shown(formatPlace(place)) }} has values of different types in the copies, and no field has several types`;
  const hint = phrase`write it alike in the copies, or leave its kind out with --without ${shown(object.kind)}`;
  reporterFor({ object }, reports).report({ code: 'extract-type', message, hint, path: [] });
}
