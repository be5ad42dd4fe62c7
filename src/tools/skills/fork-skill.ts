import type { Skill } from '../../core/commands/command.js';
import { TaskFailedError } from '../../core/errors.js';
import type { AgentId } from '../../core/ids.js';
import { isTerminalTaskStatus } from '../../core/task-types.js';
import { AgentKilledError } from '../agents/agent-killed-error.js';
import { hasBackground } from '../feature-gates.js';
import { requireTasks } from '../tasks/require-tasks.js';
import { waitOrKill } from '../tasks/wait-or-kill.js';
import type { SpawnedTask } from '../capabilities/task-capabilities.js';
import type { ToolUseContext } from '../tool.js';
import { rulesOfSkill } from './rules-of-skill.js';

/** The type of the sub-agent of a skill that names none. */
const GENERAL = 'general-purpose';

/** Start a sub-agent with the text of a skill as its prompt. @throws TaskRefusedError if there is no such agent */
export function startFork(
  skill: Skill,
  text: string,
  { call, files, tasks }: ToolUseContext,
  { isBackgrounded }: { readonly isBackgrounded: boolean },
): Promise<SpawnedTask> {
  return requireTasks('Skill', tasks).spawn({
    kind: 'local_agent',
    agentType: skill.agent ?? GENERAL,
    prompt: text,
    description: descriptionOf(skill),
    model: skill.model,
    effort: skill.effort,
    rules: rulesOfSkill(skill, files),
    isBackgrounded,
    toolUseId: call.toolUseId,
  });
}

/**
 * Give the text of a skill to a sub-agent, and wait for its answer unless the sub-agent runs in the background.
 *
 * @throws TaskRefusedError if there is no such agent
 * @throws TaskFailedError, AgentKilledError
 */
export async function forkSkill(
  skill: Skill,
  text: string,
  context: ToolUseContext,
): Promise<{ readonly result: string; readonly agentId: AgentId | undefined }> {
  const { call, tasks } = context;
  const control = requireTasks('Skill', tasks);
  const isBackgrounded =
    hasBackground(context.session.env ?? process.env) &&
    (skill.background ?? isBackgroundedByDefault(skill, context));
  const started = await startFork(skill, text, context, { isBackgrounded });
  const { id, agentId, agentType, outputFile } = started;
  const who = `The ${agentType ?? GENERAL} agent of the skill "${skill.name}" (${id})`;
  const later = `A notification with its result follows; its output is in ${outputFile}.`;
  if (isBackgrounded) return { result: `${who} works in the background. ${later}`, agentId };
  const outcome = await waitOrKill(control, id, call.abortController.signal);
  switch (outcome.status) {
    case 'completed':
      return { result: String(outcome.result), agentId };
    case 'failed':
      throw new TaskFailedError({
        ...outcome.failure,
        message: `${who} failed: ${outcome.failure.message}`,
      });
    case 'killed':
      throw new AgentKilledError(who, id, outcome.reason, '');
    case 'backgrounded':
      return { result: `${who} was moved to the background. ${later}`, agentId };
    default:
      return outcome satisfies never;
  }
}

/** In a session with a person the model waits for no skill, except while an earlier use of it runs. */
function isBackgroundedByDefault(
  skill: Skill,
  { session }: Pick<ToolUseContext, 'session'>,
): boolean {
  if (session.skills?.inBackground !== true) return false;
  const tasks = Object.values(session.getAppState?.().tasks ?? {});
  return !tasks.some(
    ({ type, status, description }) =>
      type === 'local_agent' &&
      description === descriptionOf(skill) &&
      !isTerminalTaskStatus(status),
  );
}

function descriptionOf({ name }: Skill): string {
  return `/${name}`;
}
