import { parseDuration } from '../values/durations.ts';
import { parseLayout } from '../values/layouts.ts';
import { clampedInt64 } from '../values/parse-number.ts';
import { durationText, ZERO_TIME } from '../values/times.ts';
import { GoTime, type GoValue, wrap64 } from '../values/values.ts';
import { type FunctionTable, fail, fixed, ofDigits } from './define.ts';

const SECOND = 1_000_000_000n;
const HOUR = 3600n * SECOND;
const UNITS: readonly (readonly [bigint, string])[] = [
  [HOUR * 24n * 365n, 'y'],
  [HOUR * 24n * 30n, 'mo'],
  [HOUR * 24n, 'd'],
  [HOUR, 'h'],
  [60n * SECOND, 'm'],
  [SECOND, 's'],
];

/** Formats `95` seconds as `1m35s`; an int, which is not an int64, counts as zero. */
function duration(value: GoValue): string {
  const seconds = typeof value === 'string' ? clampedInt64(value) : typeof value === 'bigint' ? value : 0n;
  return durationText(wrap64(seconds * SECOND));
}

/** Returns the largest unit with a value above one. */
function durationRound(value: GoValue): string {
  if (value instanceof GoTime) throw fail('the clock is not supported, because a rendering must be reproducible');
  const length = typeof value === 'string' ? (parseDuration(value) ?? 0n) : typeof value === 'bigint' ? value : 0n;
  const size = length < 0n ? -length : length;
  const unit = UNITS.find(([each]) => size > each);
  return unit === undefined ? '0s' : `${size / unit[0]}${unit[1]}`;
}

function modified(text: string, { seconds, nanoseconds, zone }: GoTime): GoValue {
  const length = parseDuration(text);
  if (length === undefined) throw fail(`time: invalid duration ${JSON.stringify(text)}`);
  const total = BigInt(nanoseconds) + length;
  const carried = total >= 0n ? total / SECOND : -((-total + SECOND - 1n) / SECOND);
  return new GoTime(seconds + carried, Number(total - carried * SECOND), zone);
}

const modify = ofDigits(fixed(['string', 'time'], ([text, time]) => modified(text, time)));

export const dateFunctions: FunctionTable = [
  [
    'ago',
    fixed(['any'], () => {
      throw fail('the clock is not supported, because a rendering must be reproducible');
    }),
  ],
  ['duration', ofDigits(fixed(['any'], ([value]) => duration(value)))],
  ['durationRound', ofDigits(fixed(['any'], ([value]) => durationRound(value)))],
  ['must_date_modify', modify],
  ['mustDateModify', modify],
  ['toDate', ofDigits(fixed(['string', 'string'], ([layout, text]) => parseLayout(layout, text) ?? ZERO_TIME))],
  [
    'mustToDate',
    ofDigits(
      fixed(['string', 'string'], ([layout, text]) => {
        const time = parseLayout(layout, text);
        if (time === undefined) throw fail(`parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}`);
        return time;
      }),
    ),
  ],
  ['unixEpoch', fixed(['time'], ([{ seconds }]) => String(seconds))],
];
