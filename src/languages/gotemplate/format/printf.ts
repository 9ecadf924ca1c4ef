import { runeAt } from '../bytes.ts';
import type { Meter } from '../meter.ts';
import { GoInt, type GoValue, integerOf, sizeOf, typeName } from '../values/values.ts';
import { type Flags, noFlags } from './numbers.ts';
import { display, formatValue } from './value.ts';

const STEPS = 2;
const TOO_LARGE = 1_000_000;

/** Go's fmt.Sprintf. Errors become part of the text, as `%!d(string=x)`. */
export function sprintf(format: string, args: readonly GoValue[], meter: Meter): string {
  return new Printer(format, args, meter).print();
}

/** Go's fmt.Sprint: a space between values of which neither is a string. */
export function sprint(args: readonly GoValue[]): string {
  const isString = args.map((value) => typeof value === 'string');
  return args.map((value, at) => (at === 0 || isString[at] || isString[at - 1] ? '' : ' ') + display(value)).join('');
}

export const sprintln = (args: readonly GoValue[]): string => `${args.map(display).join(' ')}\n`;

class Printer {
  private at = 0;
  private argument = 0;
  private reordered = false;
  private goodIndex = true;
  private out = '';

  constructor(
    private readonly format: string,
    private readonly args: readonly GoValue[],
    private readonly meter: Meter,
  ) {}

  print(): string {
    const { format } = this;
    while (this.at < format.length) {
      const percent = format.indexOf('%', this.at);
      this.out += format.slice(this.at, percent < 0 ? undefined : percent);
      if (percent < 0) break;
      this.at = percent + 1;
      this.directive();
    }
    if (!this.reordered && this.argument < this.args.length) this.extra();
    return this.out;
  }

  private extra(): void {
    const rest = this.args.slice(this.argument).map((value) => {
      return value === null ? '<nil>' : `${typeName(value)}=${formatValue(value, 'v', noFlags())}`;
    });
    this.out += `%!(EXTRA ${rest.join(', ')})`;
  }

  private directive(): void {
    this.goodIndex = true;
    const flags = this.flags();
    let afterIndex = this.index();
    afterIndex = this.width(flags, afterIndex);
    afterIndex = this.precision(flags, afterIndex);
    if (!afterIndex) this.index();
    if (this.at >= this.format.length) {
      this.out += '%!(NOVERB)';
      return;
    }
    const { rune, width } = runeAt(this.format, this.at);
    const verb = this.format.slice(this.at, this.at + width);
    this.at += width;
    this.meter.spendSteps(1);
    if (rune === 37) this.out += '%';
    else if (!this.goodIndex) this.out += `%!${verb}(BADINDEX)`;
    else if (this.argument >= this.args.length) this.out += `%!${verb}(MISSING)`;
    else this.verb(verb, flags);
  }

  private verb(verb: string, flags: Flags): void {
    const value = this.args[this.argument++] ?? null;
    if (verb === 'v' && flags.sharp) Object.assign(flags, { sharp: false, sharpV: true });
    if (verb === 'v' && flags.plus) Object.assign(flags, { plus: false, plusV: true });
    this.meter.spendSteps(STEPS);
    this.meter.spendBytes((flags.width ?? 0) + (flags.precision ?? 0));
    if (typeof value === 'number') this.meter.spendSteps(flags.precision ?? 0);
    else if (!/[sdv]/.test(verb)) this.meter.spendSteps(sizeOf(value));
    this.out += formatValue(value, verb, flags);
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.format) ?? [];
    this.at += found.length;
    return found;
  }

  private flags(): Flags {
    const written = this.take(/[#0+\- ]*/y);
    const has = (flag: string): boolean => written.includes(flag);
    // Zeros are only added in front.
    const zero = has('0') && !has('-');
    return { ...noFlags(), sharp: has('#'), plus: has('+'), minus: has('-'), space: has(' '), zero };
  }

  private width(flags: Flags, afterIndex: boolean): boolean {
    if (this.format[this.at] === '*') {
      this.at++;
      const width = this.integerArgument();
      if (width === undefined) this.out += '%!(BADWIDTH)';
      else if (width < 0) Object.assign(flags, { width: -width, minus: true, zero: false });
      else flags.width = width;
      return false;
    }
    const width = this.digits();
    if (width === undefined) return afterIndex;
    flags.width = width;
    if (afterIndex) this.goodIndex = false;
    return afterIndex;
  }

  private precision(flags: Flags, afterIndex: boolean): boolean {
    if (this.format[this.at] !== '.' || this.at + 1 >= this.format.length) return afterIndex;
    this.at++;
    if (afterIndex) this.goodIndex = false;
    const again = this.index();
    if (this.format[this.at] === '*') {
      this.at++;
      const precision = this.integerArgument();
      if (precision === undefined || precision < 0) this.out += '%!(BADPREC)';
      else flags.precision = precision;
      return false;
    }
    flags.precision = this.digits() ?? 0;
    return again;
  }

  private digits(): number | undefined {
    const digits = this.take(/[0-9]*/y);
    if (digits === '') return undefined;
    if (Number(digits) <= TOO_LARGE) return Number(digits);
    this.at = this.format.length;
    return undefined;
  }

  private integerArgument(): number | undefined {
    if (this.argument >= this.args.length) return undefined;
    const value = this.args[this.argument++] ?? null;
    const whole = typeof value === 'bigint' || value instanceof GoInt ? integerOf(value) : undefined;
    if (whole === undefined || whole > BigInt(TOO_LARGE) || whole < -BigInt(TOO_LARGE)) return undefined;
    return Number(whole);
  }

  /** Reads `[3]`. @returns whether it exists */
  private index(): boolean {
    if (this.format[this.at] !== '[') return false;
    this.reordered = true;
    const close = this.format.indexOf(']', this.at);
    if (close < 0) {
      this.goodIndex = false;
      this.at++;
      return false;
    }
    const text = this.format.slice(this.at + 1, close);
    this.at = close + 1;
    const number = /^[0-9]+$/.test(text) && Number(text) <= TOO_LARGE ? Number(text) : undefined;
    if (number === undefined || number < 1 || number > this.args.length) {
      this.goodIndex = false;
      return number !== undefined;
    }
    this.argument = number - 1;
    return true;
  }
}
