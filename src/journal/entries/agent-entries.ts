import { z } from 'zod';
import { Effort } from '../../core/agents/agent-definition.js';
import { Envelope } from '../../core/events.js';
import type { Message } from '../../core/messages.js';
import { PermissionMode } from '../../core/permission-types.js';
import { Worktree } from '../../core/worktree.js';

/** As requests carry it; what it was is gone on with. */
const Thinking = z.discriminatedUnion('type', [
  z.object({ type: z.literal('adaptive') }),
  z.object({ type: z.literal('enabled'), budgetTokens: z.int().positive() }),
  z.object({ type: z.literal('disabled') }),
]);

/**
 * The journal of one agent, which is also its transcript: what went into the agent, in order. Its conversation is what
 * these entries make of it.
 */

/** What is frozen for the agent's life. Prompt and tools stand in `<home>/prompts/<digest>.json`, once for all who share them. */
export const AgentStarted = z.object({
  type: z.literal('agent.started'),
  agentId: z.string(),
  taskId: z.string(),
  agentType: z.string(),
  name: z.string().optional(),
  model: z.string(),
  effort: Effort.optional(),
  thinking: Thinking.optional(),
  permissionMode: PermissionMode,
  /** The mode that was asked for it, where one was. */
  askedMode: PermissionMode.optional(),
  /** The session's folder. */
  cwd: z.string(),
  /** The worktree that it works in, where it has one of its own. */
  worktree: Worktree.optional(),
  /** Digest of the rendered system prompt and the tool list. */
  prompt: z.string(),
});

export type AgentStarted = z.infer<typeof AgentStarted>;

/** The tools of servers that were still starting have come: this digest counts from the first request on. */
export const AgentEquipped = z.object({ type: z.literal('agent.equipped'), prompt: z.string() });

/** It is a copy of another agent: what that one's conversation was then. */
const AgentForked = z.object({
  type: z.literal('agent.forked'),
  from: z.string(),
  messages: z.custom<readonly Message[]>(Array.isArray, 'expected messages'), // written from a conversation
});

/** It goes on from here as the work of another task, in this process or another one. */
const AgentResumed = z.object({
  type: z.literal('agent.resumed'),
  taskId: z.string(),
  model: z.string(),
  effort: Effort.optional(),
  thinking: Thinking.optional(),
  permissionMode: PermissionMode,
});

/** The session's mode has changed, where it is the session's own agent: what it goes on with. */
const AgentMode = z.object({
  type: z.literal('agent.mode'),
  permissionMode: PermissionMode,
  /** In plan mode: what holds again when a plan is approved. */
  prePlanMode: PermissionMode.optional(),
});

/** A message was accepted for this agent: on disk before its sender is told so. */
export const MailAccepted = z.object({ type: z.literal('mail.accepted'), envelope: Envelope });

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

/** The step that says that the agent had nothing more to do. */
export const REST_STEP = 'rest';

export const AgentEnded = z.object({ type: z.literal('agent.ended'), status: z.string() });

const head = { timestamp: z.number() };
export const AgentEntry = z.discriminatedUnion('type', [
  AgentStarted.extend(head),
  AgentEquipped.extend(head),
  AgentForked.extend(head),
  AgentResumed.extend(head),
  AgentMode.extend(head),
  MailAccepted.extend(head),
  StepBegun.extend(head),
  StepDone.extend(head),
  AgentEnded.extend(head),
]);
export type AgentEntry = z.infer<typeof AgentEntry>;
