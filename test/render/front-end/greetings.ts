import { Collector, phrase, reporterFor } from '../../../src/core/diagnostics/index.ts';
import { type InputObject, isKubeObject, type KubeObject, nameOf } from '../../../src/core/model/object.ts';
import { addField, noFields } from '../../../src/core/model/read.ts';
import { getAt, isMap, type Path, type Value } from '../../../src/core/model/value.ts';
import type { FrontEnd, Outcome, PendingValue, Session, Surveyed } from '../../../src/kubernetes/front-end/index.ts';

/*
 * A language of its own: `spec.objects` of a Greeting are templates of objects, and `$name` in them is what `spec.name`
 * says. With `spec.nameFrom` it is what `data.name` of a live ConfigMap of that name says.
 *
 *   apiVersion: greetings.example/v1
 *   kind: Greeting
 *   metadata: {name: hello}
 *   spec:
 *     name: World
 *     objects:
 *       - {apiVersion: v1, kind: ConfigMap, metadata: {name: hello}, data: {text: Hello $name}}
 */

const KIND = { kind: 'Greeting', group: 'greetings.example' };

const isGreeting = ({ apiVersion, kind }: KubeObject): boolean =>
  apiVersion === 'greetings.example/v1' && kind === KIND.kind;

export const greetings: FrontEnd<Greetings> = {
  name: 'greetings',
  apis: [
    {
      group: KIND.group,
      apiVersion: 'greetings.example/v1',
      kinds: [KIND.kind],
      code: 'undefined-kind',
      oneVersion: true,
      takesGroup: () => false,
    },
  ],
  takes: isGreeting,
  reads: isGreeting,
  kindsIn: () => [KIND],
  start: ({ pack }) => new Greetings(pack.observed),
};

class Greetings implements Session {
  reports = new Collector();
  outcomes = new Map<KubeObject, Outcome>();
  #own: readonly InputObject[] = [];
  #waiting = new Map<InputObject, string>();

  constructor(private readonly observed: readonly InputObject[]) {}

  get pending(): Session['pending'] {
    return [...this.#waiting.keys()].map(() => ({ instanceId: 'greeting', node: 'nameFrom' }));
  }

  read(objects: readonly InputObject[]): void {
    this.reports = new Collector();
    this.#own = objects.filter(({ object }) => isGreeting(object));
  }

  expand(): void {
    this.outcomes = new Map(this.#own.map((input) => [input.object, this.#greet(input)]));
  }

  survey(): Surveyed[] {
    const names = this.#own.map(({ object }) => getAt(object, ['spec', 'nameFrom']));
    const needed = noFields();
    addField(needed, NAME, true);
    const surveyed = {
      pending: () => [...this.#waiting].map(([{ object }, name]) => pendingName(object, name)),
      reads: () => ({ of: (live) => (names.includes(nameOf(live)) ? { needed: [needed] } : undefined), missing: [] }),
    } satisfies Surveyed;
    return [surveyed];
  }

  #greet(input: InputObject): Outcome {
    const { report } = reporterFor(input, this.reports);
    const from = getAt(input.object, ['spec', 'nameFrom']);
    const live = this.observed.find(({ object }) => object.kind === 'ConfigMap' && nameOf(object) === from);
    if (typeof from === 'string' && live === undefined) {
      this.#waiting.set(input, from);
      report({
        code: 'pending-value',
        message: phrase`waits for ConfigMap/${from}`,
        path: ['spec', 'nameFrom'],
        severity: 'warning',
      });
      return { input, role: 'instance', rendered: [], passedThrough: false };
    }
    const name = live === undefined ? getAt(input.object, ['spec', 'name']) : getAt(live.object, NAME);
    if (typeof name !== 'string') {
      report({ code: 'object-shape', message: phrase`a Greeting greets somebody`, path: ['spec', 'name'] });
    }
    const objects = getAt(input.object, ['spec', 'objects']);
    const rendered = (Array.isArray(objects) ? objects : []).flatMap((template, index) => {
      const path: Path = ['spec', 'objects', index];
      const object = substituted(template, String(name));
      if (isKubeObject(object))
        return [{ object, instanceId: 'greeting', node: `objects[${index}]`, template: { input, path } }];
      report({ code: 'object-shape', message: phrase`a template is an object`, path });
      return [];
    });
    return { input, role: 'instance', rendered, passedThrough: false };
  }
}

const NAME = ['data', 'name'];

const pendingName = (object: KubeObject, name: string): PendingValue => ({
  instance: { kind: KIND.kind, namespace: '', name: nameOf(object) },
  node: 'nameFrom',
  field: 'spec.nameFrom',
  expression: '',
  optional: false,
  object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: '', name },
  path: 'data.name',
});

function substituted(value: Value, name: string): Value {
  if (typeof value === 'string') return value.replaceAll('$name', name);
  if (Array.isArray(value)) return value.map((one) => substituted(one, name));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, substituted(one, name)]));
}
