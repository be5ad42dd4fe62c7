import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { UsageError } from '../../api/errors.js';
import { describeRefusal, quotedField, withFullStop } from '../../api/text.js';
import type { McpServers, PermissionUpdate } from '../../api/types.js';
import { joinHooks } from '../../api/extensions/hooks.js';
import { withBuiltInAgents, withReadServers } from '../../api/extensions/agents.js';
import { loadMcpConfig, problemOfServerName } from '../../api/mcp/mcp.js';
import { toPolicyRules } from '../../api/query/change-servers.js';
import { mapLive } from '../../api/options/live-options.js';
import { limitSkills, rulesOfLimit } from '../../api/options/limit-skills.js';
import { applyPermissionUpdate } from '../../api/permissions/permissions.js';
import { parseAgents } from '../arguments/parse-agents.js';
import type { PreparedRun } from '../run/prepare-run.js';
import type { ClientChannel } from './client-channel.js';
import { toClientElicitation } from './client-elicitation.js';
import { ClientHooks, toClientHooks } from './client-hooks.js';
import { ClientServer, createRelays, type FirstServers } from './client-servers.js';

const record = z.record(z.string(), z.unknown());

/** Fields that change the session. */
const honoured = {
  agents: record,
  appendSystemPrompt: z.string(),
  forwardSubagentText: z.boolean(),
  hooks: ClientHooks,
  jsonSchema: record,
  /** Servers as in `--mcp-config`. */
  mcpServers: record,
  /** Names of servers inside the client. */
  sdkMcpServers: z.array(z.string()),
  sdkMcpServerConfigs: z.record(z.string(), ClientServer),
  /** Names of the skills that the model may use, or `all`. */
  skills: z.union([z.literal('all'), z.array(z.string())]),
  systemPrompt: z.union([z.string(), z.array(z.string())]),
  title: z.string(),
};

/** Fields that save time or describe the display of the client: a session works the same without them. */
const withoutEffect = {
  agentProgressSummaries: z.unknown(),
  excludeDynamicSections: z.unknown(),
  perTaskStopAffordance: z.unknown(),
  promptSuggestions: z.unknown(),
  sdkMcpServerManifests: z.unknown(),
  sdkMcpServerManifestsOrigin: z.unknown(),
  supportedDialogKinds: z.unknown(),
  systemPromptSnapshot: z.unknown(),
};

/** The fields among those that a user would miss. */
const TOLD: readonly string[] = ['agentProgressSummaries', 'promptSuggestions'];

const Initialize = z
  .strictObject({ subtype: z.literal('initialize'), ...honoured, ...withoutEffect })
  .partial();

export type Initialized = {
  readonly prepared: PreparedRun;
  /** The client's own MCP servers. */
  readonly first: FirstServers;
  /** Fields of the response beside the description of the session. */
  readonly response: Readonly<Record<string, unknown>>;
  /** Fields without effect, for stderr. */
  readonly warnings: readonly string[];
};

type Request = Readonly<Record<string, unknown>>;
type Fields = z.infer<typeof Initialize>;

/**
 * Add the fields of a client's `initialize` to a run. Every field has its effect, is harmless without effect, or is
 * refused: no session runs with less protection than its client asked for.
 *
 * @throws UsageError that names the field
 */
export async function applyInitialize(
  prepared: PreparedRun,
  request: Request,
  channel: Pick<ClientChannel, 'request'>,
): Promise<Initialized> {
  const fields = parseFields(request);
  const { options } = prepared;
  const hooks = toClientHooks(fields.hooks ?? {}, channel);
  const { agents, warnings: ofAgents } = withReadServers(
    parseAgents(JSON.stringify(fields.agents ?? {}), 'initialize: agents'),
    ({ name }) => `initialize: agents: "${name}"`,
    options.env ?? {},
  );
  const servers = await toServers(fields, prepared, channel);
  const limited = limitSkills(options.skills ?? [], fields.skills ?? 'all');
  const warnings = [
    ...ofAgents,
    ...servers.warnings,
    ...limited.warnings,
    ...TOLD.filter((name) => isFilled(request[name])).map(
      (name) => `"${name}" in initialize has no effect.`,
    ),
  ];
  const allAgents = [...(options.agents ?? []), ...agents];
  return {
    prepared: {
      ...prepared,
      definitions: withBuiltInAgents(allAgents),
      start: { ...prepared.start, ...toStart(fields, prepared.start) },
      options: {
        ...options,
        agents: allAgents,
        ...(options.skills === undefined ? {} : { skills: limited.skills }),
        hooks: joinHooks(options.hooks ?? {}, hooks),
        ...(options.liveFiles && {
          liveFiles: mapLive(options.liveFiles, (live) => ({
            ...live,
            agents: [...(live.agents ?? []), ...agents],
            ...(live.skills && { skills: limitSkills(live.skills, fields.skills ?? 'all').skills }),
            hooks: joinHooks(live.hooks ?? {}, hooks),
            mcpServers: { ...live.mcpServers, ...servers.own },
          })),
        }),
        onElicitation: toClientElicitation(channel),
        mcpServers: servers.servers,
        permissions: [...servers.policies, ...skillRules(fields)].reduce(
          applyPermissionUpdate,
          options.permissions,
        ),
      },
    },
    first: { relays: servers.relays, policies: servers.policies },
    warnings,
    response: {
      hook_on_failure_supported: true,
      ...(fields.hooks === undefined ? {} : { hooks_applied: true }),
      ...(fields.mcpServers === undefined ? {} : { mcp_servers_applied: true }),
    },
  };
}

