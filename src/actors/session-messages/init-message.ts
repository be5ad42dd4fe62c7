import type { McpConnectionStatus } from '../../core/mcp-types.js';
import type { SessionMessageBody } from '../session-message.js';
import type { AgentRuntime } from '../agent/agent-runtime.js';
import type { SessionRuntime } from '../session-types.js';

/** The session's own agent; undefined before it was made and after it was forgotten. */
export function rootAgentOf(session: SessionRuntime): AgentRuntime | undefined {
  const { taskId } = session.options;
  for (const agent of session.agents.values()) if (agent.parts.taskId === taskId) return agent;
  return undefined;
}

const WIRE_STATUS = {
  connecting: 'pending',
  connected: 'connected',
  reconnecting: 'pending',
  failed: 'failed',
  closing: 'disabled',
  closed: 'disabled',
} as const satisfies Record<McpConnectionStatus, string>;
export type WireStatus = (typeof WIRE_STATUS)[McpConnectionStatus];

/** In the words of the contract. */
export function toWireStatus(status: McpConnectionStatus): WireStatus {
  return WIRE_STATUS[status];
}

/** What the session has, as its first message tells it. */
export function toInitMessage(session: SessionRuntime): SessionMessageBody {
  const { options } = session;
  const agent = rootAgentOf(session);
  return {
    type: 'system',
    subtype: 'init',
    cwd: options.cwd,
    tools: (agent?.parts.tools ?? options.tools).map(({ name }) => name),
    mcp_servers: (options.mcp?.servers() ?? []).map(({ name, status }) => ({
      name,
      status: toWireStatus(status),
    })),
    model: agent?.parts.model ?? options.modelName,
    permissionMode: session.permissions.get().mode,
    slash_commands: ['compact'],
    agents: options.definitions.map(({ name }) => name),
    skills: [],
    plugins: [],
    apiKeySource: keySourceOf(options.env),
    output_style: 'default',
    capabilities: [],
  };
}

/** By what name the key stands in the environment. */
export function keySourceOf(env: SessionRuntime['options']['env']): string {
  const name = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'].find((key) => env[key]);
  return name ?? 'none';
}
