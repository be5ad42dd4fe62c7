import { z } from 'zod';
import { Effort } from '../../core/agents/agent-definition.js';
import { Envelope } from '../../core/events.js';
import type { Message } from '../../core/messages.js';
import { PermissionMode } from '../../core/permission-types.js';
import { Usage } from '../../core/tasks/usage.js';
import { Worktree } from '../../core/worktree.js';

/** As in requests; a resumed agent keeps it. */
const Thinking = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('adaptive') }),
    z.object({ type: z.literal('enabled'), budgetTokens: z.int().positive() }),
    z.object({ type: z.literal('disabled') }),
  ]),
);

/** A model request that is billed. */
export const ModelCall = z.object({
  model: z.string(),
  usage: Usage,
});

/**
 * The journal of one agent, which is also its transcript: every input of the agent, in order. The entries determine its
 * conversation.
 */

/**
 * Fields that are frozen for the agent's life. Prompt and tools are in `<home>/prompts/<digest>.json`, once for all
 * agents that share them.
 */
export const AgentStarted = z.object({
  type: z.literal('agent.started'),
  agentId: z.string(),
  taskId: z.string(),
  agentType: z.string(),
  name: z.string().optional(),
  model: z.string(),
  /** Path of the script that gives the replies, for a main agent with a scripted model. */
  script: z.string().optional(),
  effort: Effort.optional(),
  thinking: Thinking.optional(),
  permissionMode: PermissionMode,
  /** The requested mode, if there was one. */
  askedMode: PermissionMode.optional(),
  /** The session's folder. */
  cwd: z.string(),
  /** The agent's own worktree, if it has one. */
  worktree: Worktree.optional(),
  /** Digest of the rendered system prompt and the tool list. */
  prompt: z.string(),
});

export type AgentStarted = z.infer<typeof AgentStarted>;

/** The tools of starting servers have come, or servers have new ones: this digest applies from the next request on. */
export const AgentEquipped = z.object({ type: z.literal('agent.equipped'), prompt: z.string() });

/** The agent is a copy: the conversation of the original at that time. */
const AgentForked = z.object({
  type: z.literal('agent.forked'),
  from: z.string(),
  messages: z.custom<readonly Message[]>(Array.isArray, 'expected messages'), // written from a conversation
});

/** The agent is resumed here by another task, in this process or another one. */
const AgentResumed = z.object({
  type: z.literal('agent.resumed'),
  taskId: z.string(),
  model: z.string(),
  effort: Effort.optional(),
  thinking: Thinking.optional(),
  permissionMode: PermissionMode,
});

/** The mode of the session has changed, in the file of the main agent: a resumed session has it. */
const AgentMode = z.object({
  type: z.literal('agent.mode'),
  permissionMode: PermissionMode,
  /** In plan mode: the mode after a plan is approved. */
  prePlanMode: PermissionMode.optional(),
});

/** The agent uses a skill, until its next prompt. */
export const AgentSkill = z.object({
  type: z.literal('agent.skill'),
  /** The prompt that the skill belongs to: the skill counts when the agent takes the prompt. Absent: it counts at once. */
  prompt: z.string().optional(),
  /** Rules that allow tool calls. */
  allow: z.array(z.string()).readonly(),
  /** Rules that deny tool calls. */
  deny: z.array(z.string()).readonly(),
  model: z.string().optional(),
  effort: Effort.optional(),
});
export type AgentSkill = z.infer<typeof AgentSkill>;

/** A message was accepted for this agent: on disk before the sender gets the result. */
export const MailAccepted = z.object({ type: z.literal('mail.accepted'), envelope: Envelope });

/** A tool has asked a model beside the agent's conversation, at the agent's expense. */
export const HelperAsked = z.object({
  type: z.literal('helper.asked'),
  toolUseId: z.string(),
  call: ModelCall,
});

/** An effect that must not happen twice is about to begin. */
export const StepBegun = z.object({
  type: z.literal('step.begun'),
  key: z.string(),
  note: z.unknown().optional(),
});

export const StepDone = z.object({
  type: z.literal('step.done'),
  key: z.string(),
  result: z.unknown(),
});

/** The key of the step with which an agent becomes idle. Journals of all versions have it. */
export const IDLE_STEP = 'rest';

export const AgentEnded = z.object({ type: z.literal('agent.ended'), status: z.string() });

const head = { timestamp: z.number() };
export const AgentEntry = z.lazy(() =>
  z.discriminatedUnion('type', [
    AgentStarted.extend(head),
    AgentEquipped.extend(head),
    AgentForked.extend(head),
    AgentResumed.extend(head),
    AgentMode.extend(head),
    AgentSkill.extend(head),
    MailAccepted.extend(head),
    HelperAsked.extend(head),
    StepBegun.extend(head),
    StepDone.extend(head),
    AgentEnded.extend(head),
  ]),
);
export type AgentEntry = z.infer<typeof AgentEntry>;
