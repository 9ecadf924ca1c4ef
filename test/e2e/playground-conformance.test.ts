import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Case, conformanceCases } from '../playground/cases.ts';
import { partOf } from '../properties/runs.ts';
import { describeInBrowser, openSite, type Site } from './playground-page.ts';

const VERBS = ['render', 'crd'] as const;

describeInBrowser('the engine of the playground', () => {
  let site: Site;
  let answers: ReadonlyMap<string, unknown>;
  const all = conformanceCases();
  // The bundle and the executable run all of them.
  const cases = partOf(all, 5);
  const requests = cases.flatMap(({ name, pack }) =>
    VERBS.map((verb) => ({ key: `${verb} ${name}`, args: [pack, verb] })),
  );

  beforeAll(async () => {
    site = await openSite();
    const page = await site.open();
    const worker = site.paths.find((path) => /\/worker-[^/]*\.js$/.test(path)) ?? '';
    // Uses the worker of the page as the page does.
    const values = (await page.evaluate(`new Promise((resolve, reject) => {
      const requests = ${JSON.stringify(requests.map(({ args }) => args))};
      const worker = new Worker(${JSON.stringify(worker)}, { type: 'module', name: 'engine' });
      const values = [];
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.onmessage = ({ data }) => {
        if (!('ready' in data)) values.push(data.value ?? data.fault);
        if (values.length === requests.length) resolve(values);
        else worker.postMessage({ id: values.length, verb: 'command', args: requests[values.length] });
      };
    })`)) as unknown[];
    answers = new Map(requests.map(({ key }, index) => [key, values[index]]));
  }, 600_000);
  afterAll(() => site.close());

  it('the playground runs cases of all', () => expect(all.length).toBeGreaterThan(300));

  it.each(cases)('the playground has the same output as the command: $name', async ({ name, command }: Case) => {
    for (const verb of VERBS) expect(answers.get(`${verb} ${name}`), verb).toEqual(await command(verb));
  });
});
