/** The verdict about each RGD that changed: patch, minor or major, with the change that decides. */
import { composeText, counted, nameText, type Text, trusted } from '../../core/diagnostics/index.ts';
import { groupBy } from '../../core/model/group-by.ts';
import { groupKind, type InputObject } from '../../core/model/object.ts';
import { equal, ownValue, type Path } from '../../core/model/value.ts';
import { isGenerated } from '../../describe/instances/index.ts';
import type { Graph } from '../../kro/compile/index.ts';
import { definedKind } from '../../kro/definition/index.ts';
import { isBreaking, sentenceOf } from './changes.ts';
import { type Covered, NOT_COVERED } from './covered.ts';
import { type Examined, effectKey, type GatePlace, LEVELS, type Level } from './effects.ts';
import type { IdentityChange } from './identity.ts';
import type { Update } from './update.ts';

/**
 * What kro does with the update of an RGD: `refuses` it, so that the CRD and the instances stay; `ignores` the change of
 * the schema, so that the CRD stays and the instances are rendered by the new templates; `accepts` it; or there is no
 * update, because an RGD was added or removed, or does not compile.
 */
export type KroAnswer = 'accepts' | 'refuses' | 'ignores' | 'not-asked';

/** What is said of an RGD as a whole, besides changes of its identity and schema, and what instances show. */
export const RGD_CHANGES = ['kind-added', 'not-compared', 'nothing-compared', 'definition-changed'] as const;
type RgdChange = (typeof RGD_CHANGES)[number];

/** One change of an RGD, with its field in both versions. */
export interface GateChange {
  /** The name of a change of the schema, as for `--allow`, or of an effect. */
  change: string;
  level: Level;
  what: Text;
  before: GatePlace | undefined;
  after: GatePlace | undefined;
  /** What to do about it. */
  advice: Text;
  /** The first instance that shows it. */
  shownBy?: InputObject | undefined;
}

export interface Verdict {
  /** The RGDs; undefined if a version has none. */
  before: InputObject | undefined;
  after: InputObject | undefined;
  name: Text;
  kind: Text;
  level: Level;
  kro: KroAnswer;
  /** All changes, the one that decides first. */
  changes: readonly GateChange[];
  /** The instances that the old schema accepts and the new one rejects. */
  rejected: readonly InputObject[];
  /** The number of instances that exist, and of generated ones, that both versions were asked about. */
  compared: number;
  generated: number;
  /** The number of instances that exist, and of generated ones, that the older version does not render. */
  notCompared: number;
  generatedNotCompared: number;
  /** Whether there are more instances to generate. */
  isCut: boolean;
  /** The nodes that are pending in both versions and did not change, and of which nothing is compared. */
  pending: readonly string[];
  /** What the compared instances covered. */
  covered: Covered;
}

export const rankOf = (level: Level): number => LEVELS.indexOf(level);

/** Returns the rank of a change: one that is known to be major decides before one that was not compared. */
export const decisiveRank = ({ level }: GateChange): number => (level === 'major' ? LEVELS.length : rankOf(level));

/** The changes of schemas that keep the set of accepted instances, and what is rendered, as far as they go alone. */
const HARMLESS: ReadonlySet<string> = new Set([
  'description-changed',
  'default-changed',
  'printer-columns-changed',
  'short-names-changed',
  'categories-changed',
  'crd-metadata-changed',
]);

/** What to do about a change, by its name. */
const ADVICE: Readonly<Record<string, Text>> = {
  'kind-removed': composeText`keep the RGD until no instance is left`,
  'property-removed': composeText`keep the field until no instance sets it`,
  'type-changed': composeText`add a field of the new type beside this one`,
  'required-property-added': composeText`give the field a default`,
  'required-added': composeText`give the field a default`,
  'required-default-removed': composeText`keep the default`,
  'instance-rejected': composeText`correct the instance before the update, or accept what was accepted`,
  'instance-not-rendered': composeText`correct the template: the old one renders this instance`,
  'object-lost': composeText`keep the object, or back up its data first`,
  'object-recreated': composeText`keep the value of the field, or render an object with another name`,
  'object-removed': composeText`keep the node, or expect that the object is deleted`,
  'object-replaced': composeText`keep the name of the object`,
  'node-not-compared': composeText`add the live objects that it reads with --observed, and compare again`,
  'nothing-compared': composeText`add an instance that the old version renders with --instances, and compare again`,
};
const IDENTITY_ADVICE = composeText`define the new kind in an RGD of its own, and keep this one until no instance is left`;
const NARROWING_ADVICE = composeText`accept the values that were accepted, or release it as a major version`;
const NO_ADVICE = composeText`nothing`;

