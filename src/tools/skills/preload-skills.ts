import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { textBlock, type TextBlock } from '../../core/messages.js';
import type { ToolUseContext } from '../tool.js';

/**
 * Make the texts of the skills that a definition names, for the first prompt of its agent. Unknown skills, and those
 * that only people use, are left out: the run reports them when it begins.
 *
 * @throws UsageError if a text cannot be made
 */
export async function preloadSkills(
  { skills: names = [] }: Pick<AgentDefinition, 'skills'>,
  { toolContext, abort }: { readonly toolContext: ToolUseContext; readonly abort: AbortController },
  toolUseId: string,
): Promise<readonly TextBlock[]> {
  const all = toolContext.session.skills?.all ?? [];
  const wanted = names.flatMap((name) =>
    all.filter((skill) => skill.name === name && !skill.disableModelInvocation),
  );
  if (wanted.length === 0) return [];
  const { renderSkill } = await import('./render-skill.js'); // a session without skills does not need it
  const context = { ...toolContext, call: { toolUseId, abortController: abort, messages: [] } };
  const blocks: TextBlock[] = [];
  for (const skill of wanted) blocks.push(textBlock(await renderSkill(skill, '', context)));
  return blocks;
}
