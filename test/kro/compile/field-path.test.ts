import { describe, expect, it, test } from 'vitest';
import { render } from '../../../src/api/index.ts';
import { keyOutOfReach } from '../../../src/kro/compile/template-program.ts';

const KEYS = ['a[0]', 'a[', '[a', '[0]', 'a."b', 'a."]', '."', 'a".b', '["x"]', 'x["y"]', 'a[b]', '[ 0]'];
const FINE = ['', '.', '..', 'a.b', 'a.[0]', 'a.b]', 'a]', 'a"b', '"', "a'b", "a.'b", 'a\\.b', 'é', ' ', 'a\nb'];

/** kro writes the path of an expression as text (parser.joinPathAndFieldName) ... */
const build = (keys: readonly string[]): string =>
  keys.reduce((path, key) => {
    if (key === '' || key.includes('.')) return `${path}["${key}"]`;
    return path === '' ? key : `${path}.${key}`;
  }, '');

/** ... and parses it again (fieldpath.Parse): the steps, `undefined` if it fails. */
function parse(path: string): (string | number)[] | undefined {
  const steps: (string | number)[] = [];
  let rest = path;
  while (rest !== '') {
    const quoted = /^\["([^"]*)"\]/.exec(rest);
    const plain = /^[^.[]+/.exec(rest);
    if (rest.startsWith('["')) {
      if (quoted === null) return undefined;
      steps.push(quoted[1] as string);
      rest = rest.slice(quoted[0].length);
    } else if (!rest.startsWith('[')) {
      if (plain === null) return undefined;
      steps.push(plain[0]);
      rest = rest.slice(plain[0].length);
    }
    if (rest.startsWith('[') && !rest.startsWith('["')) {
      const index = /^\[([+-]?\d+)\]/.exec(rest);
      if (index === null) return undefined;
      steps.push(Number(index[1]));
      rest = rest.slice(index[0].length);
    }
    if (rest.startsWith('.')) rest = rest.slice(1);
  }
  return steps;
}

describe('a key that kro cannot look up', () => {
  it.each(KEYS)('is %j', (key) => expect(keyOutOfReach(['data', 0, key, 'x'])).toBe(key));
  it.each(FINE)('is not %j', (key) => expect(keyOutOfReach(['data', 0, key, 'x'])).toBeUndefined());

  test('is a key whose path is parsed differently', () => {
    const signs = ['', 'a', '.', '[', ']', '"', '0'];
    const keys = signs.flatMap((a) => signs.flatMap((b) => signs.flatMap((c) => signs.map((d) => a + b + c + d))));
    for (const key of keys) {
      const isFound = JSON.stringify(parse(build(['data', key, 'x']))) === JSON.stringify(['data', key, 'x']);
      expect([key, keyOutOfReach(['data', key, 'x'])]).toEqual([key, isFound ? undefined : key]);
    }
  });
});

function rendered(node: string, status = '{}'): string[] {
  const rgd = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: r}
spec: {schema: {apiVersion: v1, kind: App, spec: {name: string}, status: ${status}}, resources: [${node}]}
`;
  const app = 'apiVersion: kro.run/v1\nkind: App\nmetadata: {name: one, namespace: team}\nspec: {name: v}\n';
  const { objects, diagnostics } = render({ objects: [{ file: 'a.yaml', text: `${rgd}---\n${app}` }] });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length > 0
    ? errors.map(({ code, field, message }) => `${code} ${field}: ${message}`)
    : objects.map((object) => JSON.stringify(object.data ?? {}));
}

const configMap = (key: string, value: string, more = ''): string =>
  `{id: a, ${more}template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {${JSON.stringify(key)}: "${value}"}}}`;

describe('an expression below such a key', () => {
  it.each(KEYS)('is an error, not a value: %j', (key) => {
    const place = `evaluation spec.resources[0].template.data[${JSON.stringify(key)}]: `;
    const reason = `kro cannot fill the field: it does not find the key [${JSON.stringify(key)}] again`;
    for (const value of ['${schema.spec.name}', 'x-${schema.spec.name}']) {
      const [error, ...others] = rendered(configMap(key, value));
      expect(error).toContain(place);
      expect(error).toContain(reason);
      expect(others).toEqual([]);
    }
  });

  test('is an error in a collection', () => {
    const node = configMap('a[0]', '${i}', `forEach: [{i: "\${['p', 'q']}"}], `).replace('name: x', 'name: "${i}"');
    expect(rendered(node)[0]).toContain('kro cannot fill the field');
  });

  test('is not an error if the node is skipped, or the value is a literal', () => {
    expect(rendered(configMap('a[0]', '${schema.spec.name}', 'includeWhen: ["${false}"], '))).toEqual([]);
    expect(rendered(configMap('a[0]', 'plain'))).toEqual(['{"a[0]":"plain"}']);
  });

  test('is an error in the status', () => {
    const status = (key: string): string => `{q: {${JSON.stringify(key)}: "\${a.metadata.name}"}}`;
    expect(rendered(configMap('k', 'v'), status('a[0]'))).toEqual([
      'status-type spec.schema.status.q["a[0]"]: kro cannot fill a field below the key ["a[0]"]',
    ]);
    expect(rendered(configMap('k', 'v'), status('a.b'))).toEqual(['{"k":"v"}']);
  });
});

test('an expression below an empty key has the type of the parent, as in kro', () => {
  expect(rendered(configMap('', '${schema.spec.name}'))[0]).toMatch(/^field-type .*expected map\(string, string\)/);
  expect(rendered(configMap('', 'plain'))).toEqual(['{"":"plain"}']);
});
