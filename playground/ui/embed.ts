import type { App } from '../app.ts';
import { readContents } from '../state/read-contents.ts';
import { encodeShared } from '../state/share.ts';
import { h } from './dom.ts';
import { icon } from './icons.ts';

/**
 * The embedded view: a link to the whole page, and messages of the page around it. `{type: 'render-rgd:set', files,
 * options}` replaces the files, and `{type: 'render-rgd:get'}` asks for the result. The answer is
 * `{type: 'render-rgd:result', files, objects, diagnostics}`, then and after each rendering.
 */
export class Embed {
  readonly #app: App;
  #origin: string | undefined;

  constructor(app: App, place: HTMLElement) {
    this.#app = app;
    const link = h(
      'a',
      { class: 'icon-link', target: '_blank', rel: 'noopener', href: location.pathname, title: 'Open the whole page' },
      icon('external'),
      'Open the playground',
    );
    const aim = async (): Promise<void> => {
      link.href = `${location.pathname}#s=${await encodeShared(app.workspace.contents)}`;
    };
    for (const event of ['pointerenter', 'focus']) link.addEventListener(event, () => void aim());
    place.append(link);
    addEventListener('message', (event) => this.#receive(event));
    if (parent !== window) parent.postMessage({ type: 'render-rgd:ready' }, '*');
  }

  /** Sends the result to the page that asked for it. */
  send(): void {
    if (this.#origin === undefined) return;
    const { workspace, rendered, problems } = this.#app;
    const message = {
      type: 'render-rgd:result',
      files: workspace.files,
      objects: rendered().objects,
      diagnostics: problems(),
    };
    parent.postMessage(message, this.#origin);
  }

  #receive({ source, origin, data }: MessageEvent): void {
    if (source !== parent || parent === window || typeof data !== 'object' || data === null) return;
    // An answer needs an origin.
    if (origin === 'null') return;
    const { type } = data as { readonly type?: unknown };
    if (type !== 'render-rgd:set' && type !== 'render-rgd:get') return;
    this.#origin = origin;
    if (type === 'render-rgd:get') {
      this.send();
      return;
    }
    try {
      this.#app.workspace.open(readContents(data));
    } catch (error) {
      parent.postMessage({ type: 'render-rgd:fault', message: (error as Error).message }, origin);
    }
  }
}
