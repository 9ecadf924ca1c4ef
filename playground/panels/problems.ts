import type { Diagnostic } from '../../src/api/index.ts';
import { isPending } from '../../src/core/diagnostics/index.ts';
import { groupBy } from '../../src/core/model/group-by.ts';
import type { App } from '../app.ts';
import { button, h } from '../ui/dom.ts';
import { icon } from '../ui/icons.ts';
import { DOCS } from '../ui/links.ts';
import { openMenu } from '../ui/menu.ts';

/** The maximum number of listed groups, of places of each, and of those whose fixes are requested. */
const MOST = 200;
const MOST_PLACES = 20;
const MOST_FIXED = 40;
/** Milliseconds without a change until fixes are requested. */
const PAUSE = 300;

/** A change that the language server offers for a problem. */
export interface Fix {
  readonly title: string;
  readonly isPreferred: boolean;
  readonly run: () => void;
}

/** Diagnostics with the same message. */
interface Group {
  readonly key: string;
  readonly first: Diagnostic;
  readonly all: readonly Diagnostic[];
}

/** A row of the list. What it does refers to its problem as it is now. */
interface Row {
  readonly element: HTMLElement;
  group: Group;
}

/**
 * A bar below the editors with the first problem, which opens the list of all of them over the text. While the pointer
 * or the focus is in the list, its rows keep their places: a problem that is gone is crossed out, and new ones wait.
 */
export class Problems {
  readonly #element: HTMLElement;
  readonly #app: App;
  readonly #title = h('p', { id: 'problems-title', role: 'status' }, 'No problems');
  readonly #first = h('div', { class: 'first-problem' });
  readonly #list = h('div', { id: 'problems-list', hidden: true });
  readonly #toggle: HTMLButtonElement;
  #isOpen = false;
  #asked = 0;
  #rows: readonly Row[] = [];
  #groups: readonly Group[] = [];
  #isPointed = false;
  #drawn = '';

