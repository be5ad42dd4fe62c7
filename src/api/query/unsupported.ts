import { UsageError } from '../../core/errors.js';

/** Control requests of the Claude Agent SDK that no session answers, each with an alternative. */
const ALTERNATIVES = {
  cancel_async_message: 'A prompt that was sent is delivered. Use interrupt.',
  get_usage: 'Tokens and cost are in each result, as usage, total_cost_usd and modelUsage.',
  mcp_read_resource:
    'An agent reads resources of servers with ReadMcpResource. Read this one in the program.',
  read_file: 'Read the file in the program, or ask the agent to.',
  rename_session: 'Name a session at its start (title, --name), or with renameSession.',
  seed_read_state: 'The agent reads a file again before it changes it.',
  set_mcp_permission_mode_override:
    'Request permission for the tools of a server with the rule mcp__NAME under permissions.ask in settings.',
  update_settings: 'Change the settings file: running sessions take up most settings.',
} as const;

type Unsupported = keyof typeof ALTERNATIVES;

/** The methods of the SDK's `Query` that send these requests. */
export const UNSUPPORTED_METHODS = {
  readFile: 'read_file',
  readMcpResource: 'mcp_read_resource',
  seedReadState: 'seed_read_state',
  setMcpPermissionModeOverride: 'set_mcp_permission_mode_override',
  updateSettings: 'update_settings',
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: 'get_usage',
} as const satisfies Readonly<Record<string, Unsupported>>;

/** Return whether clients know a control request that no session answers. */
export function isUnsupported(subtype: string): subtype is Unsupported {
  return Object.hasOwn(ALTERNATIVES, subtype);
}

/** @param name the request or method as the caller wrote it */
export function unsupportedError(subtype: Unsupported, name: string): UsageError {
  return new UsageError(`"${name}" is not supported. ${ALTERNATIVES[subtype]}`);
}
