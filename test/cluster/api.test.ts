import { expect, it } from 'vitest';
import { persistently } from './control-plane/api.ts';

/** Answers requests with the listed results, one after the other. */
function answers(...list: (number | Error)[]) {
  const pauses: number[] = [];
  let sent = 0;
  const send = async () => {
    const answer = list[sent] as number | Error;
    sent += 1;
    if (answer instanceof Error) throw answer;
    return { status: answer, body: {} };
  };
  const ask = (method = 'GET') => persistently(method, send, async (pause) => pauses.push(pause));
  return { ask, pauses, sent: () => sent };
}

it('retries while the machine is busy', async () => {
  const { ask, pauses } = answers(new Error('reset'), 429, 503, 200);
  expect((await ask()).status).toBe(200);
  expect(pauses).toEqual([250, 500, 1000]);
});

it('does not retry after a rejection', async () => {
  const { ask, sent } = answers(409, 200);
  expect((await ask('POST')).status).toBe(409);
  expect(sent()).toBe(1);
});

it('recognises its own object that an earlier attempt created', async () => {
  expect((await answers(504, 409).ask('POST')).status).toBe(200);
});

it('stops retrying after a limit', async () => {
  const reset = new Error('reset');
  await expect(answers(...Array.from({ length: 6 }, () => reset)).ask()).rejects.toBe(reset);
  expect((await answers(...Array.from({ length: 6 }, () => 500)).ask()).status).toBe(500);
});
