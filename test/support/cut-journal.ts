import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { homeOf } from '../../src/journal/sessions/find-session.js';

/** One line of a session's journal: of which file, and which bytes. */
export type JournalLine = {
  readonly file: string;
  readonly text: string;
  readonly timestamp: number;
  readonly fields: Readonly<Record<string, unknown>>;
};

/** All lines of all files of a session in the order of their writing. Its clock must give no time twice. */
export function allLines(directory: string): readonly JournalLine[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((file) =>
      readFileSync(join(directory, file), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((text) => {
          const fields = JSON.parse(text) as JournalLine['fields'];
          return { file, text: `${text}\n`, timestamp: Number(fields['timestamp']), fields };
        }),
    )
    .toSorted((a, b) => a.timestamp - b.timestamp);
}

/** Makes `to` what a process that died left of the session: these lines, and of the next one its first bytes. */
export function writeCut(
  from: string,
  to: string,
  lines: readonly JournalLine[],
  torn?: { readonly line: JournalLine; readonly bytes: number },
): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const shared = [from, to].map((session) => join(homeOf(session), 'prompts')) as [string, string];
  if (shared[0] !== shared[1]) cpSync(...shared, { recursive: true });
  const output = join(from, 'output');
  if (existsSync(output)) cpSync(output, join(to, 'output'), { recursive: true });
  const files = new Map<string, Buffer[]>();
  const put = (file: string, bytes: Buffer): void => {
    files.set(file, [...(files.get(file) ?? []), bytes]);
  };
  for (const { file, text } of lines) put(file, Buffer.from(text));
  if (torn !== undefined) put(torn.line.file, Buffer.from(torn.line.text).subarray(0, torn.bytes));
  for (const [file, parts] of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file), Buffer.concat(parts));
  }
}
