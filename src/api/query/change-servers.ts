import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { McpControl, McpSetServersResult } from '../../actors/contract/mcp-control.js';
import type { SessionHandle } from '../../actors/contract/handles.js';
import type { PermissionUpdate } from '../../core/permission-types.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import { toMcpToolName } from '../../extensions/mcp/servers/tool-names.js';

const Policy = z.looseObject({ name: z.string(), permission_policy: z.unknown() });
/** The transports whose tools a policy may allow. */
const REMOTE: readonly unknown[] = ['http', 'streamable-http', 'sse'];

/**
 * Convert the policies of tools to rules: the field `tools` of a server, with `always_deny`, `always_ask` or
 * `always_allow`, which has an effect for servers at addresses only. An unknown policy asks. A tool without a name is
 * left out.
 */
export function toPolicyRules(
  servers: Readonly<Record<string, { readonly type?: unknown; readonly tools?: unknown }>>,
): readonly PermissionUpdate[] {
  return Object.entries(servers).flatMap(([server, { type, tools }]) =>
    (Array.isArray(tools) ? tools : []).flatMap((tool): PermissionUpdate[] => {
      const { data } = Policy.safeParse(tool);
      const toolName = data && toMcpToolName(server, data.name);
      const behavior = behaviorOf(data?.permission_policy, REMOTE.includes(type));
      if (toolName === undefined || behavior === undefined) return [];
      return [{ type: 'addRules', behavior, rules: [{ toolName }], destination: 'session' }];
    }),
  );
}

function behaviorOf(policy: unknown, isRemote: boolean): 'allow' | 'ask' | 'deny' | undefined {
  if (policy === undefined || policy === null) return undefined;
  if (policy === 'always_deny') return 'deny';
  if (policy === 'always_allow') return isRemote ? 'allow' : undefined;
  return 'ask';
}

type Owners = {
  readonly session: Pick<SessionHandle, 'updatePermissions'>;
  readonly mcp: McpControl;
};

/** Sets the servers of a session together with the policies of their tools, which hold before a server connects. */
export type SetServers = (
  servers: McpServers,
  policies: readonly PermissionUpdate[],
) => Promise<McpSetServersResult>;

/** @param first the policies that the session began with: the first call replaces them */
export function createSetServers(
  { session, mcp }: Owners,
  first: readonly PermissionUpdate[],
): SetServers {
  let present = first;
  const remove = (
    policies: readonly PermissionUpdate[],
    except: readonly PermissionUpdate[],
  ): void => {
    const gone = policies.filter((one) => !except.some((other) => isDeepStrictEqual(one, other)));
    session.updatePermissions(gone.map(toRemoval));
  };
  return async (servers, policies) => {
    session.updatePermissions(policies);
    try {
      const result = await mcp.set(servers);
      remove(present, policies);
      present = policies;
      return result;
    } catch (error) {
      remove(policies, present);
      throw error;
    }
  };
}

function toRemoval(update: PermissionUpdate): PermissionUpdate {
  return update.type === 'addRules' ? { ...update, type: 'removeRules' } : update;
}
