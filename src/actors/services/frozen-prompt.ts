import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { describeRefusal, quotedField } from '../../core/text/describe-issue.js';
import { NOT_A_FILE, readRegularFile } from '../../files/regular-file.js';
import { homeOf } from '../../journal/sessions/find-session.js';
import { JournalDamagedError } from '../../journal/read-journal.js';
import type { ModelTool } from '../../model/model.js';

/** The beginning of an agent's every request. */
export type FrozenPrompt = {
  readonly system: readonly string[];
  readonly tools: readonly ModelTool[];
};

const Prompt = z.object({
  system: z.array(z.string()),
  tools: z.array(z.looseObject({ name: z.string() })),
});

/** Return an equal earlier prompt if there is one: what is made of a prompt is made once for all agents that have it. */
export type SharePrompt = (prompt: FrozenPrompt) => FrozenPrompt;

/** Most prompts that are remembered. */
const MOST_SHARED = 16;

export function createPromptSharing(): SharePrompt {
  const newest: FrozenPrompt[] = [];
  return (prompt) => {
    const known = newest.find((one) => isSame(one, prompt));
    if (known !== undefined) return known;
    newest.unshift(prompt);
    newest.length = Math.min(newest.length, MOST_SHARED);
    return prompt;
  };
}

function isSame(a: FrozenPrompt, b: FrozenPrompt): boolean {
  return (
    isSameList(a.system, b.system, (one, other) => one === other) &&
    isSameList(a.tools, b.tools, isSameTool)
  );
}

function isSameList<T>(
  a: readonly T[],
  b: readonly T[],
  isSameOne: (one: T, other: T) => boolean,
): boolean {
  return a.length === b.length && a.every((one, index) => isSameOne(one, b[index] as T)); // as long
}

/** A tool object has one schema object. */
function isSameTool(a: ModelTool, b: ModelTool): boolean {
  return (
    a === b ||
    (a.name === b.name &&
      a.input_schema === b.input_schema &&
      a.description === b.description &&
      a.defer_loading === b.defer_loading)
  );
}

/** A prompt is encoded once. */
const encoded = new WeakMap<FrozenPrompt, { readonly text: string; readonly digest: string }>();

function encode(prompt: FrozenPrompt): { readonly text: string; readonly digest: string } {
  const known = encoded.get(prompt);
  if (known !== undefined) return known;
  const text = JSON.stringify(prompt);
  const made = { text, digest: digestOf(text) };
  encoded.set(prompt, made);
  return made;
}

/** Write the prompt and tools of an agent, once for all agents of a home that share them. @returns their digest */
export function keepPrompt(
  journal: { keepShared(file: string, text: string): void },
  prompt: FrozenPrompt,
): string {
  const { text, digest } = encode(prompt);
  journal.keepShared(`prompts/${digest}.json`, text);
  return digest;
}

/**
 * Read the prompt byte for byte: any change would make another agent.
 *
 * @param directory the folder of the session
 * @throws JournalDamagedError
 */
export function readPrompt(directory: string, digest: string): FrozenPrompt {
  const name = `prompts/${digest}.json`;
  const own = join(directory, name); // older journals keep it in the session's folder
  const file = existsSync(own) ? own : join(homeOf(directory), name);
  const damaged = (why: string, cause?: unknown): JournalDamagedError =>
    new JournalDamagedError(file, 1, why, { cause });
  let text: string | undefined;
  try {
    text = readRegularFile(file);
  } catch (error) {
    throw damaged('the prompt of the session cannot be read', error);
  }
  if (text === undefined) throw damaged(NOT_A_FILE);
  if (digestOf(text) !== digest) throw damaged('this is not what the session was begun with');
  const prompt = JSON.parse(text) as FrozenPrompt; // `keepPrompt` wrote it, by its digest
  const parsed = Prompt.safeParse(prompt);
  if (!parsed.success)
    throw damaged(describeRefusal(parsed.error, prompt, quotedField('the prompt')));
  return prompt;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