const adviceFor = (change: string, otherwise: Text): Text => ownValue(ADVICE, change) ?? otherwise;

/** One RGD in both versions, and what is known of the change. */
export interface Compared {
  before: Graph;
  /** The RGD that defines the kind now, or the one that defined it under its name. */
  after: Graph | undefined;
  /** Changes of what identifies the kind; kro accepts none of them. */
  identity: readonly IdentityChange[];
  update: Update | undefined;
  examined: readonly Examined[];
  /** Whether there are more instances to generate. */
  isCut: boolean;
  covered: Covered;
}

/** Returns the verdict about an RGD that both versions have, or that the newer one lacks. */
export function verdictOf(given: Compared): Verdict {
  const { before, after, identity, update, examined, isCut, covered } = given;
  const whole = examined.filter(({ smallerOf }) => smallerOf === undefined);
  const compared = whole.filter(({ isCompared }) => isCompared);
  const left = whole.filter(({ isCompared }) => !isCompared);
  const changes = [...identityChanges(given), ...schemaChanges(given), ...effectsOf(examined)];
  const isSame = isSameObject(before, after);
  if (!isSame && after !== undefined && identity.length === 0 && compared.length === 0) {
    changes.push(definitionChange(given, 'nothing-compared'));
  }
  if (!isSame && changes.length === 0) changes.push(definitionChange(given, 'definition-changed'));
  const sorted = changes.toSorted((a, b) => decisiveRank(b) - decisiveRank(a));
  const rejected = whole.filter(({ effects }) => effects.some(({ change }) => change === 'instance-rejected'));
  return {
    before: before.input,
    after: after?.input,
    name: trusted.definition(before.name),
    kind: trusted.definition(groupKind(before)),
    level: sorted[0]?.level ?? 'none',
    kro: answerOf(after, identity.length > 0, update),
    changes: sorted,
    rejected: rejected.map(({ input }) => input),
    compared: countOf(compared, false),
    generated: countOf(compared, true),
    notCompared: countOf(left, false),
    generatedNotCompared: countOf(left, true),
    isCut,
    pending: [...new Set(compared.flatMap(({ pending }) => pending))],
    covered,
  };
}

const countOf = (some: readonly Examined[], generated: boolean): number =>
  some.filter(({ input }) => isGenerated(input) === generated).length;

function identityChanges({ before, after, identity }: Compared): GateChange[] {
  return identity.map(({ rule, what, path }) => ({
    change: rule,
    level: 'major',
    what: trusted.definition(what),
    before: placeIn(before, path),
    after: placeIn(after, path),
    advice: adviceFor(rule, IDENTITY_ADVICE),
  }));
}

function schemaChanges({ before, after, update, examined }: Compared): GateChange[] {
  const changes: GateChange[] = [];
  for (const change of update?.changes ?? []) {
    const path = ['spec', 'schema', ...change.path];
    changes.push({
      change: change.change,
      level: change.narrows ? 'major' : wideningLevel(change.change),
      what: trusted.definition(sentenceOf(change)),
      before: placeIn(before, path),
      after: placeIn(after, path),
      advice: change.narrows ? adviceFor(change.change, NARROWING_ADVICE) : NO_ADVICE,
      shownBy: change.narrows ? examined.find((one) => isRejected(one, change.path))?.input : undefined,
    });
  }
  for (const { change, path, what } of update?.others ?? []) {
    changes.push({
      change,
      level: wideningLevel(change),
      what: trusted.definition(what),
      before: placeIn(before, path),
      after: placeIn(after, path),
      advice: NO_ADVICE,
    });
  }
  return changes;
}

const wideningLevel = (change: string): Level => (HARMLESS.has(change) ? 'patch' : 'minor');

const placeIn = (graph: Graph | undefined, path: Path): GatePlace | undefined =>
  graph === undefined ? undefined : { source: graph.input.source, path };

