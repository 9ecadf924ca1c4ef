import { textDigest } from '../../core/digest/hashes.ts';
import { groupVersionKind, type KubeObject, nameOf, namespaceOf } from '../../core/model/object.ts';
import { didYouMean } from '../../core/text/nearest.ts';
import { byteLength } from '../../core/text/utf8.ts';

/** In bytes. File systems allow 255; encrypted ones allow 143, and Windows about 260 for a whole path. */
export const MAX_SEGMENT = 120;

/** Characters that Windows or a shell rejects in a name, control characters, and unpaired surrogates. */
const REFUSED = /[<>:"/\\|?*%\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Device names of Windows: with any extension, in any case. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00B9\u00B2\u00B3]|lpt[0-9\u00B9\u00B2\u00B3])(?=[. ]|$)/i;

/** Most names: nothing in them is refused anywhere, and a byte for each character. */
const USUAL = /^[A-Za-z0-9_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;

/** Returns the first eight hexadecimal digits of the SHA-256 of a text, which distinguish similar names. */
const shortDigest = (text: string): string => textDigest(text, 8);

/** Returns a name that every file system accepts, and whether it was changed. */
export function safeSegment(text: string, reserved = 0): { text: string; changed: boolean } {
  if (text.length <= MAX_SEGMENT - reserved && USUAL.test(text) && !DEVICE.test(text)) return { text, changed: false };
  const clean = text
    .replace(REFUSED, '_')
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, (ends) => '_'.repeat(ends.length))
    .replace(DEVICE, '$&_');
  const short = shortened(clean, MAX_SEGMENT - reserved);
  return { text: short, changed: short !== text };
}

function shortened(text: string, bytes: number): string {
  if (byteLength(text) <= bytes) return text;
  let short = '';
  let length = 0;
  for (const character of text) {
    length += byteLength(character);
    if (length > bytes) break;
    short += character;
  }
  // The end of the truncated name may be invalid.
  return short.replace(/(?<![. ])[. ]+$/, (ends) => '_'.repeat(ends.length));
}

export interface Placeable {
  object: KubeObject;
  /** The name of the outermost instance that rendered it; '' for others. */
  instance: string;
  /** The folder of its input file below the named folder, with `/`; '' for none. */
  folder: string;
}

interface Placed<T extends Placeable = Placeable> {
  path: string;
  item: T;
}

/** The length of `-` and the digits that distinguish names. */
const SUFFIX = 9;

/**
 * Assigns a file to each object. Names that a file system rejects, that differ in case only, or that are folders get
 * digits. `clashes` are objects with the same group, kind, namespace and name.
 */
export function placeObjects<T extends Placeable>(
  items: readonly T[],
  layout: Layout,
): { placed: Placed<T>[]; clashes: Placed<T>[] } {
  const drafts = items.map((item) => draftOf(item, layout));
  const files = new Map<string, number>();
  const folders = new Set<string>();
  for (const { key } of drafts) {
    files.set(key, (files.get(key) ?? 0) + 1);
    for (let at = key.indexOf('/'); at >= 0; at = key.indexOf('/', at + 1)) folders.add(key.slice(0, at));
  }
  const seen = new Set<string>();
  const clashes: Placed<T>[] = [];
  const placed = drafts.map((draft) => {
    const { item } = draft;
    const isShared = (files.get(draft.key) ?? 0) > 1 || folders.has(draft.key);
    const path = isShared ? draft.distinct() : draft.path;
    const key = isShared ? folded(path) : draft.key;
    const one = { path, item };
    if (seen.has(key) || folders.has(key)) clashes.push(one);
    seen.add(key);
    return one;
  });
  return { placed, clashes };
}

/** Returns what a case-insensitive file system treats as the same path. */
export const folded = (path: string): string => path.normalize('NFC').toLowerCase();

interface Draft<T> {
  item: T;
  path: string;
  key: string;
  distinct: () => string;
}

function draftOf<T extends Placeable>(item: T, layout: Layout): Draft<T> {
  const values = valuesOf(item);
  const folders = foldersOf(layout, values);
  const { group, kind } = groupVersionKind(item.object);
  const reserved = SUFFIX + layout.extension.length;
  const { text, changed } = safeSegment(textOf(layout.file, values), reserved);
  const digits = (): string => shortDigest([group, kind, values.namespace, values.name].join('/'));
  const distinct = (): string => `${folders}${text}-${digits()}${layout.extension}`;
  const path = changed ? distinct() : `${folders}${text}${layout.extension}`;
  return { item, path, key: folded(path), distinct };
}

function foldersOf(layout: Layout, values: Values): string {
  let path = '';
  for (const segment of layout.folders) {
    for (const name of textOf(segment, values).split('/')) {
      if (name === '') continue;
      const { text, changed } = safeSegment(name, SUFFIX);
      path += changed ? `${text}-${shortDigest(name)}/` : `${text}/`;
    }
  }
  return path;
}

type Values = Readonly<Record<Field, string>>;

function textOf(segment: Segment, values: Values): string {
  let text = '';
  for (const part of segment) text += 'text' in part ? part.text : values[part.field];
  return text;
}

function valuesOf({ object, instance, folder }: Placeable): Values {
  const { group, version, kind } = groupVersionKind(object);
  return {
    namespace: namespaceOf(object),
    kind: kind.toLowerCase(),
    name: nameOf(object),
    group: group === '' ? 'core' : group,
    version,
    instance,
    folder,
  };
}

/** The fields of an object that a layout may name. */
const FIELDS = ['namespace', 'kind', 'name', 'group', 'version', 'instance', 'folder'] as const;
type Field = (typeof FIELDS)[number];

type Segment = readonly ({ text: string } | { field: Field })[];

/** The path of a file: folders from the outermost on, then the file without its extension. */
export interface Layout {
  folders: readonly Segment[];
  file: Segment;
  extension: string;
}

const DEFAULT_LAYOUT = '{namespace}/{kind}-{name}';
const EXTENSIONS = { yaml: ['.yaml', '.yml'], json: ['.json'] } as const;

/** Parses a layout such as `{namespace}/{kind}-{name}.yaml`; '' is the default. */
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
