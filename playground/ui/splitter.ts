import { ownValue } from '../../src/core/model/value.ts';
import { loadSizes, saveSizes } from '../state/storage.ts';
import { h } from './dom.ts';

interface Split {
  /** The name of the CSS variable of the container, without dashes, and of the stored size. */
  readonly name: string;
  readonly label: string;
  readonly container: HTMLElement;
  /** The direction in which it moves. */
  readonly axis: 'x' | 'y';
  /** Percent of the container that the part before it takes. */
  readonly initial: number;
}

const [LEAST, MOST, STEP] = [15, 85, 2];

/** Returns a separator that mouse and arrow keys move. Its position is remembered; a double click resets it. */
export function splitter({ name, label, container, axis, initial }: Split): HTMLElement {
  const bar = h('div', {
    class: `splitter ${axis}`,
    role: 'separator',
    tabindex: 0,
    'aria-label': label,
    'aria-orientation': axis === 'x' ? 'vertical' : 'horizontal',
    'aria-valuemin': LEAST,
    'aria-valuemax': MOST,
  });
  let size = initial;
  const set = (wanted: number, keep = true): void => {
    size = Math.min(MOST, Math.max(LEAST, wanted));
    container.style.setProperty(`--${name}`, `${size}fr`);
    container.style.setProperty(`--${name}-rest`, `${100 - size}fr`);
    bar.setAttribute('aria-valuenow', String(Math.round(size)));
    if (keep) saveSizes({ ...loadSizes(), [name]: size });
  };
  set(ownValue(loadSizes(), name) ?? initial, false);
  bar.addEventListener('keydown', (event) => {
    const by = ownValue(
      { ArrowLeft: -STEP, ArrowUp: -STEP, ArrowRight: STEP, ArrowDown: STEP, Home: -100, End: 100 },
      event.key,
    );
    if (by === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    set(by === undefined ? initial : size + by);
  });
  bar.addEventListener('dblclick', () => set(initial));
  bar.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    bar.setPointerCapture(event.pointerId);
    const bounds = container.getBoundingClientRect();
    const before = bar.previousElementSibling?.getBoundingClientRect() ?? bounds;
    const after = bar.nextElementSibling?.getBoundingClientRect() ?? bounds;
    const [from, to] = axis === 'x' ? [before.left, after.right] : [before.top, after.bottom];
    const move = ({ clientX, clientY }: PointerEvent): void =>
      set((((axis === 'x' ? clientX : clientY) - from) / Math.max(1, to - from)) * 100);
    bar.addEventListener('pointermove', move);
    bar.addEventListener('lostpointercapture', () => bar.removeEventListener('pointermove', move), { once: true });
  });
  return bar;
}
