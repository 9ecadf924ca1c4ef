import { s } from './dom.ts';

/** Paths of icons in a square of 16 units, drawn as lines. */
const PATHS = {
  add: 'M8 3v10M3 8h10',
  book: 'M8 4C6.5 3 4 2.800 2 3.200v9.300c2-.4 4.500-.2 6 .8 1.500-1 4-1.200 6-.8V3.200C12 2.800 9.500 3 8 4zM8 4v9.300',
  chevron: 'M4 6l4 4 4-4',
  close: 'M4 4l8 8M12 4l-8 8',
  code: 'M5.500 4.500L2 8l3.500 3.500M10.500 4.500L14 8l-3.500 3.500',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  dark: 'M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500z',
  download: 'M8 2.500v7M5 7l3 3 3-3M3 13h10',
  external: 'M6.500 3.500h-3v9h9v-3M9 3h4v4M13 3L7.500 8.500',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  fit: 'M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10',
  folder: 'M2 4h4l1.500 1.500H14V13H2z',
  instance: 'M8 2l5.500 3v6L8 14l-5.500-3V5zM2.500 5L8 8l5.500-3M8 8v6',
  light:
    'M8 5.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600zM8 1.500v1.500M8 13v1.500M1.500 8H3M13 8h1.500M3.400 3.400l1 1M11.600 11.600l1 1M12.600 3.400l-1 1M4.400 11.600l-1 1',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  options: 'M2 4.500h6M12 4.500h2M2 11.500h2M8 11.500h6M10 2.800v3.400M6 9.800v3.400',
  play: 'M5 3l8 5-8 5z',
  search: 'M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM10.500 10.500L14 14',
  share: 'M8 10V2.500M5 5l3-3 3 3M4 8H3v5.500h10V8h-1',
  system: 'M2 3h12v8H2zM6 14h4M8 11v3',
  template:
    'M6 2.500C4 2.500 4.500 5 4.500 6S4 8 2.500 8C4 8 4.500 9 4.500 10s-.5 3.500 1.500 3.500M10 2.500c2 0 1.500 2.500 1.500 3.500s.5 2 2 2c-1.500 0-2 1-2 2s.5 3.500-1.500 3.500',
} as const;

export type IconName = keyof typeof PATHS;

/** Returns an icon; the text beside it, or the label of its button, says what it means. */
export const icon = (name: IconName): Element =>
  s('svg', { class: 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: PATHS[name] }));
