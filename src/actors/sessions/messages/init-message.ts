import type { Environment } from '../../../files/folders.js';
import { listSlashCommands } from '../../contract/slash-commands.js';
import type { SessionMessageBody } from '../../contract/session-message.js';
import type { Settings } from '../../options/settings.js';
import type { LiveCaller } from '../../agents/runtime/live-caller.js';
import { liveAgentOf, type AgentDirectory } from '../../agents/agent-directory.js';
import type { PermissionState } from '../../services/permission-state.js';
import type { SessionOptions } from '../../agents/session/session-options.js';
import type { Model } from '../../../model/model.js';
import { toWireStatus } from './wire-status.js';

/** The sources of the first message. */
export type InitOwners = {
  readonly options: SessionOptions;
  readonly settings: Settings;
  readonly agents: AgentDirectory;
  readonly permissions: PermissionState;
};

/** The main agent; undefined before it is made and after it is forgotten. */
export function rootAgentOf({
  agents,
  options,
}: Pick<InitOwners, 'agents' | 'options'>): LiveCaller | undefined {
  return liveAgentOf(agents, options.taskId);
}

/** Clients derive from this version which messages and control requests to expect. */
export const CONTRACT_VERSION = '2.1.330';

/** The first message of a session. */
export function toInitMessage(session: InitOwners): SessionMessageBody {
  const { options, settings } = session;
  const { skills = [] } = settings;
  const agent = rootAgentOf(session);
  return {
    type: 'system',
    subtype: 'init',
    cwd: session.settings.cwd,
    tools: (agent?.parts.tools ?? options.tools).map(({ name }) => name),
    mcp_servers: (options.mcp?.servers() ?? []).map((server) => ({
      name: server.name,
      status: toWireStatus(server),
    })),
    model: agent?.parts.model ?? options.modelName,
    permissionMode: session.permissions.get().mode,
    slash_commands: listSlashCommands(settings, options.mcp?.offerings.prompts()).map(
      ({ name }) => name,
    ),
    agents: session.settings.definitions.map(({ name }) => name),
    skills: skills.filter(({ skillRoot }) => skillRoot !== undefined).map(({ name }) => name),
    plugins: (settings.plugins?.loaded ?? []).map(({ name, path, id }) => ({
      name,
      path,
      source: id,
    })),
    ...pluginErrorsOf(settings),
    apiKeySource: keySourceOf(session.settings.env, options.model),
    output_style: settings.context?.outputStyle?.name ?? 'default',
    effort: agent?.parts.effort ?? null,
    claude_code_version: CONTRACT_VERSION,
    capabilities: [],
  };
}

/** The plugins that are left out; no key without any. */
function pluginErrorsOf({ plugins }: Settings) {
  const { errors = [] } = plugins ?? {};
  return errors.length === 0 ? {} : { plugin_errors: errors };
}

/** The name of the environment variable with the key, or another source of it. */
export function keySourceOf(env: Environment, model: Pick<Model, 'keySource'> | undefined): string {
  const name = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'].find((key) => env[key]);
  return name ?? model?.keySource ?? 'none';
}
