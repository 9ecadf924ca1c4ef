export type Child = Node | string | undefined | false;

interface Properties {
  readonly class?: string | undefined;
  readonly on?: { readonly [event: string]: (event: Event) => void };
  readonly [attribute: string]: unknown;
}

/** Creates an element. Texts become text nodes, never markup; attributes that are false or undefined are omitted. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setProperties(element, properties);
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** Does the same for SVG. */
export function s(tag: string, properties: Properties = {}, ...children: readonly Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setProperties(element, properties);
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

function setProperties(element: Element, { on = {}, ...attributes }: Properties): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
}

export function button(text: string, onClick: () => void, properties: Properties = {}): HTMLButtonElement {
  return h('button', { type: 'button', ...properties, on: { click: onClick } }, text);
}

/** Returns what a view without content shows: a sentence, and the one action that helps. */
export function emptyState(text: string, action: string, run: () => void): HTMLElement {
  return h('div', { class: 'empty' }, h('p', {}, text), button(action, run, { class: 'primary' }));
}

/** Returns the element with an id, which must exist. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element as E;
}

/** Downloads a file. */
export function download(name: string, content: string | Uint8Array<ArrayBuffer>, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
