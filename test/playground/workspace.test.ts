import { describe, expect, it } from 'vitest';
import { templatesIn } from '../../playground/editor/templates.ts';
import { zipOf } from '../../playground/state/archive.ts';
import { roleOf, Workspace } from '../../playground/state/workspace.ts';
import { nameFault } from '../../src/cli/playground/limits.ts';

const file = (name: string, text = '') => ({ name, text, role: 'objects' as const });

describe('the files of the playground', () => {
  it('have a role by name', () => {
    expect(['site.yaml', 'observed.yaml', 'a/live.yaml', 'inputs.yaml', 'definitions/a.yaml'].map(roleOf)).toEqual([
      'objects',
      'observed',
      'observed',
      'inputs',
      'definitions',
    ]);
  });

  it('select the neighbour of a deleted file', () => {
    const workspace = new Workspace({ files: [file('a'), file('b'), file('c')], options: {} }, 'b');
    workspace.remove('b');
    expect(workspace.active).toBe('c');
    workspace.remove('c');
    expect(workspace.active).toBe('a');
    workspace.remove('a');
    expect(workspace.active).toBe('');
  });

  it('stay open if they are renamed', () => {
    const workspace = new Workspace({ files: [file('a', 'text')], options: {} });
    const changes: string[] = [];
    workspace.listen((change) => changes.push(change));
    workspace.rename('a', 'b');
    workspace.setText('b', 'text');
    workspace.setText('b', 'other');
    expect([workspace.active, workspace.file('b')?.text, changes]).toEqual(['b', 'other', ['files', 'text']]);
  });

  it('have names that are relative paths', () => {
    expect(nameFault('apps/site.yaml', [])).toBeUndefined();
    for (const name of ['', '/a', 'a//b', '../a', 'a/.', 'a\\b', 'a\nb', 'x'.repeat(201)]) {
      expect(nameFault(name, []), JSON.stringify(name)).toBeDefined();
    }
    expect(nameFault('a', ['a'])).toBe('there is a file a');
  });
});

describe('the archive', () => {
  it('names every entry in its directory', () => {
    const bytes = zipOf([file('a.yaml', 'a: 1\n'), file('b/ü.yaml', '')]);
    const view = new DataView(bytes.buffer);
    const end = bytes.length - 22;
    expect(view.getUint32(end, true)).toBe(0x06054b50);
    expect(view.getUint16(end + 10, true)).toBe(2);
    const directory = view.getUint32(end + 16, true);
    expect(view.getUint32(directory, true)).toBe(0x02014b50);
    // The checksum of Python's zlib.crc32.
    expect(view.getUint32(directory + 16, true)).toBe(3810728297);
    expect(new TextDecoder().decode(bytes)).toContain('b/ü.yaml');
  });
});

describe('the extraction of templates from a text', () => {
  const found = (text: string): string[] => templatesIn(text).map(({ from, to }) => text.slice(from, to));

  it('ends at the balanced closing brace', () => {
    expect(found('a: ${x.map(y, {"k": y})}-${z}')).toEqual(['${x.map(y, {"k": y})}', '${z}']);
    expect(found('a: ${"}" + \'}\'}')).toEqual(['${"}" + \'}\'}']);
  });

  it('finds nothing without a closing brace', () => {
    expect(found('a: ${x\nb: << inputs.x')).toEqual([]);
    expect(found('<< a <<b>>')).toEqual(['<<b>>']);
  });
});
