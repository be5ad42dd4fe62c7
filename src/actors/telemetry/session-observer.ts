import type { PermissionAnswer } from '../../core/decision-types.js';
import type { PermissionRequest } from '../../core/events.js';
import type { AgentId, TaskId } from '../../core/ids.js';
import type { TaskStatus } from '../../core/task-types.js';
import type { SampledRequest } from '../services/event-bus.js';

/** A task and its place in the tree. */
export type ObservedTask = {
  readonly id: TaskId;
  readonly parentId?: TaskId | undefined;
  readonly toolUseId?: string | undefined;
};

export type ObservedAgent = ObservedTask & {
  readonly agentId: AgentId;
  /** The name of the agent, or of its definition. */
  readonly name: string;
  readonly isMain: boolean;
};

export type ObservedCall = {
  readonly id: string;
  readonly toolName: string;
  readonly agent: ObservedAgent;
};

/** From when to when something lasted, epoch ms. */
export type Span = { readonly from: number; readonly to: number };

/** The decision of a permission request, and the approver who made it. */
export type ObservedDecision = {
  readonly behavior: PermissionAnswer['behavior'];
  readonly by: string;
};

/** Watches a session. Times are epoch ms. No text of a prompt, an input or a result is passed on. */
export interface SessionObserver {
  /** A task is new; its parent came before it. */
  taskBegan?(task: ObservedTask): void;
  taskEnded?(task: ObservedTask): void;
  agentBegan?(agent: ObservedAgent, at: number): void;
  agentEnded?(agent: ObservedAgent, status: TaskStatus, span: Span): void;
  requestEnded?(agent: ObservedAgent, request: SampledRequest, span: Span): void;
  callBegan?(call: ObservedCall, at: number): void;
  callEnded?(call: ObservedCall, isError: boolean, span: Span): void;
  waitBegan?(request: PermissionRequest): void;
  /** @param decision undefined if none is needed any more */
  waitEnded?(request: PermissionRequest, decision: ObservedDecision | undefined, to: number): void;
}
