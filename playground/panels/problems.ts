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
  readonly first: Diagnostic;
  readonly all: readonly Diagnostic[];
}

/** A bar below the editors with the first problem, which opens the list of all of them over the text. */
export class Problems {
  readonly #element: HTMLElement;
  readonly #app: App;
  readonly #title = h('p', { id: 'problems-title', role: 'status' }, 'No problems');
  readonly #first = h('div', { class: 'first-problem' });
  readonly #list = h('div', { id: 'problems-list', hidden: true });
  readonly #toggle: HTMLButtonElement;
  #isOpen = false;
  #asked = 0;
  #groups: readonly Group[] = [];
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
        on: { click: () => this.#open(!this.#isOpen) },
      },
      icon('chevron'),
    );
    this.#list.addEventListener('keydown', ({ key }) => {
      if (key !== 'Escape') return;
      this.#open(false);
      this.#toggle.focus();
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
    const groups = groupsOf(shown);
    this.#toggle.hidden = groups.length === 0;
    if (groups.length === 0) this.#open(false);
    const focused = this.#list.contains(document.activeElement) ? document.activeElement?.id : '';
    const rows = groups.slice(0, MOST).map((group, index) => this.#row(group, index));
    const rest = groups.length > MOST ? [h('li', {}, `and ${groups.length - MOST} more`)] : [];
    this.#list.replaceChildren(h('ul', { 'aria-labelledby': 'problems-title' }, ...rows, ...rest));
    const [first] = groups;
    this.#first.replaceChildren(...(first === undefined ? [] : this.#short(first)));
    if (focused) document.getElementById(focused)?.focus();
    this.#groups = groups;
    this.offerFixes();
  }

  #open(isOpen: boolean): void {
    this.#isOpen = isOpen;
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
      else this.#open(true);
    };
    const message = h(
      'button',
      { type: 'button', class: 'plain go', 'aria-label': `Go to: ${first.message}`, on: { click: go } },
      text,
    );
    return [message, ...this.#actions(group, 'bar')];
  }

  #row(group: Group, index: number): HTMLElement {
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
    const places = all.slice(0, MOST_PLACES).map((one, at) => this.#place(one, at === 0 ? index : undefined, content));
    const left = all.length - places.length;
    return h(
      'li',
      { class: severity, 'data-code': code },
      h(
        'div',
        { class: 'problem-text' },
        ...places,
        left > 0 && h('span', { class: 'faint' }, `and ${left} more`),
        hint === undefined ? undefined : h('span', { class: 'hint' }, hint),
      ),
      h('div', { class: 'problem-actions' }, ...this.#actions(group, String(index))),
    );
  }

  /** A place of a problem; the first one has its message. */
  #place(one: Diagnostic, index: number | undefined, content: readonly (Node | string | undefined)[]): HTMLElement {
    const { file, line, column = 1, object, node, field } = one;
    const subject = [object, node === undefined ? undefined : `node ${node}`, field].filter(
      (text) => text !== undefined,
    );
    const place = placeOf(one, this.#app);
    const where = h(
      'span',
      { class: 'where' },
      file === undefined || line === undefined ? undefined : h('span', { class: 'place' }, `${file}:${line}:${column}`),
      ' ',
      subject.join(' '),
    );
    const inner = index === undefined ? [where] : [...content, where];
    if (place === undefined) return h('div', { class: 'problem' }, ...inner);
    const id = index === undefined ? undefined : `problem-${index}`;
    return h(
      'button',
      { type: 'button', class: 'problem', id, on: { click: () => this.#app.reveal(place) } },
      ...inner,
    );
  }

  #actions({ first }: Group, key: string): HTMLElement[] {
    const { code } = first;
    const fill = isPending(first) ? [button('Fill in', () => this.#app.fillIn(first), { class: 'fill-in' })] : [];
    return [
      // Its place is reserved, so that nothing moves when the fixes arrive.
      h('button', { type: 'button', class: 'fix', 'data-fix': key, disabled: true }, 'Fix'),
      ...fill,
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
    this.#asked = window.setTimeout(() => void this.#askFixes(this.#groups), PAUSE);
  }

  async #askFixes(groups: readonly Group[]): Promise<void> {
    const own = this.#asked;
    for (const [index, { first }] of groups.slice(0, MOST_FIXED).entries()) {
      const place = placeOf(first, this.#app);
      const fixes = place === undefined ? [] : await this.#app.editor.fixesAt(place, first.code);
      // A newer list has its own fixes.
      if (own !== this.#asked) return;
      const keys = index === 0 ? ['bar', '0'] : [String(index)];
      for (const key of keys) this.#enable(this.#element.querySelector(`[data-fix="${key}"]`), fixes);
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
  return [...groups.values()].flatMap((all) => (all[0] === undefined ? [] : [{ first: all[0], all }]));
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