/** What is said of an RGD that changed although no other change of it is known. */
const DEFINITION_CHANGES = {
  'definition-changed': {
    level: 'patch',
    what: composeText`the RGD changed, and no rendered object of the compared instances did`,
  },
  'nothing-compared': {
    level: 'unknown',
    what: composeText`the RGD changed, and there is no instance that the old version renders: nothing is compared`,
  },
} as const satisfies { [change in RgdChange]?: Pick<GateChange, 'level' | 'what'> };

function definitionChange({ before, after }: Compared, change: keyof typeof DEFINITION_CHANGES): GateChange {
  const { level, what } = DEFINITION_CHANGES[change];
  return {
    change,
    level,
    what,
    before: placeIn(before, ['spec']),
    after: placeIn(after, ['spec']),
    advice: adviceFor(change, NO_ADVICE),
  };
}

const isSameObject = (before: Graph, after: Graph | undefined): boolean =>
  after !== undefined && equal(before.input.object, after.input.object);

/** Reports whether the newer schema rejects an instance at a field, or below it. */
const isRejected = ({ effects }: Examined, path: Path): boolean =>
  effects.some(
    ({ change, after }) => change === 'instance-rejected' && path.every((step, at) => step === after.path[at + 2]),
  );

/** Returns each difference once, with the first instance that shows it. */
function effectsOf(examined: readonly Examined[]): GateChange[] {
  const all = examined.flatMap(({ input, smallerOf, effects }) =>
    effects.map((effect) => ({ input, effect, whole: smallerOf ?? input })),
  );
  const groups = groupBy(all, ({ effect }) => effectKey(effect));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { change, level, before, after } = first.effect;
    const others = new Set(group.map(({ whole }) => whole)).size - 1;
    const more = others === 0 ? '' : composeText` (and ${counted(others, 'instance')} more)`;
    return [
      {
        change,
        level,
        what: composeText`${first.effect.describe()}${more}`,
        before,
        after,
        advice: adviceFor(change, NO_ADVICE),
        shownBy: first.input,
      },
    ];
  });
}

function answerOf(after: Graph | undefined, hasOtherIdentity: boolean, update: Update | undefined): KroAnswer {
  if (hasOtherIdentity) return 'refuses';
  if (after === undefined || update === undefined) return 'not-asked';
  if (!update.isAllowed && update.changes.some(isBreaking)) return 'refuses';
  const isSchemaChanged = update.changes.length > 0 || update.others.length > 0;
  return isSchemaChanged && !update.isWritten ? 'ignores' : 'accepts';
}

/** Returns the verdict about an RGD of which one version is not known: it does not compile, or cannot be read. */
export function unknownVerdict(before: InputObject | undefined, after: InputObject | undefined): Verdict {
  const isBefore = after === undefined;
  const what = isBefore
    ? composeText`nothing is known of the newer version`
    : composeText`a version of it has an error, and is not compared`;
  return lonelyVerdict(before, after, {
    change: 'not-compared',
    level: 'unknown',
    what,
    before: { source: before?.source, path: ['spec'] },
    after: isBefore ? undefined : { source: after.source, path: ['spec'] },
    advice: composeText`correct the errors, and compare again`,
  });
}

/** Returns the verdict about an RGD that the older version does not have. */
export const addedVerdict = (after: InputObject): Verdict =>
  lonelyVerdict(undefined, after, {
    change: 'kind-added',
    level: 'minor',
    what: composeText`the RGD is new`,
    before: undefined,
    after: { source: after.source, path: ['spec'] },
    advice: NO_ADVICE,
  });

function lonelyVerdict(
  before: InputObject | undefined,
  after: InputObject | undefined,
  change: GateChange & { change: RgdChange },
): Verdict {
  const { object } = (after ?? before) as InputObject;
  return {
    before,
    after,
    name: nameText(object, false),
    kind: trusted.definition(definedKind(object)),
    level: change.level,
    kro: 'not-asked',
    changes: [change],
    rejected: [],
    compared: 0,
    generated: 0,
    notCompared: 0,
    generatedNotCompared: 0,
    isCut: false,
    pending: [],
    covered: NOT_COVERED,
  };
}
