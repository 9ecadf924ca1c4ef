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
