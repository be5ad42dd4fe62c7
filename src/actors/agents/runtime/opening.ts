import type { AgentDefinition } from '../../../core/agents/agent-definition.js';
import { messageOf } from '../../../core/errors.js';
import { preloadSkills } from '../../../tools/skills/preload-skills.js';
import { renderSkill } from '../../../tools/skills/render-skill.js';
import { readCommand } from '../../contract/read-command.js';
import { emitFrom } from '../../services/event-bus.js';
import type { AgentParts } from '../parts/agent-parts.js';
import type { TurnHooks } from './turn-hooks.js';

type Amend = Awaited<ReturnType<TurnHooks['admit']>>;

/**
 * Put texts of skills in front of the first prompt of a main agent: those that its definition names, and those of its
 * initial prompt if that is a command.
 *
 * @param amend the change of the hooks
 */
export async function withOpening(
  parts: AgentParts,
  definition: AgentDefinition,
  amend: Amend,
): Promise<Amend> {
  const first = parts.inbox.list().find(({ kind }) => kind === 'prompt');
  if (first === undefined) return amend;
  const texts = [
    ...(await attempt(parts, () => preload(parts, definition))),
    ...(await attempt(parts, () => expand(parts, definition, first.id))),
  ];
  if (texts.length === 0) return amend;
  return (envelope) => {
    const amended = amend?.(envelope) ?? envelope;
    if (envelope.id !== first.id || amended.blocked !== undefined) return amended;
    return { ...amended, before: [...(amended.before ?? []), ...texts] };
  };
}

async function preload(parts: AgentParts, definition: AgentDefinition): Promise<readonly string[]> {
  const blocks = await preloadSkills(definition, parts, CALL);
  return blocks.map(({ text }) => text);
}

/** The texts of the skills of the initial prompt, whose rules count for the first turn. */
async function expand(
  { toolContext, abort, activeSkills }: AgentParts,
  { initialPrompt = '' }: AgentDefinition,
  promptId: string,
): Promise<readonly string[]> {
  const command = readCommand(initialPrompt, toolContext.session.skills?.all);
  if (command?.kind !== 'skill') return [];
  const context = {
    ...toolContext,
    call: { toolUseId: CALL, abortController: abort, messages: [] },
  };
  const texts: string[] = [];
  for (const skill of command.skills) {
    texts.push(await renderSkill(skill, command.args, context));
    activeSkills.beginWith(promptId, skill, toolContext.files.projectRoot);
  }
  return texts;
}

/** In place of the ID of a tool call. */
const CALL = 'opening';

/** A skill that cannot be used keeps no prompt from its agent. */
async function attempt(
  { stepContext }: AgentParts,
  make: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await make();
  } catch (error) {
    emitFrom(stepContext, { type: 'instructions.problem', args: [messageOf(error)] });
    return [];
  }
}
