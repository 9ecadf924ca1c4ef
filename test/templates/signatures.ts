/** The kinds of arguments and results of functions in generated templates. */
export type Kind =
  | 'string'
  /** A Go int: a literal, or an expression. */
  | 'int'
  /** Any number. */
  | 'number'
  | 'float'
  | 'bool'
  | 'list'
  | 'map'
  | 'time'
  | 'pattern'
  | 'any';

export interface Signature {
  name: string;
  takes: readonly Kind[];
  /** Any number of these may follow. */
  more?: Kind;
  gives: Kind;
}

const KINDS: Record<string, Kind> = {
  s: 'string',
  i: 'int',
  n: 'number',
  f: 'float',
  b: 'bool',
  l: 'list',
  m: 'map',
  t: 'time',
  p: 'pattern',
  a: 'any',
};

/** `NAMES ARGUMENTS>RESULT`, one letter each; a letter before `*` may be repeated. */
const TABLE = `
and,or a a*>a
not a>b
html,js,urlquery,print,println a*>s
index l i>a
index m s>a
len l>i
len s>i
eq,ne s s>b
eq,ne n n>b
lt,le,gt,ge i i>b
lt,le,gt,ge s s>b
eq a a a*>b
default a a>a
empty a>b
coalesce a*>a
all,any a*>b
ternary a a b>a
trunc i s>s
trim,upper,lower,title s>s
substr i i s>s
repeat i s>s
trimall,trimAll,trimSuffix,trimPrefix s s>s
contains,hasPrefix,hasSuffix s s>b
quote,squote,cat a*>s
indent,nindent i s>s
replace s s s>s
plural s s i>s
sha1sum,sha256sum,adler32sum,b64enc,b64dec,b32enc,b32dec s>s
toString a>s
toStrings a>l
atoi s>i
int a>i
int64 a>n
float64 a>f
seq i*>s
toDecimal a>n
split s s>m
splitn s i s>m
splitList s s>l
until i>l
untilStep i i i>l
add n*>n
add1 n>n
sub,div,mod n n>n
mul,max,min,biggest n n*>n
maxf,minf n n*>f
ceil,floor n>f
round n i>f
round n i f>f
join s l>s
sortAlpha l>l
compact,mustCompact,uniq,mustUniq,reverse,mustReverse,rest,mustRest,initial,mustInitial l>l
first,mustFirst,last,mustLast l>a
append,mustAppend,push,mustPush,prepend,mustPrepend l a>l
without,mustWithout l a*>l
has,mustHas a l>b
slice,mustSlice l i>l
slice l i i>l
concat l l*>l
chunk,mustChunk i l>l
list,tuple a*>l
dict s a s a>m
dict a*>m
get m s>a
set m s a>m
unset m s>m
hasKey m s>b
pluck s m*>l
pick,omit m s*>m
dig s a m>a
dig s s a m>a
fromJson s>a
toJson,toPrettyJson,toRawJson,mustToJson,mustToPrettyJson,mustToRawJson a>s
mustFromJson s>a
typeOf,kindOf a>s
typeIs,kindIs,typeIsLike s a>b
deepEqual a a>b
base,dir,clean,ext,osBase,osDir,osClean,osExt s>s
isAbs,osIsAbs s>b
fail s>s
regexMatch,mustRegexMatch p s>b
regexFind,mustRegexFind p s>s
regexFindAll,mustRegexFindAll,regexSplit,mustRegexSplit p s i>l
regexReplaceAll,mustRegexReplaceAll,regexReplaceAllLiteral,mustRegexReplaceAllLiteral p s s>s
regexQuoteMeta s>s
urlParse s>m
urlJoin m>s
duration a>s
durationRound s>s
durationRound n>s
toDate,mustToDate s s>t
unixEpoch t>s
mustDateModify,must_date_modify s t>t
hello >s
slugify s>s
toYaml,mustToYaml a>s
call a>a
`;

/** Functions to draw from; one with several signatures is listed several times. */
export const signatures: readonly Signature[] = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [, names = '', takes = '', gives = ''] = /^(\S+) (.*)>(\w)$/.exec(line) ?? [];
    const parts = takes.split(' ').filter((part) => part !== '');
    const more = parts.at(-1)?.endsWith('*') === true ? KINDS[parts.pop()?.charAt(0) ?? ''] : undefined;
    const kinds = parts.map((part) => KINDS[part] as Kind);
    return names.split(',').map((name) => ({
      name,
      takes: kinds,
      ...(more !== undefined && { more }),
      gives: KINDS[gives] as Kind,
    }));
  });

/** What is not drawn, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  ago: 'needs a clock',
  randInt: 'gives a number by chance',
  keys: 'gives keys in an order by chance: drawn as `keys ... | sortAlpha`',
  values: 'gives values in an order by chance: drawn with maps of one key',
  printf: 'has a generator of its own',
};
