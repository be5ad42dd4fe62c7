import type { Skill } from '../../core/commands/command.js';
import { BashOutput } from '../shell/bash-result.js';
import { requireTasks } from '../tasks/require-tasks.js';
import { waitOrKill } from '../tasks/wait-or-kill.js';
import type { ToolUseContext } from '../tool.js';
import { rulesOfSkill } from './rules-of-skill.js';

/**
 * Call a tool for the text of a skill, with the permission checks of the agent and the rules of the skill. Resolve with
 * the output, or with the reason of the failure.
 *
 * @throws the reason of the abort, after the call has ended
 */
export async function runForSkill(
  skill: Skill,
  { tool, input }: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> },
  { call, files, session, tasks }: ToolUseContext,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const control = requireTasks('Skill', tasks);
  const most = session.tools.find(({ name }) => name === tool)?.maxResultSizeChars ?? Infinity;
  const isLong = (text: string | undefined): text is undefined =>
    text === undefined || text.length > most;
  let output: string | undefined;
  const { id } = await control.spawn({
    kind: 'local_tool',
    tool,
    input,
    description: `/${skill.name}: ${tool}`,
    isBackgrounded: false,
    toolUseId: call.toolUseId,
    rules: rulesOfSkill(skill, files),
    onData: (data) => void (output = outputOf(data)),
  });
  const outcome = await waitOrKill(control, id, call.abortController.signal);
  switch (outcome.status) {
    case 'completed':
      return { ok: true, text: isLong(output) ? String(outcome.result) : output };
    case 'failed':
      return { ok: false, text: outcome.failure.message };
    case 'killed':
      return { ok: false, text: `It was stopped: ${outcome.reason}.` };
    case 'backgrounded':
      return { ok: false, text: 'It was moved to the background.' };
    default:
      return outcome satisfies never;
  }
}

/** The output of a command, without the words for a model; undefined for another tool. */
function outputOf(data: unknown): string | undefined {
  const parsed = BashOutput.safeParse(data);
  if (!parsed.success || parsed.data.stdout === undefined) return undefined;
  const { stdout, stderr = '' } = parsed.data;
  return [stdout, stderr]
    .map((text) => text.replace(/\n+$/, ''))
    .filter((text) => text !== '')
    .join('\n');
}
