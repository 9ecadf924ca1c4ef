/** One fenced block of a Markdown page. */
export interface Block {
  /** The line of its opening fence, from 1. */
  line: number;
  language: string;
  /** The words after the language. */
  words: readonly string[];
  text: string;
  /** Whether only blank lines are between the block before and this one. */
  follows: boolean;
}

/** A step of a page, in order; CONTRIBUTING.md describes the rules for writers. */
export type Step =
  | { line: number; do: 'write'; file: string; text: string }
  | { line: number; do: 'run'; script: string; fails: boolean; expected?: { text: string; form: Form } };

/** The content of a block: stdout only, or everything that a terminal shows. */
export type Form = 'output' | 'terminal';

const FENCE = /^(?<fence>`{3,})\s*(?<language>\S*)\s*(?<words>.*?)\s*$/;
/** Hidden commands: a Markdown comment. */
const UNSEEN = '<!-- sh';

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { end: string; block: Block; lines: string[] } | undefined;
  let follows = false;
  markdown.split('\n').forEach((content, index) => {
    const opening = content === UNSEEN ? { fence: '-->', language: 'sh', words: '' } : FENCE.exec(content)?.groups;
    if (open !== undefined) {
      if (content.trimEnd() === open.end) {
        blocks.push({ ...open.block, text: open.lines.map((line) => `${line}\n`).join('') });
        open = undefined;
        follows = true;
      } else open.lines.push(content);
    } else if (opening !== undefined) {
      const { fence = '', language = '', words = '' } = opening;
      const block = { line: index + 1, language, words: words.split(' ').filter(Boolean), text: '', follows };
      open = { end: fence, block, lines: [] };
    } else if (content.trim() !== '') follows = false;
  });
  if (open !== undefined) throw new Error(`line ${open.block.line}: the block is never closed`);
  return blocks;
}

const FILE_NAME = /^(?:#|\/\/) (?!\.\.?\/)((?:[\w.-]+\/)*(?:[\w-][\w.-]*\.\w+|Kptfile))$/;

/** Returns the file of a block, from the comment in its first line. */
export const fileOf = ({ text }: Block): string | undefined => FILE_NAME.exec(text.slice(0, text.indexOf('\n')))?.[1];

/** Commands, and modules of JavaScript. */
const isRun = ({ language }: Block): boolean => language === 'sh' || language === 'js';

export function stepsOf(markdown: string): Step[] {
  const blocks = blocksOf(markdown);
  return blocks.flatMap((block, index): Step[] => {
    const { line, text } = block;
    const file = block.language === 'sh' ? undefined : fileOf(block);
    if (file !== undefined) return [{ line, do: 'write', file, text }];
    if (!isRun(block) || block.words.includes('norun')) return [];
    const script =
      block.language === 'sh' ? text : `node --input-type=module <<'END-OF-MODULE'\n${text}END-OF-MODULE\n`;
    const step = { line, do: 'run', script, fails: block.words.includes('fails') } as const;
    const next = blocks[index + 1];
    if (next === undefined || !next.follows || isRun(next) || fileOf(next) !== undefined) return [step];
    const form = ['', 'text', 'console'].includes(next.language) ? 'terminal' : 'output';
    return [{ ...step, expected: { text: next.text, form } }];
  });
}

/**
 * Reports whether a text matches the expected one, in which a line `...` matches any lines, and ` ...` at the end of a
 * line matches its rest. Spaces at line ends and at the end do not count.
 */
export function matches(expected: string, text: string): boolean {
  const trimmed = text === '' ? '' : `${text.replace(/[ \t]+$/gm, '').trimEnd()}\n`;
  const pattern = expected
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/^[ \t]*\\\.\\\.\\\.\n/gm, '(?:.*\n)*')
    .replace(/ \\\.\\\.\\\.$/gm, ' .*');
  return new RegExp(`^${pattern}$`).test(trimmed);
}
