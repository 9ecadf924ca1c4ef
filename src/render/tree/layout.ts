import { didYouMean } from '../../core/text/nearest.ts';

/** The fields of an object that a layout may name. */
const FIELDS = ['namespace', 'kind', 'name', 'group', 'version', 'instance', 'folder'] as const;
export type Field = (typeof FIELDS)[number];

/** A segment of a path: texts and fields in turn. */
export type Segment = readonly ({ text: string } | { field: Field })[];

/** The path of a file: folders from the outermost on, then the file without its extension. */
export interface Layout {
  folders: readonly Segment[];
  file: Segment;
  extension: string;
}

const DEFAULT_LAYOUT = '{namespace}/{kind}-{name}';
const EXTENSIONS = { yaml: ['.yaml', '.yml'], json: ['.json'] } as const;

/**
 * Parses a layout such as `{namespace}/{kind}-{name}.yaml`; '' is the default. A layout must contain kind and name, and
 * its extension must match the format.
 */
export function parseLayout(template: string, form: 'yaml' | 'json'): Layout | { fault: string } {
  const text = template === '' ? `${DEFAULT_LAYOUT}.${form}` : template;
  const extension = EXTENSIONS[form].find((one) => text.endsWith(one));
  if (extension === undefined) return { fault: `a layout must end with ${EXTENSIONS[form].join(' or ')}` };
  const names = text.slice(0, -extension.length).split('/');
  if (names.some((name) => name === '' || /^\.+$/.test(name))) {
    return { fault: 'a layout must be a path below the folder, without empty names, . and ..' };
  }
  const segments: Segment[] = [];
  for (const name of names) {
    const segment = parseSegment(name);
    if ('fault' in segment) return segment;
    segments.push(segment.parts);
  }
  const file = segments.pop() ?? [];
  const used = new Set([...segments.flat(), ...file].flatMap((part) => ('field' in part ? [part.field] : [])));
  if (!used.has('kind') || !used.has('name')) {
    return { fault: 'a layout must contain {kind} and {name}: each object has its own file' };
  }
  if (file.some((part) => 'field' in part && part.field === 'folder')) {
    return { fault: '{folder} is allowed for folders only, not in the name of a file' };
  }
  return { folders: segments, file, extension };
}

function parseSegment(name: string): { parts: Segment } | { fault: string } {
  const parts: ({ text: string } | { field: Field })[] = [];
  for (const [, text, field] of name.matchAll(/([^{}]+)|\{([^{}]*)\}|[{}]/g)) {
    if (text !== undefined) parts.push({ text });
    else if (field === undefined) return { fault: 'a brace of a layout is not closed, or was not opened' };
    else if (isField(field)) parts.push({ field });
    else {
      const hint = didYouMean(field, FIELDS) ?? `there are ${FIELDS.map((one) => `{${one}}`).join(', ')}`;
      return { fault: `unknown field {${field}} in the layout: ${hint}` };
    }
  }
  return { parts };
}

const isField = (name: string): name is Field => (FIELDS as readonly string[]).includes(name);
