import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { describeRefusal, quotedField } from '../../core/text/describe-issue.js';
import { NOT_A_FILE, readRegularFile } from '../../files/regular-file.js';
import { homeOf } from '../../journal/sessions/find-session.js';
import type { Journal } from '../../journal/journal.js';
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

/** Write the prompt and tools of an agent, once for all agents of a home that share them. @returns their digest */
export function keepPrompt(journal: Pick<Journal, 'keepShared'>, prompt: FrozenPrompt): string {
  const text = JSON.stringify(prompt);
  const digest = digestOf(text);
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
