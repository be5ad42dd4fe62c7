import type { Environment } from '../../files/folders.js';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DREAM_STAMP,
  DREAMER,
  dreamPlace,
  dreamPrompt,
  isDreamDue,
  rulesOfDream,
  type DreamPlace,
  type ManualExtractionResult,
} from '../../context/memory/dream.js';
import { messageOf, UsageError } from '../../core/errors.js';
import type { TaskOutcome } from '../../core/task-types.js';
import { userFolders } from '../../files/folders.js';
import { lockFileWithin } from '../../journal/sessions/session-lock.js';
import type { AgentIdentity } from '../../core/agents/agent-identity.js';
import type { TaskRegistry } from '../tasks/task-registry.js';
import { BY_PROGRAM } from './plan-agent.js';
import type { Spawn } from './spawn-task.js';

/** The services that a dream needs. */
export type DreamOwners = {
  readonly settings: {
    readonly cwd: string;
    readonly env: Environment;
    readonly home?: string | undefined;
    readonly context?: { readonly notes?: string } | undefined;
  };
  readonly tasks: TaskRegistry;
  readonly spawn: Spawn;
};

const LOCK = '.dream-lock';

/**
 * Consolidate the notes about the project: an agent in a task of the kind `dream` reads transcripts and changes the
 * notes, and may do nothing else. Only one process does so at a time. Resolves when the task has ended; never rejects.
 */
export async function dream(
  { settings, tasks, spawn }: DreamOwners,
  { id, taskId }: Pick<AgentIdentity, 'id' | 'taskId'>,
): Promise<ManualExtractionResult> {
  const place = placeOf(settings);
  const onlyAllowed = rulesOfDream(place);
  if (onlyAllowed === undefined)
    return failed('the path of the notes or of the transcripts has a character of a pattern');
  try {
    mkdirSync(place.memory, { recursive: true, mode: 0o700 });
    const lock = await lockFileWithin(join(place.memory, LOCK), 0);
    try {
      const request = {
        kind: 'dream',
        agentType: DREAMER.name,
        description: 'Consolidates the notes about the project',
        prompt: dreamPrompt(place),
        isBackgrounded: true,
        toolUseId: BY_PROGRAM,
        onlyAllowed,
      } as const;
      const task = await spawn(taskId, id, request, DREAMER);
      return toResult(await tasks.waitFor(task.id, new AbortController().signal), place);
    } finally {
      lock.release();
    }
  } catch (error) {
    return failed(
      error instanceof UsageError ? 'another process consolidates these notes' : messageOf(error),
    );
  }
}

/** Whether a dream should start by itself now. */
export function isDue({ settings }: Pick<DreamOwners, 'settings'>, now: number): boolean {
  return isDreamDue(placeOf(settings), now);
}

function placeOf({ cwd, env, home, context }: DreamOwners['settings']): DreamPlace {
  const folders = userFolders(env);
  return dreamPlace(cwd, folders, { home: home ?? folders.troupe, notes: context?.notes });
}

function toResult(outcome: TaskOutcome, { memory }: DreamPlace): ManualExtractionResult {
  switch (outcome.status) {
    case 'completed':
      writeFileSync(join(memory, DREAM_STAMP), '');
      return { success: true, memoryPath: join(memory, 'MEMORY.md') };
    case 'failed':
      return failed(outcome.failure.message);
    case 'killed':
      return failed(`it was killed: ${outcome.reason}`);
    default:
      return outcome satisfies never;
  }
}

function failed(error: string): ManualExtractionResult {
  return { success: false, error };
}
