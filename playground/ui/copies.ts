import type { App } from '../app.ts';
import type { PackageFile, PackageOptions, Role } from '../engine/protocol.ts';

/** Copies the package as a shell command, as a golden test, or as the text of an issue. */
export async function copyAs(
  { workspace, engine, problems, shown, notify }: App,
  what: 'command' | 'test' | 'issue',
): Promise<void> {
  const { files, options } = workspace.contents;
  const output = shown()
    .objects.map(({ yaml }) => yaml)
    .join('---\n');
  const text =
    what === 'command'
      ? commandOf(files, options)
      : what === 'test'
        ? testOf(files, options, output)
        : issueOf(
            files,
            options,
            output,
            problems().map(
              ({ severity, code, file, line, message }) =>
                `${file ?? ''}:${line ?? ''} ${severity}[${code}] ${message}`,
            ),
            engine.version,
          );
  try {
    await navigator.clipboard.writeText(text);
    notify(`It is in the clipboard, ${text.split('\n').length} lines.`);
  } catch {
    notify('The browser does not let this page write to the clipboard.');
  }
}

const quoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Returns commands that write a file, whatever it contains. */
function writing({ name, text }: { readonly name: string; readonly text: string }): string {
  let end = 'EOF';
  while (text.split('\n').includes(end)) end += '_';
  const folder = name.includes('/') ? `mkdir -p ${quoted(name.replace(/\/[^/]*$/, ''))}\n` : '';
  return `${folder}cat > ${quoted(name)} <<'${end}'\n${text.endsWith('\n') ? text : `${text}\n`}${end}\n`;
}

const named = (files: readonly PackageFile[], role: Role): string[] =>
  files.filter((file) => file.role === role).map(({ name }) => name);

function flagsOf(
  files: readonly PackageFile[],
  { namespace, onPending, strict, assumeEmptyStatus, kro, experimental }: PackageOptions,
): string {
  return [
    ...named(files, 'objects').map(quoted),
    ...named(files, 'definitions').map((name) => `--definitions ${quoted(name)}`),
    ...named(files, 'observed').map((name) => `--observed ${quoted(name)}`),
    ...named(files, 'inputs').map((name) => `--inputs-from ${quoted(name)}`),
    ...(namespace === undefined ? [] : [`--namespace ${quoted(namespace)}`]),
    ...(onPending === undefined ? [] : [`--on-pending ${onPending}`]),
    ...(strict ? ['--strict'] : []),
    ...(assumeEmptyStatus ? ['--assume-empty-status'] : []),
    ...(kro === undefined ? [] : [`--kro ${kro}`]),
    ...(experimental ?? []).map((feature) => `--experimental ${feature}`),
  ].join(' ');
}

const commandOf = (files: readonly PackageFile[], options: PackageOptions): string =>
  `${files.map(writing).join('')}render-rgd render ${flagsOf(files, options)}\n`;

/** Returns commands that write the folder of a golden test. */
function testOf(files: readonly PackageFile[], options: PackageOptions, output: string): string {
  const list = (key: string, names: readonly string[]): string =>
    names.length === 0 ? '' : `${key}: ${JSON.stringify(names)}\n`;
  const settings = [
    list('definitions', named(files, 'definitions')),
    list('input', named(files, 'objects')),
    ...Object.entries(options).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`),
  ].join('');
  const written = [...files, { name: 'test.yaml', text: settings }, { name: 'expected.yaml', text: output }];
  return `mkdir -p tests/from-playground && cd tests/from-playground\n${written.map(writing).join('')}`;
}

function issueOf(
  files: readonly PackageFile[],
  options: PackageOptions,
  output: string,
  problems: readonly string[],
  version: string,
): string {
  const fenced = (text: string, language: string): string => {
    const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
    const fence = '`'.repeat(longest + 1);
    return `${fence}${language}\n${text.endsWith('\n') ? text : `${text}\n`}${fence}\n`;
  };
  const parts = [
    `render-rgd ${version}: \`render-rgd render ${flagsOf(files, options)}\`\n`,
    ...files.map(({ name, text }) => `\`${name}\`\n\n${fenced(text, 'yaml')}`),
    ...(problems.length === 0 ? [] : [`Diagnostics\n\n${fenced(problems.join('\n'), '')}`]),
    `Output\n\n${fenced(output, 'yaml')}`,
    'What I expected:\n',
  ];
  return parts.join('\n');
}
