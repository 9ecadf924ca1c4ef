/**
 * Follows the text of a template, character by character, and says whether it is inside of a text in quotes in an action:
 * there a line break would end the text, or become a part of it.
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
      // What is escaped ends nothing.
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
