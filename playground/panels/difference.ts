import { groupBy } from '../../src/core/model/group-by.ts';
import type { App } from '../app.ts';
import type { RenderedObject } from '../engine/protocol.ts';
import { button, h } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { linesOf } from './yaml-lines.ts';

/** The number of changed objects that are open at first, and the number that is listed. */
const OPEN = 3;
const MOST = 300;

type Kind = 'added' | 'removed' | 'changed' | 'replaced';

/** A changed object; `replaced` if its node renders another identity. */
interface Change {
  readonly kind: Kind;
  readonly before: RenderedObject | undefined;
  readonly after: RenderedObject | undefined;
}

const SIGNS: Readonly<Record<Kind, string>> = { added: '+', removed: '−', changed: '~', replaced: '±' };

/** Shows the changes of the objects since the files were opened, or since a pinned rendering. */
export class DifferencePanel {
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #status = h('p', { class: 'status', role: 'status' });
  readonly #list = h('div', { class: 'objects' });
  readonly #pin: HTMLButtonElement;
  readonly #rows = new Map<string, { readonly element: HTMLDetailsElement; readonly text: string }>();
  #opened: readonly RenderedObject[] | undefined;
  #pinned: readonly RenderedObject[] | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#pin = button('Pin this rendering', () => this.#togglePin(), { 'aria-pressed': 'false' });
    this.element = h('div', { class: 'panel' }, h('div', { class: 'tools' }, this.#status, this.#pin), this.#list);
  }

  update(): void {
    const opened = this.#app.opened();
    // Another package was opened.
    if (opened !== this.#opened) {
      this.#opened = opened;
      this.#rows.clear();
      if (this.#pinned !== undefined) this.#togglePin();
    }
    this.#draw();
  }

  #togglePin(): void {
    this.#pinned = this.#pinned === undefined ? this.#app.shown().objects : undefined;
    this.#pin.setAttribute('aria-pressed', String(this.#pinned !== undefined));
    this.#pin.textContent = this.#pinned === undefined ? 'Pin this rendering' : 'Unpin';
    this.#draw();
  }

  #draw(): void {
    const now = this.#app.shown().objects;
    const changes = changesOf(this.#pinned ?? this.#opened ?? now, now);
    const since = this.#pinned === undefined ? 'since the files were opened' : 'since the pinned rendering';
    this.#status.textContent = `${summaryOf(changes)} ${since}`;
    const shown = changes.slice(0, MOST);
    const keys = new Set(shown.map(keyOf));
    for (const key of this.#rows.keys()) if (!keys.has(key)) this.#rows.delete(key);
    const rows = shown.map((change, index) => this.#row(change, index < OPEN));
    const rest = changes.length - shown.length;
    this.#list.replaceChildren(...rows, ...(rest > 0 ? [h('p', { class: 'padded faint' }, `and ${rest} more`)] : []));
  }

  #row(change: Change, isFirst: boolean): HTMLElement {
    const { kind, before, after } = change;
    const key = keyOf(change);
    const text = `${kind}\0${before?.yaml}\0${after?.yaml}`;
    const known = this.#rows.get(key);
    if (known?.text === text) return known.element;
    const object = (after ?? before) as RenderedObject;
    const name = kind === 'replaced' ? `${nameOf(before)} → ${nameOf(after)}` : nameOf(object);
    const body = h('div', { class: 'difference' });
    const element = h(
      'details',
      { class: `object ${kind}`, open: known?.element.open ?? isFirst },
      h(
        'summary',
        {},
        icon('chevron'),
        h('span', { class: 'kind' }, h('span', { class: 'sign' }, SIGNS[kind]), ` ${object.kind}`),
        h('span', { class: 'name' }, name),
        h('span', { class: 'node' }, object.node),
        h('span', { class: 'size' }, kind),
      ),
      body,
    );
    const fill = async (): Promise<void> => {
      if (!element.open || body.childElementCount > 0) return;
      if (before !== undefined && after !== undefined) {
        const { differenceView } = await import('../editor/difference.ts');
        if (body.childElementCount === 0) differenceView(body, before.yaml, after.yaml);
      } else
        body.append(
          h('pre', { class: 'yaml', tabindex: 0, role: 'region', 'aria-label': name }, ...linesOf(object.yaml)),
        );
    };
    element.addEventListener('toggle', () => void fill());
    void fill();
    this.#rows.set(key, { element, text });
    return element;
  }
}

const nameOf = (object: RenderedObject | undefined): string =>
  [object?.namespace, object?.name].filter((part) => part).join('/');

const keyOf = ({ before, after }: Change): string => `${before?.key ?? ''}\0${after?.key ?? ''}`;

/** Pairs objects by identity; of the rest, those of the same instance and node if there is one on each side. */
function changesOf(before: readonly RenderedObject[], now: readonly RenderedObject[]): Change[] {
  const old = new Map(before.map((object) => [object.key, object]));
  const kept = new Set(now.map(({ key }) => key));
  const gone = before.filter(({ key }) => !kept.has(key));
  const added = now.filter(({ key }) => !old.has(key));
  const sourceOf = ({ kind, instance, node }: RenderedObject): string => JSON.stringify([kind, instance, node]);
  const [goneOf, addedOf] = [groupBy(gone, sourceOf), groupBy(added, sourceOf)];
  const partnerOf = (object: RenderedObject): RenderedObject | undefined => {
    const source = sourceOf(object);
    const isPair = object.node !== '' && goneOf.get(source)?.length === 1 && addedOf.get(source)?.length === 1;
    return isPair ? goneOf.get(source)?.[0] : undefined;
  };
  const partners = new Map(added.map((object) => [object, partnerOf(object)]));
  const replaced = new Set(partners.values());
  return [
    ...now.flatMap((after): Change[] => {
      const same = old.get(after.key);
      if (same?.yaml === after.yaml) return [];
      if (same !== undefined) return [{ kind: 'changed', before: same, after }];
      const partner = partners.get(after);
      return [{ kind: partner === undefined ? 'added' : 'replaced', before: partner, after }];
    }),
    ...gone
      .filter((one) => !replaced.has(one))
      .map((one): Change => ({ kind: 'removed', before: one, after: undefined })),
  ];
}

function summaryOf(changes: readonly Change[]): string {
  const parts = (['changed', 'replaced', 'added', 'removed'] as const).flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  return parts.length === 0 ? 'No difference' : parts.join(', ');
}
