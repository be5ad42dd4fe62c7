import type { SessionMessageBody } from '../session-message.js';
import type { AgentRuntime } from '../agent/agent-runtime.js';
import type { SessionRuntime } from '../session-types.js';
import { toWireStatus } from './wire-status.js';

/** The session's own agent; undefined before it was made and after it was forgotten. */
export function rootAgentOf(session: SessionRuntime): AgentRuntime | undefined {
  const id = session.agents.ofTask(session.options.taskId);
  return id === undefined ? undefined : session.agents.live.get(id);
}

/** Clients read from it which messages and control requests they may expect. */
const CONTRACT_VERSION = '2.1.330';

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
    claude_code_version: CONTRACT_VERSION,
    capabilities: [],
  };
}

/** By what name the key stands in the environment. */
export function keySourceOf(env: SessionRuntime['options']['env']): string {
  const name = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'].find((key) => env[key]);
  return name ?? 'none';
}
