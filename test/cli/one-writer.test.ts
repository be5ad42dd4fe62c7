import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src');

/** Who may hold stdout or stderr: each spells out what it writes. */
const WRITERS = [
  'api/query/prepare-query.ts',
  'cli/output/output-writer.ts',
  'model/anthropic/anthropic-sdk.ts',
];
/** Names the version of Node that it needs before anything else can be loaded: it has its own text. */
const ENTRY = 'cli/main.ts';
/** The stream of a writer is for readline and Ink, which draw what a person types. */
const READERS_OF_KEYS = [
  'cli/output/output-writer.ts',
  'cli/terminal/plain/line-editor.ts',
  'cli/terminal/plain/prompt-line.ts',
  'cli/terminal-prompt.ts',
  'cli/terminal/ink/hold-terminal.ts',
  'cli/terminal/screen/screen.ts',
];

const HOLDS_A_STREAM =
  /\bprocess\s*(?:\.|\?\.|\[\s*['"`])\s*std(?:out|err)\b|[{,]\s*std(?:out|err)\b[^}]*\}\s*=\s*(?:\w+\.)?process\b|(?<!import \{ isatty \} )from\s+['"](?:node:)?(?:process|console|tty)['"]|\bconsole\s*\.|\bwriteSync\(\s*[12]\b/;

/** Source without comments. */
function codeOf(file: string): string {
  return readFileSync(join(SOURCE, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '$1');
}

const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);

describe('stdout and stderr', () => {
  it('are written to by one writer, and by what spells out what it writes', () => {
    const holders = FILES.filter((file) => HOLDS_A_STREAM.test(codeOf(file)));
    expect(holders.toSorted()).toEqual([...WRITERS, ENTRY].toSorted());
    for (const file of WRITERS) expect(codeOf(file)).toMatch(/\bprintable(?:Line)?\(/);
  });

  it('are handed on as streams only to readline and Ink', () => {
    const takes = FILES.filter((file) =>
      /\boutput\.stream\b|\bwriter\.stream\b/.test(codeOf(file)),
    );
    expect(takes.filter((file) => !READERS_OF_KEYS.includes(file))).toEqual([]);
  });

  it.each([
    'process.stdout.write(x)',
    "process['stderr'].write(x)",
    'const { stdin, stdout, env } = process;',
    'const { stderr } = globalThis.process;',
    'console.log(x)',
    "import { stdout } from 'node:process';",
    'writeSync(1, x)',
  ])('are found in %s', (code) => {
    expect(HOLDS_A_STREAM.test(code)).toBe(true);
  });
});
