import { describe, expect, it } from 'vitest';
import { render } from '../../src/api/index.ts';

const base = 'apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: boats}\nspec:\n';
const template = (text: string, inputs = '{boat: {hull: 1}, name: tug, list: [a]}'): string =>
  `${base}  inputs: [${inputs}]\n  resourcesTemplate: |\n    ${text}\n`;

function hintOf(text: string): string | undefined {
  const { diagnostics } = render({ objects: [{ file: 'set.yaml', text }] });
  return diagnostics.find(({ severity }) => severity === 'error')?.hint;
}

describe('hints of templates', () => {
  it.each([
    ['<< inputs.boat.mast >>', 'a key that not all inputs have is read with get: get inputs.boat "mast"'],
    ['<< inputs.mast >>', 'a key that not all inputs have is read with get: get inputs "mast"'],
    ['<< $b := inputs.boat >><< $b.mast >>', 'a key that not all inputs have is read with get: get $b "mast"'],
    ['<< inputs.hull >>', 'it is in inputs.boat: write inputs.boat.hull'],
    ['<< inputs.name.first >>', 'the value is not a map, so it has no keys'],
    ['<< inputs.list.first >>', 'that is a list: read an item of it with index, or all of them with range'],
    ['<< inputs.boat.api-port >>', 'a key with a dash is read with index: index inputs.boat "api-port"'],
    ['<< inputs.api-port-name | quote >>', 'a key with a dash is read with index: index inputs "api-port-name"'],
    ['<< inputs.9lives.v >>', 'a key that begins with a digit is read with index: index inputs "9lives"'],
    ['<< .inputs.name >>', 'inputs is a function: write it without a dot before it'],
    ['<< .name >>', 'a dot alone has no value here: write inputs.name'],
    ['<< if inputs.name >>x', 'an if, range, with, block or define is open: end it with << end >>'],
    ['<< if inputs.name == "x" >><< end >>', 'operators are functions: eq A B'],
    ['<< if inputs.name || inputs.list >><< end >>', 'operators are functions: or A B'],
    ['<< if !inputs.name >><< end >>', 'operators are functions: not A'],
    ['<< inputs.boat.hull + 1 >>', 'operators are functions: add A B'],
    ['<< inputs.name = "x" >>', 'a variable is set with $name := VALUE, and values are compared with eq A B'],
    ['<< inputs.list[0] >>', 'read an item with index: index LIST 0, or index MAP "KEY"'],
    ['<< upper(inputs.name) >>', 'arguments follow a function without parentheses: NAME A B'],
    ['<< // all boats >>', 'a comment is <</* ... */>>'],
    ['<< for x in inputs.list >>', 'write range $item := LIST'],
    ['<< endif >>', 'write end'],
    ['<< else >>', 'an if, range, with or block is missing before it'],
    ['<< boat.hull | int >>', 'an input is read as inputs.boat.hull'],
    ['<< >>', 'the action between << and >>, or after a |, is empty'],
    ['<< inputs.name', 'close it with >>; write a literal << as << "<<" >>'],
    [
      '<< camelcase "a" >>',
      'the functions are those of slim-sprig (https://go-task.github.io/slim-sprig/), which are fewer than those of Sprig and Helm',
    ],
    [
      '<< regexFind "a(?=b)" "ab" >>',
      "Go's regular expressions know nothing that looks ahead or behind, and no backreferences",
    ],
  ])('%s', (text, hint) => {
    expect(hintOf(template(text))).toBe(hint);
  });

  it.each([
    ['n', /^YAML reads y, n, on, off, yes and no as booleans: put them in quotes; /],
    ['"n"', undefined],
    ['"<< 8080 >>"', /^quotes around an action do not reach the object: pipe its value through quote$/],
  ])('a namespace %s', (written, hint) => {
    const object = `{apiVersion: v1, kind: ConfigMap, metadata: {name: tug, namespace: ${written}}}`;
    const found = hintOf(`${base}  resources:\n    - ${object}\n`);
    if (hint === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(hint);
  });

  it('about a key repeat the whole name of its map, or show that it is cut', () => {
    const long = `$${'b'.repeat(200)}`;
    const hint = 'a key that not all inputs have is read with get: get';
    expect(hintOf(template(`<< ${long} := inputs.boat >><< ${long}.mast >>`))).toBe(`${hint} ${long} "mast"`);
    const longer = `$${'b'.repeat(2000)}`;
    const cut = `…${'b'.repeat(999)}`;
    expect(hintOf(template(`<< ${longer} := inputs.boat >><< ${longer}.mast >>`))).toBe(`${hint} ${cut} "mast"`);
  });

  it('about keys that YAML reads as booleans are sentences', () => {
    expect(hintOf(template('<< inputs.n >>', '{n: 3}'))).toMatch(/, "n"\. Otherwise, a key/);
  });

  it('about missing inputs and variables say where they would be defined', () => {
    const none = `${base}  resourcesTemplate: "<< (set inputs \\"a\\" 1).a >>"\n`;
    expect(hintOf(none)).toContain('inputs cannot be changed');
    const data = '{b: "<< $v := 1 >><< $v >>", a: "<< $v >>"}';
    const entry = `${base}  resources:\n  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: ${data}}\n`;
    expect(hintOf(entry)).toContain('keys are sorted');
    expect(hintOf(`${base}  inputs: [east]\n  resources: []\n`)).toBe('write it as key: value');
  });
});
