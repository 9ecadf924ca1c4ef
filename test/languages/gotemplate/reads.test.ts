import { describe, expect, it } from 'vitest';
import { compileTemplate, readsOf } from '../../../src/languages/gotemplate/index.ts';

const functions = (name: string) =>
  name === 'inputs' ? { parameters: [], variadic: false, call: () => null } : undefined;

/** Returns the paths that a template reads of `inputs`, in one line. */
function paths(text: string): string {
  const template = compileTemplate(text, { left: '<<', right: '>>' }, functions);
  const found = (readsOf([template], 'inputs')[0] ?? []).map(({ path }) => path.join('.'));
  return [...new Set(found)].sort().join(' ');
}

describe('the fields that a template reads of an input', () => {
  it.each([
    ['plain', ''],
    ['<< inputs.a >>', 'a'],
    ['<< (inputs).a.b | quote >>', 'a.b'],
    ['<< get inputs "a-b" >>', 'a-b'],
    ['<< (get inputs "a").b >>', 'a.b'],
    ['<< index inputs "a" "é" >>', 'a.é'],
    ['<< dig "a" "b" "none" inputs >>', 'a.b'],
    ['<< if hasKey inputs "a" >>x<< end >>', 'a'],
    ['<< (pick inputs "a" "b") | toJson >>', 'a b'],
    ['<< $x := inputs >><< $x.a >>', 'a'],
    ['<< $x := inputs.a >>', ''],
    ['<< $x := inputs.a >><< $y := printf "%s" $x >><< $y >>', 'a'],
    ['<< $x := "" >><< if true >><< $x = inputs.a >><< end >><< $x >>', 'a'],
    ['<< $x := inputs.b >><< range list 1 2 >><< $x >><< $x = inputs.a >><< end >>', 'a b'],
    ['<< with inputs.a >><< .b >><< else >><< inputs.c >><< end >>', 'a a.b c'],
    ['<< range inputs.a >><< .b >><< end >>', 'a'],
    ['<< range $k, $v := inputs.a >><< $k >><< end >>', 'a'],
    ['<< define "t" >><< .b >><< $.c >><< end >><< template "t" inputs.a >>', 'a.b a.c'],
    ['<< define "t" >><< inputs.a >><< end >>', 'a'],
    ['<< range $k := list "a" "b" >><< index inputs $k >><< end >>', ''],
    ['<< $d := dict "k" inputs.a >><< $d.k >>', 'a'],
    ['<< $d := dict >><< $e := $d >><< $_ := set $d "k" inputs.a >><< $e.k >>', 'a'],
    ['<< $_ := set inputs "k" inputs.a >><< inputs.k >>', 'a k'],
    [
      '<< $x := inputs >><< range list 1 2 >><< $x = $x.a >><< end >><< with $x >><< .b >><< end >>',
      expect.any(String),
    ],
  ])('%s', (text, read) => {
    expect(paths(text)).toEqual(read);
  });

  it('are all fields if the key is computed, or if the whole input is printed', () => {
    for (const text of ['<< toJson inputs >>', '<< index inputs (print "a" "b") >>', '<< keys inputs >>']) {
      const template = compileTemplate(text, { left: '<<', right: '>>' }, functions);
      expect(
        readsOf([template], 'inputs')[0]?.map(({ path }) => path),
        text,
      ).toEqual([[]]);
    }
  });

  it('are known after a template that sets a field', () => {
    const [first, second] = ['<< $_ := set inputs "k" inputs.a >>', '<< inputs.k >>'].map((text) =>
      compileTemplate(text, { left: '<<', right: '>>' }, functions),
    );
    const reads = readsOf(
      [first, second].flatMap((one) => one ?? []),
      'inputs',
    );
    expect(reads[1]?.map(({ path }) => path)).toContainEqual(['a']);
  });
});
