import { composeText, type Text } from '../../core/diagnostics/index.ts';
import type { Counted, Entry, Outcome } from '../../core/ledger/index.ts';
import type { Decision, Skipped } from './evaluate.ts';
import type { Policy } from './read.ts';

/** The object of decisions, as a ledger names it. */
interface Subject {
  title: Text;
  file: string | undefined;
}

/** Accounts for the decisions of policies: each policy decides once about each object. */
export class DecisionLedger {
  #all = 0;
  readonly #named: Entry[] = [];

  /** Adds what policies decided about an object; without a decision, a policy has nothing against it. */
  add(policies: readonly Policy[], decisions: readonly (Decision | Skipped)[], subject: () => Subject): void {
    this.#all += policies.length;
    if (decisions.length === 0) return;
    const outcomes = new Map<Policy, Outcome>();
    for (const decision of decisions) {
      if ('skipped' in decision) for (const policy of decision.skipped) outcomes.set(policy, UNDECIDED);
      else if (outcomes.get(decision.policy)?.is !== 'failed') {
        const outcome = outcomeOf(decision);
        if (outcome !== undefined) outcomes.set(decision.policy, outcome);
      }
    }
    for (const [policy, outcome] of outcomes) this.#named.push(entryOf(policy, outcome, subject()));
  }

  /** Returns the number of decisions, and the denied and the undecided ones. */
  get counted(): Counted {
    return { all: this.#all, named: this.#named };
  }
}

const UNDECIDED: Outcome = { is: 'unseen', why: 'needs-cluster' };

function outcomeOf(decision: Decision): Outcome | undefined {
  if ('undecided' in decision) return UNDECIDED;
  return decision.action === 'Deny' ? { is: 'failed' } : undefined;
}

const entryOf = ({ title: policy }: Policy, outcome: Outcome, { title, file }: Subject): Entry => ({
  unit: 'policy',
  file,
  title: composeText`${title}, policy ${policy}`,
  kind: policy,
  outcome,
});
