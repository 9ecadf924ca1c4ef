import page from '../../../data/plan-page.json';
import type { ValueMap } from '../../core/model/value.ts';
import { visible } from '../../core/text/visible.ts';
import { toJsonText } from '../../yaml/emit/index.ts';
import { titleOfApplication } from './application.ts';
import { imageValue } from './json.ts';
import { type Links, NO_LINKS, urlOfApplication, urlOfCause } from './links.ts';
import type { ChangeGroup, Plan, PlannedChange } from './result.ts';
import { distinctDangers, notRendered, summaryOf, titleOfChange } from './text.ts';

/** Returns a plan as one HTML file that needs no network: its policy allows nothing but its own script and style. */
export function planHtml(plan: Plan, links: Links = NO_LINKS): string {
  // In a script element only `<` can end or hide anything.
  const data = visible(toJsonText(pageValue(plan, links))).replaceAll('<', '\\u003c');
  return `${page.start}${data}${page.end}`;
}

/** Returns what the script of the page reads (tools/plan-page/page.js). */
function pageValue(plan: Plan, links: Links): ValueMap {
  const { errors, foreign } = notRendered(plan);
  const groupOf = new Map(plan.groups.flatMap(({ changes }, index) => changes.map((one) => [one, index] as const)));
  const dangerous = new Set(plan.dangers.flatMap(({ change }) => change ?? []));
  const changeValue = (change: PlannedChange): (bigint | string | boolean | null)[] => [
    BigInt(groupOf.get(change) ?? 0),
    titleOfChange({ ...change, loss: undefined }),
    change.loss ?? null,
    dangerous.has(change),
  ];
  return {
    summary: summaryOf(plan),
    ...{ errors, foreign },
    dangers: distinctDangers(plan).map(({ code, text, at, accepted, dangers }) => ({
      ...{ code, text, url: urlOfCause({ at }, links), count: BigInt(dangers.length) },
      ...(accepted !== undefined && { accepted }),
    })),
    images: plan.images.map(imageValue),
    groups: plan.groups.map((group) => groupValue(group, links)),
    applications: plan.applications
      .filter(({ changes }) => changes.length > 0)
      .map(({ application, event, changes }) => ({
        title: titleOfApplication(application),
        ...(event !== undefined && { event }),
        url: urlOfApplication({ application, event }, links),
        changes: changes.map(changeValue).sort(([one], [other]) => Number(one) - Number(other)),
      })),
  };
}

const groupValue = ({ cause, change, fate, changes, hunks }: ChangeGroup, links: Links): ValueMap => ({
  ...{ cause: cause.text, change, url: urlOfCause(cause, links) },
  ...(fate && { fate: fate.why === '' ? fate.word : `${fate.word}: ${fate.why}` }),
  // Objects with the same cause may differ in what an added or replaced one contains.
  ...(change !== 'changed' && changes[0] && { first: titleOfChange({ ...changes[0], loss: undefined }) }),
  hunks: change === 'removed' ? [] : hunks.map(({ title, lines }) => ({ title, lines: [...lines] })),
});
