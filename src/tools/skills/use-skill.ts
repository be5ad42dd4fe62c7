import type { Skill } from '../../core/commands/command.js';
import type { ToolResult, ToolUseContext } from '../tool.js';
import { renderSkill } from './render-skill.js';
import type { SkillOutput } from './skill.js';

/** Load the text of a skill into the conversation of an agent, or give it to a sub-agent. */
export async function useSkill(
  skill: Skill,
  args: string,
  context: ToolUseContext,
): Promise<ToolResult<SkillOutput>> {
  const { name, allowedTools, model } = skill;
  const text = await renderSkill(skill, args, context);
  context.session.skills?.useHooks?.(skill);
  if (skill.context === 'fork') {
    const { forkSkill } = await import('./fork-skill.js');
    const { result, agentId } = await forkSkill(skill, text, context);
    return {
      data: {
        success: true,
        commandName: name,
        status: 'forked',
        result,
        ...(agentId && { agentId }),
      },
    };
  }
  context.session.skills?.begin(skill);
  const isLoaded = hasText(context, text);
  return {
    data: {
      success: true,
      commandName: name,
      status: isLoaded ? 'loaded' : 'inline',
      ...(allowedTools.length > 0 && { allowedTools }),
      ...(model !== undefined && { model }),
    },
    ...(isLoaded ? {} : { newMessages: [{ role: 'user' as const, content: text }] }),
  };
}

/** Whether the same text is in the conversation already. */
function hasText({ call: { messages } }: ToolUseContext, text: string): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'user' && content.some((block) => block.type === 'text' && block.text === text),
  );
}
