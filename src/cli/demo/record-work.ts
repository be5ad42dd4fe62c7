import type { AssistantBlock, SessionMessage } from '../../api/types.js';
import { inputSubject } from '../summaries/tool-subject.js';
import { toCallName } from './agent-rows.js';

/** The work of one agent. */
export type AgentWork = {
  readonly label: string;
  readonly description: string;
  readonly depth: number;
  readonly startedAt: number;
  endedAt: number | undefined;
  status: string;
  readonly requests: Set<string>;
  readonly tools: Map<string, number>;
};

/** Adds up the work of each agent from the messages of a session. */
export interface WorkRecord {
  take(message: SessionMessage): void;
  /** Describe a tool call in few words; undefined before the model's message has arrived. */
  nameOfCall(toolUseId: string): string | undefined;
  /** The label of the agent that this tool call started. */
  labelOf(toolUseId: string | undefined): string | undefined;
  /** Agents in the order of their start, the main agent first. */
  readonly agents: readonly AgentWork[];
}

/** @param folder is left out of paths */
export function createWorkRecord(rootLabel: string, folder: string, now: () => number): WorkRecord {
  const calls = new Map<string, { name: string; input: unknown }>();
  /** Work by the tool call that started the agent; null for the main agent. */
  const agents = new Map<string | null, AgentWork>();
  const begin = (key: string | null, label: string, description: string, depth: number): void =>
    void agents.set(key, {
      label,
      description,
      depth,
      startedAt: now(),
      endedAt: undefined,
      status: 'running',
      requests: new Set(),
      tools: new Map(),
    });
  begin(null, rootLabel, '', 0);

  const end = (key: string | null, status: string): void => {
    const agent = agents.get(key);
    if (agent === undefined) return;
    agent.endedAt = now();
    agent.status = status;
  };

  return {
    take(message) {
      if (message.type === 'assistant') {
        const agent = agents.get(message.parent_tool_use_id);
        agent?.requests.add(message.message.id);
        const blocks = message.message.content as readonly AssistantBlock[]; // as the session has them
        for (const block of blocks) {
          if (block.type !== 'tool_use') continue;
          calls.set(block.id, { name: block.name, input: block.input });
          agent?.tools.set(block.name, (agent.tools.get(block.name) ?? 0) + 1);
        }
      }
      if (message.type === 'result') end(null, message.is_error ? 'failed' : 'completed');
      if (message.type !== 'system') return;
      if (message.subtype === 'task_started' && message.task_type === 'local_agent') {
        const { tool_use_id: toolUseId, description, spawn_depth: depth } = message;
        if (toolUseId === undefined) return;
        begin(toolUseId, nameIn(calls.get(toolUseId)?.input) ?? description, description, depth);
      }
      if (message.subtype === 'task_notification' && message.tool_use_id !== undefined)
        end(message.tool_use_id, message.status);
    },
    nameOfCall(toolUseId) {
      const call = calls.get(toolUseId);
      if (call === undefined) return undefined;
      const subject = inputSubject(call.input).replaceAll(`${folder}/`, '');
      return toCallName(call.name, subject);
    },
    labelOf: (toolUseId) => agents.get(toolUseId ?? null)?.label,
    get agents() {
      return [...agents.values()];
    },
  };
}

function nameIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('name' in input)) return undefined;
  return typeof input.name === 'string' ? input.name : undefined;
}
