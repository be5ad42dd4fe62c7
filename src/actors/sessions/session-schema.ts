import { z } from 'zod';
import { Effort } from '../../core/agents/agent-definition.js';
import { PermissionMode } from '../../core/permission-types.js';
import { UsageError } from '../../core/errors.js';
import { checkOptions, filledText, strictOptions } from '../../tools/calls/check-options.js';
import type { SessionStart, SharedOptions } from '../contract/session-start.js';

const flag = z.boolean();
/** The function in the comment checks this option. */
const elsewhere = z.unknown().optional();

const Thinking = z.discriminatedUnion('type', [
  strictOptions({ type: z.literal('adaptive') }),
  strictOptions({ type: z.literal('enabled'), budgetTokens: z.number() }),
  strictOptions({ type: z.literal('disabled') }),
]);

/** The options of a session that `query()` has too, as it checks them. */
export const shared = {
  sessionId: z.string().min(1),
  maxTurns: z.int().positive(),
  maxBudgetUsd: z.number().positive(),
  title: z.string().min(1),
  includePartialMessages: flag,
  includeHookEvents: flag,
  forwardSubagentText: flag,
  enableFileCheckpointing: flag,
} satisfies Record<keyof SharedOptions, z.ZodType>;

const shape = {
  ...shared,
  sessionId: filledText,
  maxBudgetUsd: elsewhere, // checkBudget
  title: z.string(), // checkStart
  prompt: elsewhere, // checkContent
  agent: filledText,
  resume: filledText,
  continues: flag,
  forks: flag,
  modelName: filledText,
  fallbackModel: z.union([z.string(), z.array(z.string())]), // toFallbackModels
  permissionMode: PermissionMode,
  taskBudget: elsewhere, // checkBudget
  systemPrompt: z.string(),
  appendSystemPrompt: z.string(),
  effort: Effort,
  thinking: Thinking,
  outputSchema: elsewhere, // readOutputSchema
  replayPrompts: flag,
  setup: z.enum(['init', 'maintenance']),
  staysOpen: flag,
  backgroundsSkills: flag,
  onDefer: z.enum(['end', 'ask', 'ignore']),
  hostsOnly: flag,
  signal: elsewhere, // checkSignal
} satisfies Record<keyof SessionStart, z.ZodType>;

const Session = strictOptions(shape).partial();

/** @throws UsageError that names the option, its value, and what would work */
export function checkSession(start: SessionStart): void {
  checkOptions(Session, start, 'session');
  const { hostsOnly, prompt } = start;
  if (hostsOnly === true && prompt !== undefined)
    throw new UsageError(
      'session: with hostsOnly the main agent makes no model requests, so nothing would answer the prompt: remove one of them.',
    );
}
