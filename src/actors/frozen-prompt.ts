import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Journal } from '../journal/journal.js';
import { JournalDamagedError } from '../journal/read-journal.js';
import type { ModelTool } from '../model/model.js';

/** What an agent's every request begins with. */
export type FrozenPrompt = {
  readonly system: readonly string[];
  readonly tools: readonly ModelTool[];
};

const Prompt = z.object({
  system: z.array(z.string()),
  tools: z.array(z.looseObject({ name: z.string() })),
});

/** Prompt and tools of an agent, written once for all agents that share them. @returns their digest */
export function keepPrompt(
  journal: Pick<Journal, 'keepText' | 'flushSoon'>,
  prompt: FrozenPrompt,
): string {
  const text = JSON.stringify(prompt);
  const digest = digestOf(text);
  const file = `prompts/${digest}.json`;
  journal.keepText(file, text);
  journal.flushSoon(file);
  return digest;
}

/**
 * The same again, byte for byte: anything else would be another agent.
 *
 * @throws JournalDamagedError
 */
export function readPrompt(directory: string, digest: string): FrozenPrompt {
  const file = join(directory, 'prompts', `${digest}.json`);
  const damaged = (why: string, cause?: unknown): JournalDamagedError =>
    new JournalDamagedError(file, 1, why, { cause });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw damaged('the prompt of the session cannot be read', error);
  }
  if (digestOf(text) !== digest) throw damaged('this is not what the session was begun with');
  const prompt = JSON.parse(text) as FrozenPrompt; // of this digest, so written by `keepPrompt`
  const parsed = Prompt.safeParse(prompt);
  if (!parsed.success) throw damaged(z.prettifyError(parsed.error));
  return prompt;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