  constructor(element: HTMLElement, app: App) {
    this.#element = element;
    this.#app = app;
    this.#toggle = h(
      'button',
      {
        type: 'button',
        class: 'plain',
        'aria-label': 'All problems',
        title: 'All problems',
        'aria-expanded': 'false',
        'aria-controls': 'problems-list',
        hidden: true,
        on: { click: () => this.#setOpen(!this.#isOpen) },
      },
      icon('chevron'),
    );
    this.#list.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape') return;
      this.#setOpen(false);
      this.#toggle.focus();
    });
    this.#list.addEventListener('pointerenter', () => {
      this.#isPointed = true;
    });
    this.#list.addEventListener('pointerleave', () => {
      this.#isPointed = false;
      this.#release();
    });
    this.#list.addEventListener('focusout', ({ relatedTarget }) => {
      if (!this.#list.contains(relatedTarget as Node | null)) this.#release();
    });
    element.setAttribute('aria-labelledby', 'problems-title');
    element.replaceChildren(h('div', { class: 'problems-bar' }, this.#title, this.#first, this.#toggle), this.#list);
  }

  /** Shows the diagnostics as they are now. */
  show(): void {
    const shown = this.#app.problems().filter(({ code }) => code !== 'node-skipped');
    const unchecked = this.#app.unchecked();
    const drawn = JSON.stringify([shown, unchecked]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const summary = summaryOf(shown, unchecked);
    // Only a change of the summary is announced.
    if (this.#title.textContent !== summary) this.#title.textContent = summary;
    this.#element.className =
      shown.find(({ severity }) => severity === 'error')?.severity ?? shown[0]?.severity ?? 'none';
    this.#groups = groupsOf(shown);
    const [first] = this.#groups;
    this.#first.replaceChildren(...(first === undefined ? [] : this.#short(first)));
    if (this.#isHeld) this.#update();
    else this.#redraw();
    this.offerFixes();
  }

  /** Opens the list, and moves the focus there. */
  open(): void {
    if (this.#groups.length === 0) return;
    this.#setOpen(true);
    this.#list.querySelector<HTMLElement>('button')?.focus();
  }

  /** Whether somebody is about to use a row. A click leaves the focus behind, but not to be seen. */
  get #isHeld(): boolean {
    return this.#isOpen && (this.#isPointed || this.#list.querySelector(':focus-visible') !== null);
  }

  /** Shows the list as it is now when it was left. */
  #release(): void {
    // The element that gets the focus has it after this event.
    setTimeout(() => {
      if (this.#isHeld || this.#rows.every(({ group }, at) => group === this.#groups[at])) return;
      this.#redraw();
      this.offerFixes();
    });
  }

  #redraw(): void {
    const groups = this.#groups;
    this.#toggle.hidden = groups.length === 0;
    if (groups.length === 0) this.#setOpen(false);
    this.#rows = groups.slice(0, MOST).map((group, index) => this.#row(group, index));
    const rest = groups.length > MOST ? [h('li', {}, `and ${groups.length - MOST} more`)] : [];
    const rows = this.#rows.map(({ element }) => element);
    this.#list.replaceChildren(h('ul', { 'aria-labelledby': 'problems-title' }, ...rows, ...rest));
  }

  /** Updates the rows in their places. */
  #update(): void {
    const now = new Map(this.#groups.map((group) => [group.key, group]));
    for (const row of this.#rows) {
      const group = now.get(row.group.key);
      const isGone = group === undefined;
      row.element.classList.toggle('gone', isGone);
      for (const button of row.element.querySelectorAll('button')) button.disabled = isGone || button.matches('.fix');
      if (isGone) continue;
      row.group = group;
      const places = [...row.element.querySelectorAll('.place')];
      if (places.length !== group.all.length) continue;
      for (const [at, place] of places.entries()) place.textContent = placeText(group.all[at] as Diagnostic);
    }
  }

  #setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    if (!isOpen) this.#isPointed = false;
    this.#list.hidden = !isOpen;
    this.#toggle.setAttribute('aria-expanded', String(isOpen));
    this.#element.classList.toggle('open', isOpen);
  }

  /** The first problem in the bar: its message, and what can be done. */
  #short(group: Group): HTMLElement[] {
    const { first } = group;
    const text = h('span', { class: 'message' }, first.message);
    const place = placeOf(first, this.#app);
    const go = (): void => {
      if (place !== undefined) this.#app.reveal(place);
      else this.#setOpen(true);
    };
    const message = h(
      'button',
      { type: 'button', class: 'plain go', 'aria-label': `Go to: ${first.message}`, on: { click: go } },
      text,
    );
    return [message, ...this.#actions(() => group)];
  }

  #row(group: Group, index: number): Row {
    const { first, all } = group;
    const { severity, code, message } = first;
    const count = all.length === 1 ? undefined : h('span', { class: 'badge count' }, `${all.length}×`);
    const content = [
      h('span', { class: 'message' }, message),
      ' ',
      h('span', { class: 'severity' }, `${severity}[${code}]`),
      count,
    ];
    const hint = hintOf(first);
    const element = h('li', { class: severity, 'data-code': code });
    const row: Row = { element, group };
    const now = (at: number): Diagnostic => row.group.all[at] ?? row.group.first;
    const places = all
      .slice(0, MOST_PLACES)
      .map((one, at) => this.#place(one, () => now(at), at === 0 ? { index, content } : undefined));
    const left = all.length - places.length;
    element.append(
      h(
        'div',
        { class: 'problem-text' },
        ...places,
        left > 0 && h('span', { class: 'faint' }, `and ${left} more`),
        hint === undefined ? undefined : h('span', { class: 'hint' }, hint),
      ),
      h('div', { class: 'problem-actions' }, ...this.#actions(() => row.group)),
    );
    return row;
  }

  /** A place of a problem; the first one has its message. */
  #place(one: Diagnostic, now: () => Diagnostic, head: Head | undefined): HTMLElement {
    const { file, line, object, node, field } = one;
    const subject = [object, node === undefined ? undefined : `node ${node}`, field].filter(
      (text) => text !== undefined,
    );
    const place = placeOf(one, this.#app);
    const where = h(
      'span',
      { class: 'where' },
      file === undefined || line === undefined ? undefined : h('span', { class: 'place' }, placeText(one)),
      ' ',
      subject.join(' '),
    );
    const inner = head === undefined ? [where] : [...head.content, where];
    if (place === undefined) return h('div', { class: 'problem' }, ...inner);
    const id = head === undefined ? undefined : `problem-${head.index}`;
    const go = (): void => this.#app.reveal(placeOf(now(), this.#app) ?? place);
    return h('button', { type: 'button', class: 'problem', id, on: { click: go } }, ...inner);
  }

  #actions(now: () => Group): HTMLElement[] {
    const { code } = now().first;
    const fillIn = (): void => this.#app.fillIn(now().first);
    const fill = isPending(now().first) ? [button('Fill in', fillIn, { class: 'fill-in' })] : [];
    return [
      // Its place is at the right, so that it does not move the others.
      ...fill,
      // Its place is reserved, so that nothing moves when the fixes arrive.
      h('button', { type: 'button', class: 'fix', disabled: true }, 'Fix'),
      h(
        'a',
        {
          class: 'explain',
          href: `${DOCS}/diagnostics.md#${code}`,
          target: '_blank',
          rel: 'noopener',
          'aria-label': `Explain ${code}`,
        },
        'Explain',
      ),
    ];
  }

  /** Requests the fixes of the listed problems after a pause, and enables their buttons. */
  offerFixes(): void {
    clearTimeout(this.#asked);
    this.#asked = window.setTimeout(() => void this.#askFixes(), PAUSE);
  }

  async #askFixes(): Promise<void> {
    const own = this.#asked;
    const [first] = this.#groups;
    const rows = this.#rows.slice(0, MOST_FIXED);
    const known = rows.filter(({ group }) => this.#groups.includes(group));
    const asked = first === undefined || known[0]?.group === first ? [] : [first];
    for (const group of [...asked, ...known.map((row) => row.group)]) {
      const place = placeOf(group.first, this.#app);
      const fixes = place === undefined ? [] : await this.#app.editor.fixesAt(place, group.first.code);
      // A newer list has its own fixes.
      if (own !== this.#asked) return;
      if (group === first) this.#enable(this.#first.querySelector('.fix'), fixes);
      const row = rows.find((one) => one.group === group);
      this.#enable(row?.element.querySelector<HTMLButtonElement>('.fix') ?? null, fixes);
    }
  }

  #enable(fix: HTMLButtonElement | null, fixes: readonly Fix[]): void {
    const [only] = fixes;
    if (fix === null || only === undefined) return;
    const preferred = fixes.length === 1 ? only : fixes.find(({ isPreferred }) => isPreferred);
    fix.disabled = false;
    fix.title = preferred?.title ?? 'Fixes';
    fix.onclick = () => {
      if (preferred === undefined) openMenu(fix, 'Fixes', fixes);
      else preferred.run();
    };
  }
}

/** What the first place of a row shows: the message and how often there is one. */
interface Head {
  readonly index: number;
  readonly content: readonly (Node | string | undefined)[];
}

const placeText = ({ file, line, column = 1 }: Diagnostic): string => `${file}:${line}:${column}`;

const placeOf = (
  { file, line, column = 1 }: Diagnostic,
  app: App,
): { file: string; line: number; column: number } | undefined =>
  file === undefined || line === undefined || app.workspace.file(file) === undefined
    ? undefined
    : { file, line, column };

/** Hints name options of the command; the page has a field for the value. */
const hintOf = (diagnostic: Diagnostic): string | undefined =>
  isPending(diagnostic)
    ? 'Only a cluster knows it. Fill in a value, or choose above what to do without it.'
    : diagnostic.hint;

/** Joins diagnostics that differ only in their place and subject, in the order of the first of each. */
function groupsOf(diagnostics: readonly Diagnostic[]): Group[] {
  const groups = groupBy(diagnostics, ({ severity, code, message, hint }) =>
    JSON.stringify([severity, code, message, hint]),
  );
  return [...groups].flatMap(([key, all]) => (all[0] === undefined ? [] : [{ key, first: all[0], all }]));
}

/** `No problems` is said only if everything was checked. */
function summaryOf(diagnostics: readonly Diagnostic[], unchecked: string): string {
  const count = (severity: string): number => diagnostics.filter((one) => one.severity === severity).length;
  const parts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const number = count(severity);
    return number === 0 ? [] : [`${number} ${severity}${number === 1 ? '' : 's'}`];
  });
  if (parts.length > 0) return parts.join(', ');
  return unchecked === '' ? 'No problems' : `No problems in what was checked: ${unchecked}`;
}
