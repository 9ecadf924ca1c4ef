import table from '../../../data/file-types.json';

/** Texts, programs, pictures and archives: manifests in them are examples, or nothing applies them. */
const OTHERS: ReadonlySet<string> = new Set(table.others);

/** Languages that another tool renders to manifests. */
const TEMPLATES: ReadonlySet<string> = new Set(table.templates);

/** Returns the part of a name after its last dot, in lower case; '' if there is none. */
function extensionOf(file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Reports whether the name of a file says that it has no manifests. */
export const isOther = (file: string): boolean => OTHERS.has(extensionOf(file));

/** Reports whether the name of a file says that another tool renders it. */
export const isTemplate = (file: string): boolean => TEMPLATES.has(extensionOf(file));

/** The first bytes of programs and archives without an extension. */
const BINARY = ['\u007fELF', 'MZ', '\u00cf\u00fa\u00ed\u00fe', '\u001f\u008b', 'PK'];

/** What a JSON schema declares, whose examples may be objects. */
const JSON_SCHEMA = /"\$schema"[ \t]*:[ \t]*"https?:\/\/json-schema\.org\//;

/** Keys with a text or an action of a template. */
const API_VERSION = /(?:^|[^\w.-])["']?apiVersion["']?[ \t]*:[ \t]*(?:["']?[A-Za-z$<]|\{\{)/;
const KIND = /(?:^|[^\w.-])["']?kind["']?[ \t]*:[ \t]*(?:["']?[A-Za-z$<]|\{\{)/;

/** Reports whether a text seems to have Kubernetes objects. Bytes in any encoding that has ASCII may be read as Latin-1. */
export function seemsToHaveObjects(text: string): boolean {
  if (BINARY.some((start) => text.startsWith(start))) return false;
  // The characters of UTF-16 and UTF-32 have NUL between them.
  const letters = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return API_VERSION.test(letters) && KIND.test(letters) && !JSON_SCHEMA.test(letters);
}
