import { composeText, trusted } from '../../../core/diagnostics/index.ts';
import { groupKindOf, type KubeObject } from '../../../core/model/object.ts';
import { get, isMap, listAt, textAt, textsOf, type Value } from '../../../core/model/value.ts';
import type { Danger } from '../application.ts';

const KINDS: readonly string[] = [
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
];

/** An API server rejects requests if a webhook fails, unless that says otherwise (v1: the default is Fail). */
const failsClosed = (webhook: Value): boolean => textAt(webhook, 'failurePolicy') !== 'Ignore';

const isEmpty = (selector: Value | undefined): boolean =>
  selector === undefined || selector === null || (isMap(selector) && Object.keys(selector).length === 0);

/** Reports whether it is called for the pods of every namespace, also those that it needs itself. */
function isForAllPods(webhook: Value): boolean {
  if (!isEmpty(get(webhook, 'namespaceSelector')) || !isEmpty(get(webhook, 'objectSelector'))) return false;
  if (listAt(webhook, 'matchConditions').length > 0) return false;
  return listAt(webhook, 'rules').some((rule) => {
    const groups = textsOf(get(rule, 'apiGroups'));
    const resources = textsOf(get(rule, 'resources'));
    const isOfCore = groups.includes('*') || groups.includes('');
    return isOfCore && ['*', '*/*', 'pods', 'pods/*'].some((one) => resources.includes(one));
  });
}

/** The dangers of webhooks that block an API server while they are down. */
export function* webhookDangers(before: KubeObject | undefined, after: KubeObject): Iterable<Danger> {
  if (!KINDS.includes(groupKindOf(after))) return;
  const old = new Map(listAt(before, 'webhooks').map((webhook) => [textAt(webhook, 'name'), webhook]));
  for (const webhook of listAt(after, 'webhooks')) {
    const name = textAt(webhook, 'name');
    const was = old.get(name);
    if (!failsClosed(webhook)) continue;
    const title = trusted.redacted(name);
    const isStricter = was !== undefined && !failsClosed(was);
    const isWider = isForAllPods(webhook) && (was === undefined || !isForAllPods(was));
    if (isWider) {
      const message = composeText`${title} fails closed for the pods of all namespaces: while it is down, none can start`;
      yield { code: 'danger-admission-blocks', message };
    } else if (isStricter) {
      const message = composeText`${title} fails closed: while it is down, what it checks cannot change`;
      yield { code: 'danger-admission-blocks', message };
    }
  }
}
