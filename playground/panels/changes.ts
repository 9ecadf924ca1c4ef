import { groupBy } from '../../src/core/model/group-by.ts';
import type { App } from '../app.ts';
import { Superseded } from '../engine/client.ts';
import type { Rendered, RenderedObject } from '../engine/protocol.ts';
import { type Baseline, type BaselineKind, loadBaseline, saveBaseline } from '../state/baseline.ts';
import type { Contents } from '../state/workspace.ts';
import { askText } from '../ui/ask.ts';
import { button, emptyState, h } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { type MenuItems, menuButton } from '../ui/menu.ts';
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

const TITLES: readonly (readonly [kind: BaselineKind, title: string])[] = [
  ['opened', 'The files as they were opened'],
  ['pinned', 'This rendering, pinned'],
  ['zip', 'A ZIP archive'],
  ['link', 'A link'],
  ['kro', 'kro 0.9 and kro 0.10'],
];

/** Shows the changes of the objects since a baseline: earlier files, or the same files with the other release of kro. */
export class ChangesPanel {
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #status = h('p', { class: 'status', role: 'status' });
  readonly #list = h('div', { class: 'objects' });
  readonly #picker = h('input', {
    type: 'file',
    accept: '.zip',
    hidden: true,
    'aria-label': 'Archive to compare with',
  });
  readonly #rows = new Map<string, { readonly element: HTMLDetailsElement; readonly text: string }>();
  readonly #baseline: HTMLButtonElement;
  readonly #shown = h('span', { class: 'chosen' });
  /** The baseline whose objects are known, as text, with its objects. */
  #known = '';
  #before: Rendered | undefined;

  constructor(app: App) {
    this.#app = app;
    this.#baseline = menuButton(
      'Compare with',
      [h('span', { class: 'faint' }, 'since '), this.#shown],
      () => this.#items(),
      {
        class: 'choice',
      },
    );
    const releases = button('What does kro 0.10 change?', () => this.#choose({ kind: 'kro' }));
    this.#picker.addEventListener('change', () => void this.#openArchive());
    const tools = h('div', { class: 'tools' }, this.#status, this.#baseline, releases, this.#picker);
    this.element = h('div', { class: 'panel changes' }, tools, this.#list);
  }

  update(): void {
    void this.#draw();
  }

  #items(): MenuItems {
    const { kind } = loadBaseline(this.#app.keeper.place);
    return TITLES.map(([one, title]) => ({ title, checked: one === kind, run: () => void this.#ask(one) }));
  }

  async #ask(kind: BaselineKind): Promise<void> {
    if (kind === 'zip') this.#picker.click();
    else if (kind === 'link') await this.#askLink();
    else if (kind === 'pinned') {
      const note = new Date().toLocaleTimeString();
      this.#choose({ kind, contents: this.#app.workspace.contents, note });
    } else this.#choose({ kind });
  }

  async #askLink(): Promise<void> {
    const check = (text: string): string | undefined =>
      /#s=./.test(text) ? undefined : 'It is no link that Share made.';
    const given = await askText('Link to compare with', '', check);
    if (given === undefined) return;
    try {
      const { decodeShared } = await import('../state/share.ts');
      this.#choose({ kind: 'link', contents: await decodeShared(given.replace(/^[^#]*#s=/, '')) });
    } catch (error) {
      this.#app.notify((error as Error).message);
    }
  }

  async #openArchive(): Promise<void> {
    const [given] = this.#picker.files ?? [];
    if (given === undefined) return;
    const { openedFiles } = await import('../state/opened.ts');
    const { files, refused } = await openedFiles([given]);
    this.#picker.value = '';
    if (files.length === 0)
      return this.#app.notify(`Nothing to compare with: ${refused[0] ?? 'the archive is empty'}.`);
    const { options } = this.#app.workspace.contents;
    this.#choose({ kind: 'zip', contents: { files, options }, note: given.name });
  }

  #choose(baseline: Baseline): void {
    saveBaseline(this.#app.keeper.place, baseline);
    this.update();
  }

  async #draw(): Promise<void> {
    const { keeper, workspace, engine, shown } = this.#app;
    const baseline = loadBaseline(keeper.place);
    const since = baseline.note ?? titleOf(baseline);
    this.#shown.textContent = since;
    this.#baseline.setAttribute('aria-label', `Compare with: since ${since}`);
    const isReleases = baseline.kind === 'kro';
    const contents = isReleases ? workspace.contents : (baseline.contents ?? this.#app.opened());
    const { kro: _, ...options } = contents.options;
    const older = isReleases ? { ...contents, options } : contents;
    try {
      const before = await this.#renderedOf(older);
      const after = isReleases
        ? await engine.ask('baseline', { ...contents, options: { ...options, kro: '0.10' } })
        : { objects: shown().objects, diagnostics: [] };
      this.#show(before, after, isReleases);
    } catch (error) {
      if (error instanceof Superseded) return;
      this.#list.replaceChildren(emptyState((error as Error).message, 'Compare again', () => this.update()));
    }
  }

  /** Returns the rendering of a baseline, which is kept until there is another one. */
  async #renderedOf(contents: Contents): Promise<Rendered> {
    const text = JSON.stringify(contents);
    if (this.#before !== undefined && this.#known === text) return this.#before;
    const rendered = await this.#app.engine.ask('baseline', contents);
    this.#known = text;
    this.#before = rendered;
    return rendered;
  }

  #show(before: Rendered, after: Rendered, isReleases: boolean): void {
    const changes = changesOf(before.objects, after.objects);
    const broken = [before, after].find(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error'));
    const fault = broken?.diagnostics.find(({ severity }) => severity === 'error');
    this.#status.textContent = summaryOf(changes);
    const shown = changes.slice(0, MOST);
    const keys = new Set(shown.map(keyOf));
    for (const key of this.#rows.keys()) if (!keys.has(key)) this.#rows.delete(key);
    const rows = shown.map((change, index) => this.#row(change, index < OPEN));
    const rest = changes.length - shown.length;
    const which = broken === before ? 'What it is compared with has an error' : 'kro 0.10 has an error';
    const head = fault === undefined ? [] : [h('p', { class: 'fault padded' }, `${which}: ${fault.message}.`)];
    const body = rows.length > 0 || fault !== undefined ? rows : [this.#same(isReleases)];
    this.#list.replaceChildren(
      ...head,
      ...body,
      ...(rest > 0 ? [h('p', { class: 'padded faint' }, `and ${rest} more`)] : []),
    );
  }

  /** Says that nothing differs, with the other comparison. */
  #same(isReleases: boolean): HTMLElement {
    const [text, action, kind] = isReleases
      ? ([
          'Both releases of kro render the same objects.',
          'Compare with the files as they were opened',
          'opened',
        ] as const)
      : (['The objects are the same.', 'Compare with kro 0.10', 'kro'] as const);
    return emptyState(text, action, () => this.#choose({ kind }));
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

function titleOf({ kind }: Baseline): string {
  const titles: Readonly<Record<BaselineKind, string>> = {
    opened: 'opened',
    pinned: 'pinned',
    zip: 'the archive',
    link: 'the link',
    kro: 'kro 0.9',
  };
  return titles[kind];
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
