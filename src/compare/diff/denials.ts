import {
  compilePolicies,
  DecisionLedger,
  denialText,
  isPolicy,
  Undecided,
  type UserOptions,
  userOf,
} from '../../check/policies/index.ts';
import {
  Collector,
  composeText,
  format,
  isError,
  phrase,
  type Report,
  shown,
  type Text,
} from '../../core/diagnostics/index.ts';
import type { Counted } from '../../core/ledger/index.ts';
import type { Limits } from '../../core/model/limits.ts';
import type { InputObject } from '../../core/model/object.ts';
import type { RenderOptions } from '../../core/model/render.ts';
import { isSecret } from '../../core/redaction/index.ts';
import { roleOf } from '../../kubernetes/front-end/index.ts';
import { kindsOf } from '../../kubernetes/schema/index.ts';
import type { Reviewed } from '../review/index.ts';
import { type ObjectChange, titleOfReviewed } from './changes.ts';

const asWarning = (report: Report): Report => (isError(report) ? { ...report, severity: 'warning' } : report);

/** What a policy says of an object. */
export interface Denial {
  readonly title: Text;
  /** What it says, without the title. */
  readonly says: Text;
}

export interface Denials {
  /** Returns each denial: an added object is created, a changed one updated, a removed one deleted. */
  of(change: Pick<ObjectChange, 'change' | 'before' | 'after'>): Denial[];
  /** Returns what is wrong with the policies, and what they did not decide of the changes so far. */
  reports(): readonly Report[];
  /** Returns the number of decisions so far, and those that deny or are not made. */
  decisions(): Counted;
}

/** `around` has the policies, parameters and namespaces; of the kinds of `complete` there are no others. */
export function denialsBy(
  around: readonly InputObject[],
  complete: readonly InputObject[],
  options: Limits & UserOptions & Pick<RenderOptions, 'namespace' | 'kubernetes' | 'unknownSecrets'>,
): Denials | undefined {
  const policies = around.filter(isPolicy);
  if (policies.length === 0) return undefined;
  const crds = around.filter(({ object }) => roleOf(object) === 'crd');
  const reports = new Collector();
  const undecided = new Undecided();
  const ledger = new DecisionLedger();
  const { decide, policies: compiled } = compilePolicies(
    {
      policies,
      known: around,
      complete,
      crds: crds.map(({ object }) => object),
      kinds: kindsOf(crds, undefined, options.kubernetes, new Collector()),
      user: userOf(options),
      limits: options,
      namespace: options.namespace,
      unknownSecrets: options.unknownSecrets,
    },
    around.length,
    reports,
  );
  const textsOf = (older: Reviewed | undefined, newer: Reviewed | undefined): Denial[] => {
    const one = newer ?? older;
    if (one === undefined) return [];
    const verb = older === undefined ? 'creation' : newer === undefined ? 'deletion' : 'update';
    const title = titleOfReviewed(one);
    const operation = { ...(newer && { object: newer.object }), ...(older && { oldObject: older.object }) };
    const decisions = decide(operation);
    ledger.add(compiled, decisions, () => ({ title, file: undefined }));
    const texts = decisions.flatMap((decision) => {
      if ('skipped' in decision) {
        undecided.skip(decision, phrase`${shown(title)}`);
        return [];
      }
      if ('undecided' in decision) undecided.add(decision, phrase`${shown(title)}`, one.object);
      if ('undecided' in decision || decision.action === 'Audit') return [];
      const isHidden = decision.usesSecret || [older, newer].some((version) => version && isSecret(version.secrecy));
      const text = denialText(decision);
      const words = decision.action === 'Deny' ? 'is denied by' : 'gets a warning of';
      const { title: policy } = decision.policy;
      return [composeText`the ${verb} ${words} the policy '${policy}': ${format(isHidden ? text.hide() : text)}`];
    });
    // Several bindings of a policy deny alike.
    return [...new Set(texts)].map((says) => ({ title, says }));
  };
  return {
    of: ({ change, before, after }) =>
      change === 'changed' ? textsOf(before, after) : [...textsOf(before, undefined), ...textsOf(undefined, after)],
    reports: () => {
      const all = new Collector();
      for (const report of reports.all) all.add(asWarning(report));
      undecided.report(all);
      return all.all;
    },
    decisions: () => ledger.counted,
  };
}
