import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makeHome } from '../../../api/files/folders.js';

/** The prompts of a person, across sessions. */
export interface PromptHistory {
  /** The newest last: those of this folder. */
  readonly prompts: readonly string[];
  add(prompt: string): void;
}

const FILE = 'history.jsonl';
const MOST_PROMPTS = 1_000;
const MOST_CHARACTERS = 10_000;
const ONLY_OWNER = 0o600;

/** A line of the file, with the published names. */
const Entry = z.object({ display: z.string(), project: z.string(), timestamp: z.number() });

/**
 * The history in the home folder. It is read when the first prompt is recalled. A file that cannot be read or written
 * leaves the prompts of this run.
 */
export function openHistory(home: string, project: string): PromptHistory {
  const file = join(home, FILE);
  let read: string[] | undefined;
  const own: string[] = [];
  return {
    get prompts() {
      return (read ??= [...readPrompts(file, project), ...own]);
    },
    add(prompt) {
      if (prompt.length > MOST_CHARACTERS || (read ?? own).at(-1) === prompt) return;
      own.push(prompt);
      read?.push(prompt);
      const line = JSON.stringify({ display: prompt, project, timestamp: Date.now() });
      try {
        makeHome(home);
        appendFileSync(file, `${line}\n`, { mode: ONLY_OWNER });
      } catch {} // the prompts of this run remain
    },
  };
}

function readPrompts(file: string, project: string): readonly string[] {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  const prompts = text.split('\n').flatMap((line) => {
    const entry = readEntry(line);
    return entry?.project === project ? [entry.display] : [];
  });
  return prompts.slice(-MOST_PROMPTS);
}

function readEntry(line: string): z.infer<typeof Entry> | undefined {
  try {
    return Entry.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
