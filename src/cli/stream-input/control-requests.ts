import { toThinking } from '../../api/models/thinking.js';
import { z } from 'zod';
import type { SessionHandle } from '../../api/types.js';
import { UsageError } from '../../api/errors.js';
import { describeRefusal, quotedField, withFullStop } from '../../api/text.js';
import { applyFlagSettings } from '../../api/query/apply-flag-settings.js';
import { reloadPlugins, reloadSkills } from '../../api/query/reload-session.js';
import { isUnsupported, unsupportedError } from '../../api/query/unsupported.js';
import {
  backgroundTasks,
  listModels,
  listServers,
  listStyles,
  stopTask,
  toContextUsageReport,
  toPermissionMode,
} from '../../api/query/describe-session.js';
import type { PreparedRun } from '../run/prepare-run.js';
import type { ClientServers } from './client-servers.js';

/** The session that a client drives. */
export type Driven = {
  readonly session: SessionHandle;
  readonly options: PreparedRun['options'];
  readonly servers: ClientServers;
};

type Request = Readonly<Record<string, unknown>>;
type Handler = (request: Request, driven: Driven) => object | Promise<object>;

/** Handle a control request of a client, and return the response. An error of a handler is the error of the response. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  interrupt(_, { session }) {
    session.interrupt();
    return {};
  },
  set_permission_mode({ mode: wanted }, { session, options: { permissions } }) {
    const mode = toPermissionMode(wanted);
    if (mode === 'bypassPermissions' && !permissions.isBypassPermissionsModeAvailable)
      throw new UsageError(
        'bypassPermissions is not available: start with --dangerously-skip-permissions or --allow-dangerously-skip-permissions.',
      );
    session.setPermissionMode(mode);
    return { mode };
  },
  async set_model(request, { session }) {
    const { model } = parse(z.object({ model: z.string().min(1).nullish() }), request);
    await session.setModel(model === undefined || model === null ? undefined : model);
    return {};
  },
  set_max_thinking_tokens(request, { session }) {
    const shape = z.object({ max_thinking_tokens: z.int().nonnegative().nullish() });
    session.setThinking(toThinking(parse(shape, request).max_thinking_tokens ?? null));
    return {};
  },
  async rewind_files(request, { session }) {
    const shape = z.object({ user_message_id: z.string(), dry_run: z.boolean().optional() });
    const { user_message_id: id, dry_run: dryRun = false } = parse(shape, request);
    const { rewindFiles } = await import('../../api/query/rewind-files.js');
    return rewindFiles(session, id, { dryRun });
  },
  async apply_flag_settings({ settings }, { session }) {
    await applyFlagSettings(session, settings);
    return {};
  },
  reload_plugins: ({ subtype: _, ...choices }, { session }) => reloadPlugins(session, choices),
  reload_skills: (_, { session }) => reloadSkills(session),
  async reload_output_styles(_, { options }) {
    return { available_output_styles: await listStyles(options) };
  },
  mcp_set_servers(request, { servers }) {
    const shape = z.object({ servers: z.record(z.string(), z.looseObject({})) });
    return servers.set(parse(shape, request).servers);
  },
  async mcp_toggle(request, { servers }) {
    const shape = z.object({ serverName: z.string(), enabled: z.boolean() });
    const { serverName: name, enabled } = parse(shape, request);
    await servers.toggle(name, enabled);
    return {};
  },
  async mcp_reconnect(request, { servers }) {
    await servers.reconnect(parse(z.object({ serverName: z.string() }), request).serverName);
    return {};
  },
  mcp_status: (_, { session }) => ({ mcpServers: listServers(session) }),
  get_context_usage: (_, { session }) => toContextUsageReport(session.contextUsage()),
  list_models: (_, { options: { env = {}, limitModels } }) => ({
    models: listModels({ env, limitModels }),
  }),
  async register_repo_root(request, { session, options: { cwd = process.cwd() } }) {
    const { registerRepoRoot, RootRequest } = await import('./register-repo-root.js');
    return registerRepoRoot(session, parse(RootRequest, request), cwd);
  },
  async stop_task(request, { session }) {
    const { task_id: id } = parse(z.object({ task_id: z.string() }), request);
    await stopTask(session, id, 'stopped by the client');
    return {};
  },
  async background_tasks(request, { session }) {
    const { tool_use_id: id } = parse(z.object({ tool_use_id: z.string().nullish() }), request);
    return { backgrounded: await backgroundTasks(session, id ?? undefined) };
  },
  async mcp_message(request, { servers }) {
    const shape = z.object({ server_name: z.string(), message: z.unknown() });
    const { server_name: name, message } = parse(shape, request);
    const relay = servers.relay(name);
    if (relay === undefined)
      throw new UsageError(
        `"${name}" is not an MCP server of the client: name it in sdkMcpServers of initialize, or in mcp_set_servers.`,
      );
    await relay.receive(message);
    return {};
  },
};

/**
 * @returns the content of the response
 * @throws Error with the fault and a remedy
 */
export async function answerControlRequest(
  subtype: string,
  request: Request,
  driven: Driven,
): Promise<object> {
  const handler = Object.hasOwn(HANDLERS, subtype) ? HANDLERS[subtype] : undefined;
  if (handler !== undefined) return handler(request, driven);
  if (isUnsupported(subtype)) throw unsupportedError(subtype, subtype);
  const known = ['initialize', ...Object.keys(HANDLERS)].join(', ');
  throw new UsageError(`There is no control request "${subtype}". Known: ${known}.`);
}

function parse<Shape extends z.ZodType>(shape: Shape, request: Request): z.infer<Shape> {
  const parsed = shape.safeParse(request);
  if (parsed.success) return parsed.data;
  const why = describeRefusal(parsed.error, request, quotedField('the request'));
  throw new UsageError(withFullStop(why));
}
