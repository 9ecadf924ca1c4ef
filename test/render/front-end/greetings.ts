import { Collector, phrase, reporterFor } from '../../../src/core/diagnostics/index.ts';
import { type InputObject, isKubeObject, type KubeObject } from '../../../src/core/model/object.ts';
import { getAt, isMap, type Path, type Value } from '../../../src/core/model/value.ts';
import type { FrontEnd, Outcome, Session } from '../../../src/kubernetes/front-end/index.ts';

/*
 * A language of its own: `spec.objects` of a Greeting are templates of objects, and `$name` in them is what `spec.name`
 * says.
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
  start: () => new Greetings(),
};

class Greetings implements Session {
  reports = new Collector();
  outcomes = new Map<KubeObject, Outcome>();
  pending = [];
  #own: readonly InputObject[] = [];

  read(objects: readonly InputObject[]): void {
    this.reports = new Collector();
    this.#own = objects.filter(({ object }) => isGreeting(object));
  }

  expand(): void {
    this.outcomes = new Map(this.#own.map((input) => [input.object, this.#greet(input)]));
  }

  #greet(input: InputObject): Outcome {
    const { report } = reporterFor(input, this.reports);
    const name = getAt(input.object, ['spec', 'name']);
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

function substituted(value: Value, name: string): Value {
  if (typeof value === 'string') return value.replaceAll('$name', name);
  if (Array.isArray(value)) return value.map((one) => substituted(one, name));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, substituted(one, name)]));
}
