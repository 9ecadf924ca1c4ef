import { argumentName, choicesOf, optionsOf, parseArguments, type Where } from '../options/index.ts';
import { refuse } from './gather.ts';
import { exitCode, type Io } from './io.ts';

/** What there is to complete. */
type Commands = Readonly<Record<string, { summary: string; takes?: Where }>>;

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** `render-rgd completion bash|zsh|fish` */
export async function completionCommand(commands: Commands, args: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(args, 'completion');
  if ('fault' in parsed) return refuse(parsed.fault, io);
  const [shell, ...rest] = parsed.paths;
  if (shell === undefined || rest.length > 0) return refuse(`completion needs one of ${SHELLS.join(', ')}`, io);
  const script = Object.hasOwn(scripts, shell) ? scripts[shell as (typeof SHELLS)[number]] : undefined;
  if (script === undefined) return refuse(`completion: '${shell}' is none of ${SHELLS.join(', ')}`, io);
  io.stdout([script(offered(commands))]);
  return exitCode.ok;
}

interface Flag {
  flag: string;
  short: string | undefined;
  takesValue: boolean;
  choices: readonly string[];
  description: string;
}

interface Offered {
  name: string;
  summary: string;
  /** Words that may stand first. */
  words: readonly string[];
  flags: readonly Flag[];
}

/** Words that are no paths, where a command has some. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  completion: SHELLS,
  plugin: ['discover', 'generate', 'parameters'],
  schema: ['rgd', 'config'],
};

function offered(commands: Commands): Offered[] {
  return Object.entries(commands).map(([name, { summary, takes = 'cli' }]) => ({
    name,
    summary,
    words: WORDS[name] ?? [],
    flags: flagsOf(takes),
  }));
}

const flagsOf = (takes: Where): Flag[] =>
  optionsOf(takes)
    .filter(([, option]) => option.not?.includes(takes) !== true)
    .map(([, option]) => ({
      flag: option.flag,
      short: option.short,
      takesValue: argumentName(option) !== '',
      choices: choicesOf(option, takes),
      description: option.description,
    }));

const namesOf = ({ flag, short }: Flag): string[] => (short === undefined ? [flag] : [flag, short]);

/** Texts of the tables in single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const scripts: Readonly<Record<(typeof SHELLS)[number], (all: readonly Offered[]) => string>> = {
  bash: (all) => `# bash completion for render-rgd: source <(render-rgd completion bash)
_render_rgd() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words=
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    COMPREPLY=( $(compgen -W ${quoted([...all.map(({ name }) => name), 'help', '--help', '--version'].join(' '))} -- "$cur") )
    return
  fi
  case "$command $prev" in
${all.flatMap(bashValues).join('')}  esac
  case $command in
${all.map(bashFlags).join('')}    help) words=${quoted(all.map(({ name }) => name).join(' '))} ;;
  esac
  if [[ $cur == -* ]] || { (( COMP_CWORD == 2 )) && [[ " $words" != ' -'* ]]; }; then
    COMPREPLY=( $(compgen -W "$words" -- "$cur") )
  fi
}
complete -o default -F _render_rgd render-rgd
`,
  zsh: (all) => `#compdef render-rgd
# zsh completion for render-rgd: render-rgd completion zsh >"\${fpath[1]}/_render-rgd"
_render_rgd() {
  local -a commands
  commands=(
${all.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}\n`).join('')}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT -= 1 ))
  case $command in
${all.map(zshFlags).join('')}    help) _arguments '1:command:(${all.map(({ name }) => name).join(' ')})' ;;
  esac
}
if [[ $funcstack[1] == _render-rgd ]]; then _render_rgd "$@"; elif (( $+functions[compdef] )); then compdef _render_rgd render-rgd; fi
`,
  fish: (all) => `# fish completion for render-rgd: render-rgd completion fish | source
set -l commands ${all.map(({ name }) => name).join(' ')} help
${all.map(({ name, summary }) => `complete -c render-rgd -f -n "not __fish_seen_subcommand_from $commands" -a ${name} -d ${fishQuoted(summary)}\n`).join('')}complete -c render-rgd -f -n '__fish_seen_subcommand_from help' -a ${quoted(all.map(({ name }) => name).join(' '))}
${all.flatMap(fishFlags).join('')}`,
};

function bashValues({ name, flags }: Offered): string[] {
  return flags.flatMap((flag) => {
    if (!flag.takesValue) return [];
    const patterns = namesOf(flag)
      .map((one) => quoted(`${name} ${one}`))
      .join('|');
    const action =
      flag.choices.length === 0
        ? 'return'
        : `COMPREPLY=( $(compgen -W ${quoted(flag.choices.join(' '))} -- "$cur") ); return`;
    return [`    ${patterns}) ${action} ;;\n`];
  });
}

const bashFlags = ({ name, words, flags }: Offered): string =>
  `    ${name}) words=${quoted([...words, ...flags.flatMap(namesOf), '--help'].join(' '))} ;;\n`;

function zshFlags({ name, words, flags }: Offered): string {
  const described = (text: string): string => text.replace(/[[\]:\\]/g, (char) => `\\${char}`);
  const specs = flags.flatMap((flag) => {
    const values = flag.choices.length > 0 ? `:value:(${flag.choices.join(' ')})` : ':value:_files';
    return namesOf(flag).map((one) =>
      quoted(`*${one}[${described(flag.description)}]${flag.takesValue ? values : ''}`),
    );
  });
  const first = words.length > 0 ? [quoted(`1:word:(${words.join(' ')})`)] : [];
  const all = [...specs, quoted('--help[Show the options.]'), ...first, quoted('*:path:_files')];
  return `    ${name}) _arguments \\\n${all.map((spec) => `      ${spec}`).join(' \\\n')} ;;\n`;
}

const fishQuoted = (text: string): string => `'${text.replace(/[\\']/g, (char) => `\\${char}`)}'`;

function fishFlags({ name, words, flags }: Offered): string[] {
  const on = `complete -c render-rgd -n '__fish_seen_subcommand_from ${name}'`;
  const lines = flags.map(({ flag, short, takesValue, choices, description }) => {
    const names = `-l ${flag.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}`;
    const value = choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(' '))}` : takesValue ? ' -r' : '';
    return `${on} ${names}${value} -d ${fishQuoted(description)}\n`;
  });
  return words.length === 0 ? lines : [`${on} -a ${fishQuoted(words.join(' '))}\n`, ...lines];
}
