import type { App } from '../app.ts';
import { Superseded } from '../engine/client.ts';
import { button, download, emptyState, h } from '../ui/dom.ts';
import { linesOf } from './yaml-lines.ts';

/** The CRDs that the RGDs generate. */
export class CrdPanel {
  readonly element: HTMLElement;
  readonly #app: App;
  readonly #list = h('div', { class: 'objects' });
  readonly #open = new Set<string>();
  #text = '';

  constructor(app: App) {
    this.#app = app;
    const tools = h(
      'div',
      { class: 'tools' },
      h('span', { class: 'status' }, 'CustomResourceDefinitions'),
      button('Download CRDs', () => download('crds.yaml', this.#text, 'application/yaml')),
    );
    this.element = h('section', { 'aria-label': 'CustomResourceDefinitions' }, tools, this.#list);
  }

  async update(): Promise<void> {
    try {
      const { crds, diagnostics } = await this.#app.engine.ask('kinds', this.#app.workspace.package);
      const text = crds.map(({ yaml }) => yaml).join('---\n');
      if (text === this.#text && text !== '') return;
      this.#text = text;
      if (crds.length > 0) this.#list.replaceChildren(...crds.map((crd, index) => this.#crd(crd, index === 0)));
      else this.#list.replaceChildren(this.#nothing(diagnostics[0]?.message));
    } catch (error) {
      if (!(error instanceof Superseded)) this.#list.replaceChildren(h('p', {}, (error as Error).message));
    }
  }

  #nothing(fault: string | undefined): HTMLElement {
    if (fault !== undefined) return emptyState(fault, 'Show the problems', () => this.#app.showProblems());
    return emptyState('No RGD defines a kind.', 'Open an example', () => this.#app.goTo('#example=collections'));
  }

  #crd({ name, yaml }: { name: string; yaml: string }, isFirst: boolean): HTMLElement {
    const text = h('pre', { class: 'yaml', tabindex: 0, role: 'region', 'aria-label': name }, ...linesOf(yaml));
    const element = h(
      'details',
      { class: 'object', open: isFirst || this.#open.has(name) },
      h('summary', {}, name),
      text,
    );
    element.addEventListener('toggle', () => {
      if (element.open) this.#open.add(name);
      else this.#open.delete(name);
    });
    return element;
  }
}
