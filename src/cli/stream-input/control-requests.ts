import type { SessionHandle } from '../../actors/public-types.js';
import type { AgentDefinition } from '../../core/agent-definition.js';
import {
  CHOOSABLE_PERMISSION_MODES,
  type ToolPermissionContext,
} from '../../core/permission-types.js';
import type { InputLine } from './input-line.js';
import { toErrorLine, toSuccessLine, type ControlLine } from './control-lines.js';

type RequestLine = Extract<InputLine, { type: 'control_request' }>;

/** Parts of `initialize` that would change what the session does, and that are not there yet. */
const NOT_THERE_YET = [
  'hooks',
  'sdkMcpServers',
  'jsonSchema',
  'systemPrompt',
  'appendSystemPrompt',
  'agents',
];

/** Does what a client asks of the session, and makes the answer that every control request gets. */
export function answerControlRequest(
  { requestId, subtype, request }: RequestLine,
  {
    session,
    permissions,
    definitions,
  }: {
    session: SessionHandle;
    permissions: ToolPermissionContext;
    definitions: readonly AgentDefinition[];
  },
): ControlLine {
  switch (subtype) {
    case 'initialize': {
      const missing = NOT_THERE_YET.find((name) => isFilled(request[name]));
      if (missing !== undefined)
        return toErrorLine(
          requestId,
          `"${missing}" in initialize is not supported yet. Leave it out.`,
        );
      return toSuccessLine(requestId, {
        commands: [],
        agents: definitions.map(({ name, description }) => ({ name, description })),
        output_style: 'default',
        available_output_styles: ['default'],
        models: [],
        account: {},
      });
    }
    case 'interrupt':
      session.interrupt();
      return toSuccessLine(requestId);
    case 'set_permission_mode': {
      const wanted = request['mode'] === 'manual' ? 'default' : request['mode'];
      const mode = CHOOSABLE_PERMISSION_MODES.find((known) => known === wanted);
      if (mode === undefined)
        return toErrorLine(
          requestId,
          `"mode": there is no ${JSON.stringify(wanted) ?? 'mode at all'}. Choose ${CHOOSABLE_PERMISSION_MODES.join(', ')}.`,
        );
      if (mode === 'bypassPermissions' && !permissions.isBypassPermissionsModeAvailable)
        return toErrorLine(
          requestId,
          'bypassPermissions is not available: start with --dangerously-skip-permissions.',
        );
      session.setPermissionMode(mode);
      return toSuccessLine(requestId, { mode });
    }
    default:
      return toErrorLine(
        requestId,
        `There is no control request "${subtype}". Known: initialize, interrupt, set_permission_mode.`,
      );
  }
}

function isFilled(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
