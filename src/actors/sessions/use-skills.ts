import type { SessionId } from '../../core/ids.js';
import type { Skill } from '../../core/commands/command.js';
import { findSkill } from '../../core/commands/find-skill.js';
import { UnknownRecipientError, UsageError } from '../../core/errors.js';
import { given } from '../../core/json/given.js';
import { textBlock } from '../../core/messages.js';
import type { LiveAgents } from '../agents/agent-directory.js';
import { hookCause } from '../agents/parts/hook-subject.js';
import { mergeVerdict } from '../hooks/hook-verdict.js';
import type { EventHooks, PromptHooks } from '../hooks/session-hooks.js';
import type { AgentRuntime } from '../agents/runtime/agent-runtime.js';
import type { PromptOptions } from '../contract/handles.js';
import type { MailSender } from '../mail/mailroom.js';
import { contextOfUse } from './context-of-use.js';
import type { createPromptWriter } from './main-agent.js';

/** The parts of a session that a skill of a person needs. */
export type SkillOwners = {
  readonly options: { readonly id: SessionId };
  readonly settings: { readonly skills?: readonly Skill[] | undefined };
  readonly agents: LiveAgents;
  readonly mail: Pick<MailSender, 'deliver'>;
  readonly hooks: EventHooks & PromptHooks;
};

/**
 * Use skills as a person who types `/name args`: the main agent gets the line and the texts of the skills as one prompt.
 * A skill with `context: fork` starts a sub-agent in the background, and the main agent is notified of its answer.
 *
 * @throws UsageError if there is no such skill, its text cannot be made, or it has a sub-agent and is not the only one
 * @throws TaskRefusedError if its sub-agent cannot be started
 * @throws UnknownRecipientError if the session has ended
 */
export async function useSkills(
  owners: SkillOwners,
  { parts }: Pick<AgentRuntime, 'parts'>,
  toEnvelope: ReturnType<typeof createPromptWriter>,
  {
    names,
    args,
    uuid,
    ended,
  }: PromptOptions & {
    readonly names: readonly string[];
    readonly args: string;
    /** Resolves when the session has ended. */
    readonly ended: Promise<unknown>;
  },
): Promise<void> {
  const { options, settings, agents, mail, hooks } = owners;
  if (names.length === 0) throw new UsageError('session.useSkill: name a skill.');
  const skills = names.map((name) => requireSkill(settings.skills ?? [], name));
  const forked = skills.find(({ context }) => context === 'fork');
  if (forked !== undefined && skills.length > 1)
    throw new UsageError(
      `session.useSkill: the skill "${forked.name}" has a sub-agent, so use it alone.`,
    );
  const context = contextOfUse(parts, ended);
  const { renderSkill } = await import('../../tools/skills/render-skill.js'); // a session without skills does not need it
  const typed = skills.some(({ isSensitive }) => isSensitive === true) ? '' : args;
  const line = [...names.map((name) => `/${name}`), typed].join(' ').trimEnd();
  const promptId = uuid ?? globalThis.crypto.randomUUID();
  const judged = await judgeSkills(hooks, parts, skills, { args, line, promptId });
  if (judged.blocked !== undefined) {
    const { blocked } = judged;
    return mail.deliver(parts, { ...toEnvelope(line), blocked, ...given({ uuid }) });
  }
  const texts: string[] = [];
  for (const skill of skills) texts.push(await renderSkill(skill, args, context));
  for (const skill of skills) hooks.useSkill(skill);
  texts.push(...judged.context);
  if (!agents.live.has(parts.id))
    throw new UnknownRecipientError(options.id, `the session ${options.id} has ended`);
  if (forked !== undefined) {
    const { startFork } = await import('../../tools/skills/fork-skill.js');
    await startFork(forked, texts.join('\n\n'), context, { isBackgrounded: true });
    return;
  }
  const envelope = toEnvelope([line, ...texts].map(textBlock));
  hooks.beginPrompt({ id: envelope.id, uuid: promptId });
  for (const skill of skills)
    parts.activeSkills.beginWith(envelope.id, skill, context.files.projectRoot);
  await mail.deliver(parts, { ...envelope, ...given({ uuid }) });
}

/** Let hooks judge the commands of a person. */
async function judgeSkills(
  hooks: EventHooks,
  parts: AgentRuntime['parts'],
  skills: readonly Skill[],
  { args, line, promptId }: Readonly<Record<'args' | 'line' | 'promptId', string>>,
): Promise<{ readonly context: readonly string[]; readonly blocked?: string }> {
  const context: string[] = [];
  if (!hooks.hasAny('UserPromptExpansion')) return { context };
  for (const { name, source } of skills) {
    const own = {
      expansion_type: 'slash_command',
      command_name: name,
      command_args: args,
      command_source: source,
      prompt: line,
      prompt_id: promptId,
    } as const;
    const cause = hookCause(parts, [name]);
    const said = await hooks.run('UserPromptExpansion', cause, own, parts.abort.signal);
    const verdict = mergeVerdict(said);
    const why = [...verdict.objections, verdict.stops ?? []].flat();
    if (why.length > 0) return { context, blocked: why.join('\n') };
    context.push(...verdict.context);
  }
  return { context };
}

function requireSkill(skills: readonly Skill[], name: string): Skill {
  const skill = findSkill(skills, name);
  if (skill?.userInvocable === true) return skill;
  if (skill === undefined) throw new UsageError(`session.useSkill: there is no skill "${name}".`);
  throw new UsageError(`session.useSkill: only a model uses the skill "${name}".`);
}
