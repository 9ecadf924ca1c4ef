const RESERVED = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var ' +
    'void while'
  ).split(' '),
);

const ESCAPES: Readonly<Record<string, string>> = { underscores: '__', dot: '.', dash: '-', slash: '/' };

/**
 * Returns the data key of a field of a declared object (k8s.io/apiserver/pkg/cel Unescape): `a__dash__b` is `a-b`,
 * `__namespace__` is `namespace`. A name with an unknown escape is unchanged.
 */
export function rawFieldName(name: string): string {
  if (!name.includes('__')) return name;
  const whole = /^__([a-z]+)__$/.exec(name)?.[1];
  if (whole !== undefined && RESERVED.has(whole)) return whole;
  return name.replace(/__([^_]+)__/g, (all, word: string) =>
    Object.hasOwn(ESCAPES, word) ? (ESCAPES[word] ?? all) : all,
  );
}

const ESCAPED: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/**
 * Returns a property name as a CEL identifier (k8s.io/apiserver/pkg/cel Escape): `a-b` is `a__dash__b`, `namespace` is
 * `__namespace__`. `undefined` if the name cannot be written.
 */
export function escapedFieldName(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_.\-/]*$/.test(name)) return undefined;
  if (RESERVED.has(name)) return `__${name}__`;
  return name.replace(/__|[.\-/]/g, (part) => ESCAPED[part] as string);
}