/**
 * Check an `initialize` that comes after the session has begun.
 *
 * @param first the `initialize` that began the session; undefined if another line did
 * @throws UsageError if it asks for anything different
 */
export function checkRepeated(request: Request, first: Request = {}): void {
  const asked = filledOf(request);
  const isEmpty = Object.keys(asked).every((name) => name === 'subtype' || name in withoutEffect);
  if (isEmpty || isDeepStrictEqual(asked, filledOf(first))) return;
  throw new UsageError(
    'The session has begun, and this "initialize" differs from its beginning. Send "initialize" first.',
  );
}

function parseFields(request: Request): Fields {
  const filled = filledOf(request);
  const parsed = Initialize.safeParse(filled);
  if (parsed.success) return parsed.data;
  const unknown = parsed.error.issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown !== undefined)
    throw new UsageError(
      `"${unknown.keys.join('", "')}" in initialize is not supported, and the session would not be what you expect without it. Leave it out.`,
    );
  const why = describeRefusal(parsed.error, filled, quotedField('the request'));
  throw new UsageError(`initialize: ${withFullStop(why)}`);
}

/** Remove the empty fields. */
function filledOf(request: Request): Request {
  const filled = Object.entries(request).filter(
    ([name, value]) => isFilled(value) || (name === 'skills' && Array.isArray(value)), // no skills at all
  );
  return Object.fromEntries(filled);
}

function isFilled(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.some((one) => one !== '');
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** A resumed session keeps its system prompt: clients give the same options again. */
function toStart(
  { systemPrompt, appendSystemPrompt, jsonSchema, title, forwardSubagentText }: Fields,
  start: PreparedRun['start'],
): Partial<PreparedRun['start']> {
  const resumes = start.resume !== undefined || start.continues === true;
  const text = toText(systemPrompt);
  return {
    ...(resumes || text === '' ? {} : { systemPrompt: text }),
    ...(resumes || appendSystemPrompt === undefined ? {} : { appendSystemPrompt }),
    ...(jsonSchema === undefined ? {} : { outputSchema: jsonSchema }),
    ...(title === undefined ? {} : { title }),
    ...(forwardSubagentText === undefined ? {} : { forwardSubagentText }),
  };
}

/** The mark between the texts for all users and those for one user in a list of texts. */
const BOUNDARY = '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__';

function toText(systemPrompt: Fields['systemPrompt'] = ''): string {
  const texts = typeof systemPrompt === 'string' ? [systemPrompt] : systemPrompt;
  return texts.filter((text) => text.trim() !== '' && text !== BOUNDARY).join('\n\n');
}

async function toServers(
  { sdkMcpServers = [], sdkMcpServerConfigs = {}, mcpServers }: Fields,
  { options }: PreparedRun,
  channel: Pick<ClientChannel, 'request'>,
): Promise<{
  readonly servers: McpServers;
  /** The servers of the client. */
  readonly own: McpServers;
  readonly relays: FirstServers['relays'];
  /** Rules for the tools of its servers. */
  readonly policies: FirstServers['policies'];
  readonly warnings: readonly string[];
}> {
  const given =
    mcpServers === undefined
      ? { servers: {}, warnings: [] }
      : await loadMcpConfig(JSON.stringify({ mcpServers }), {
          env: options.env ?? {},
          name: 'initialize',
        });
  const configs = Object.fromEntries(
    sdkMcpServers.map((name) => [name, sdkMcpServerConfigs[name] ?? {}]),
  );
  const relays = createRelays(configs, channel);
  const ofRelays = Object.fromEntries([...relays].map(([name, { config }]) => [name, config]));
  const own = { ...given.servers, ...ofRelays };
  const servers = { ...options.mcpServers, ...own };
  const names = Object.keys(servers);
  for (const name of sdkMcpServers) {
    const problem = problemOfServerName(name, names);
    if (problem !== undefined) throw new UsageError(`"sdkMcpServers" in initialize: ${problem}.`);
  }
  return { servers, own, relays, policies: toPolicyRules(configs), warnings: given.warnings };
}

function skillRules({ skills }: Fields): PermissionUpdate[] {
  const rules = rulesOfLimit(skills).map((toolName) => ({ toolName }));
  return rules.length === 0
    ? []
    : [{ type: 'addRules', behavior: 'allow', rules, destination: 'session' }];
}
