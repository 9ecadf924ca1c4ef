import { expect, it } from 'vitest';
import { isStringWhenPlain } from '../../../src/core/text/plain-scalar.ts';

/** Reports whether a day exists, by the calendar of JavaScript. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const padded = (number: number, width: number): string => String(number).padStart(width, '0');

it('a day that exists is a date of YAML 1.1, and any other one is a string', () => {
  const years = [1, 4, 100, 400, 1900, 1999, 2000, 2023, 2024, 2100, 2400];
  for (const year of years) {
    for (let month = 0; month <= 13; month += 1) {
      for (const day of [0, 1, 27, 28, 29, 30, 31, 32]) {
        const text = `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
        expect([text, isStringWhenPlain(text)]).toEqual([text, !isDay(year, month, day)]);
      }
    }
  }
});

it.each([
  ['2024-02-29T23:59:59Z', false],
  ['2024-02-29t01:02:03.5+02:00', false],
  ['2024-02-29 01:02:03', false],
  ['2024-02-29T24:00:00Z', true],
  ['2024-02-29T23:60:00Z', true],
  ['2024-02-29T23:59:60Z', true],
  ['2024-02-30T23:59:59Z', true],
  ['2024-02-29T23:59:59', true],
])('the time %s stays a string without quotes: %s', (text, isString) => expect(isStringWhenPlain(text)).toBe(isString));
