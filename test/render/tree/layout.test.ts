import { describe, expect, it } from 'vitest';
import { parseLayout } from '../../../src/render/tree/place.ts';

const faultOf = (template: string, form: 'yaml' | 'json' = 'yaml'): string => {
  const layout = parseLayout(template, form);
  return 'fault' in layout ? layout.fault : '';
};

describe('a layout', () => {
  it('has folders and a file', () => {
    expect(parseLayout('teams/{namespace}-x/{kind}-{name}.yml', 'yaml')).toEqual({
      folders: [[{ text: 'teams' }], [{ field: 'namespace' }, { text: '-x' }]],
      file: [{ field: 'kind' }, { text: '-' }, { field: 'name' }],
      extension: '.yml',
    });
    expect(parseLayout('', 'json')).toMatchObject({ folders: [[{ field: 'namespace' }]], extension: '.json' });
  });

  const BELOW = 'a layout must be a path below the folder, without empty names, . and ..';
  const UNCLOSED = 'a brace of a layout is not closed, or was not opened';
  it.each([
    ['{kind}-{name}', 'a layout must end with .yaml or .yml'],
    ['{kind}-{name}.json', 'a layout must end with .yaml or .yml'],
    ['/{kind}-{name}.yaml', BELOW],
    ['../{kind}-{name}.yaml', BELOW],
    ['a//{kind}-{name}.yaml', BELOW],
    ['{kind}/.yaml', BELOW],
    ['{namespace}/{kind}.yaml', 'a layout must contain {kind} and {name}: each object has its own file'],
    ['{kind}-{nam}.yaml', "unknown field {nam} in the layout: did you mean 'name'?"],
    ['{kind}-{name}-{}.yaml', 'unknown field {} in the layout: there are {namespace}, {kind}, {name}'],
    ['{kind}-{name.yaml', UNCLOSED],
    ['{kind}-name}.yaml', UNCLOSED],
    ['{folder}-{kind}-{name}.yaml', '{folder} is allowed for folders only, not in the name of a file'],
  ])('%s is rejected', (template, fault) => expect(faultOf(template)).toContain(fault));

  it('has the extension of the output format', () => {
    expect(faultOf('{kind}-{name}.yaml', 'json')).toBe('a layout must end with .json');
  });
});
