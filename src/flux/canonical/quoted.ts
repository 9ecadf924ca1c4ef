import { isStringWhenPlain } from '../../core/text/plain-scalar.ts';

/**
 * Tracks, character by character, whether the text of a template is inside a quoted string in an action: a line break
 * would end or change the string.
 */
export class QuoteWatch {
  private state: 'text' | 'start' | 'action' | 'comment' | 'quote' = 'text';
  private quote = '';
  private last = '';

  get isQuoted(): boolean {
    return this.state === 'quote';
  }

  get isInAction(): boolean {
    return this.state !== 'text';
  }

  next(char: string): void {
    const pair = this.last + char;
    this.last = char;
    if (this.state === 'text') {
      if (pair === '<<') this.go('start');
    } else if (this.state === 'comment') {
      if (pair === '*/') this.go('action');
    } else if (this.state === 'quote') {
      // An escaped character ends nothing.
      if (this.quote !== '`' && pair.startsWith('\\')) this.last = '';
      else if (char === this.quote) this.go('action');
    } else if (pair === '/*' && this.state === 'start') this.go('comment');
    else if (pair === '>>') this.go('text');
    else if (char === '"' || char === "'" || char === '`') {
      this.quote = char;
      this.go('quote');
    } else if (this.state === 'start' && !/[-\s/]/.test(char)) this.state = 'action';
  }

  private go(state: QuoteWatch['state']): void {
    this.state = state;
    this.last = '';
  }
}

export type Style = 'plain' | 'single' | 'double' | 'literal';

/** The styles that a scalar allows, as libyaml's emitter determines them. */
interface Analysis {
  multiline: boolean;
  plain: boolean;
  single: boolean;
  block: boolean;
}

const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const INDICATOR_AT_START = /^[#,[\]{}&*!|>'"%@`]/;
const LONE_INDICATOR_AT_START = /^[-?:](?:[ \t\r\n\u0085\u2028\u2029]|$)/;
const INDICATOR_INSIDE = /.:(?:[ \t\r\n\u0085\u2028\u2029]|$)|[ \t\r\n\u0085\u2028\u2029\0]#/s;
const BREAK = /[\r\n\u0085\u2028\u2029]/;
/** Other characters are escaped: the emitter treats those of four bytes as not printable. */
const PRINTABLE = /^[\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/;

export const isBreak = (char: string): boolean => BREAK.test(char);
export const isPrintable = (char: string): boolean => char.length === 1 && PRINTABLE.test(char);

/** Returns the style in which go-yaml writes a string; `isKey` for a key that must be on one line. */
export function styleOf(text: string, isKey: boolean): Style {
  const allowed = analyze(text);
  if (text.includes('\n')) return allowed.block && !isKey ? 'literal' : 'double';
  const isString = isStringWhenPlain(text) && !BASE_60.test(text);
  if (!isString || (isKey && allowed.multiline)) return 'double';
  if (allowed.plain && !(text === '' && isKey)) return 'plain';
  return allowed.single ? 'single' : 'double';
}

export const isMultiline = (text: string): boolean => BREAK.test(text);

function analyze(text: string): Analysis {
  if (text === '') return { multiline: false, plain: true, single: true, block: false };
  const multiline = BREAK.test(text);
  const special = !PRINTABLE.test(text) || / [\r\n\u0085\u2028\u2029]/.test(text);
  const breakSpace = /[\r\n\u0085\u2028\u2029] /.test(text);
  const indicators =
    /^(?:---|\.\.\.)/.test(text) ||
    INDICATOR_AT_START.test(text) ||
    LONE_INDICATOR_AT_START.test(text) ||
    INDICATOR_INSIDE.test(text);
  const trailingSpace = text.endsWith(' ');
  const edges = /^[ \r\n\u0085\u2028\u2029]|[ \r\n\u0085\u2028\u2029]$/.test(text);
  return {
    multiline,
    plain: !(edges || breakSpace || special || multiline || indicators),
    single: !(breakSpace || special),
    block: !(trailingSpace || special),
  };
}
