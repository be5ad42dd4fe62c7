import { z } from 'zod';
import { UsageError } from '../../core/errors.js';
import { PermissionMode } from '../../core/permission-types.js';
import { checkOptions, strictOptions } from '../../tools/calls/check-options.js';
import { AgentName } from '../../tools/agents/agent-input.js';
import { checkContent } from '../contract/check-content.js';
import { checkTaskBudget } from '../agents/budgets.js';
import { checkSignal } from '../services/check-signal.js';
import type { SpawnOptions } from '../contract/spawn-options.js';

const text = z.string().optional();
const elsewhere = z.unknown().optional();
const Spawn = strictOptions({
  prompt: z.string(),
  agent: text,
  resume: text,
  description: text,
  name: AgentName.optional(),
  team: text,
  model: text,
  isolation: z.enum(['worktree']).optional(),
  permissionMode: PermissionMode.optional(),
  background: z.boolean().optional(),
  taskBudget: elsewhere, // checkTaskBudget
  signal: elsewhere, // checkSignal
} satisfies Record<keyof SpawnOptions, z.ZodType>);

/** Check the options before anything starts: they come from a program, so they may be anything. @throws UsageError */
export function checkSpawn(options: SpawnOptions): void {
  const given = Object(options) as SpawnOptions;
  checkOptions(Spawn, given, 'No agent can be started');
  const { prompt, name, resume, team, taskBudget, signal } = given;
  if (team !== undefined && name === undefined && resume === undefined)
    throw new UsageError('A teammate needs a name, by which the others reach it: give one.');
  const mayWaitForMail = team !== undefined || resume !== undefined;
  if (prompt !== '' || !mayWaitForMail) checkContent(prompt);
  checkTaskBudget(taskBudget);
  checkSignal(signal);
}
