import { userFolders, type Environment } from '../../files/folders.js';
import type { AgentDefinition } from '../../core/agents/agent-definition.js';
import { given as present } from '../../core/json/given.js';
import { printableLine } from '../../core/text/printable.js';
import { findDirectory } from '../../settings/files/find-directory.js';
import { makeHome } from '../../journal/storage/prepare-folders.js';
import { folderToWorkIn } from '../../journal/sessions/work-folder.js';
import { openAnthropicModel } from '../../model/anthropic/open-anthropic-model.js';
import { ModelAuthMissingError } from '../../model/errors/model-auth-missing-error.js';
import type { PermissionUpdate } from '../../core/permission-types.js';
import { applyPermissionUpdate } from '../../permissions/modes/apply-update.js';
import { parseRuleList } from '../../permissions/rules/rule-list.js';
import { getAllBaseTools } from '../../tools/pool/base-tools.js';
import { checkHooks } from '../../extensions/hooks/check-hooks.js';
import { joinHooks } from '../../extensions/hooks/join-hooks.js';
import type { McpServers } from '../../extensions/mcp/servers/server-config.js';
import type { KeyHelper } from '../options/key-helper.js';
import type { Workspace } from '../options/workspace.js';
import { assembleOptions } from '../options/assemble-options.js';
import { mapLive } from '../options/live-options.js';
import { limitSkills, rulesOfLimit } from '../options/limit-skills.js';
import type { OrchestratorOptions } from '../../actors/options/orchestrator-options.js';
import type { SessionStart } from '../../actors/contract/session-start.js';
import { toPolicyRules } from './change-servers.js';
import { parseOptions, type ParsedOptions } from './parse-options.js';
import { toStart } from './to-start.js';

type Options = ParsedOptions['options'];

export type PreparedQuery = {
  readonly options: OrchestratorOptions;
  readonly start: SessionStart;
  /** Rules for the tools of its own servers, which are among the permissions. */
  readonly policies: readonly PermissionUpdate[];
  /** ID of the message that the copied conversation ends with. */
  readonly upToMessageId?: string;
  /** Options without effect. */
  readonly warnings: readonly string[];
  /** Called with each line for stderr. */
  readonly tell: (line: string) => void;
};

/**
 * Check everything of a query, and read the files that its options name. Without `settingSources` no file of the user
 * or the project is read; to name a source is to trust it.
 *
 * @throws UsageError for any invalid part
 */
export async function prepareQuery(given: unknown): Promise<PreparedQuery> {
  const { options, warnings } = parseOptions(given);
  const env: Environment = options.env ?? process.env;
  const { allowedTools = [], disallowedTools = [], settingSources = [], persistSession } = options;
  const inline = Object.entries(options.agents ?? {}).map(([name, spec]) => ({ name, ...spec }));
  const agents = inline as readonly AgentDefinition[]; // parsed: no property is undefined
  for (const [name, lists] of Object.entries({ allowedTools, disallowedTools }))
    for (const list of lists) parseRuleList(list, name); // errors name the option
  const assembled = await assembleOptions({
    cwd: await findCwd(options, env),
    env,
    sources: settingSources,
    flags: settingsOf(options),
    additionalDirectories: options.additionalDirectories ?? [],
    directoryOption: DIRECTORY_OPTION,
    isTrusted: () => true,
    discovers: true,
    pluginFolders: (options.plugins ?? []).map(({ path }) => path),
    readsContext: settingSources.length > 0 || typeof options.systemPrompt === 'object',
    usesSkills: true,
    mcpServers: options.mcpServers ?? {},
    mcpOption: 'query: "mcpServers"',
    usesOnlyGivenServers: options.strictMcpConfig ?? false,
    permissionMode: options.permissionMode,
    allowedTools: [...allowedTools, ...rulesOfLimit(options.skills)],
    disallowedTools,
    allowsBypass: options.allowDangerouslySkipPermissions ?? false,
    isRoot: process.getuid?.() === 0,
    agents,
    knowsAgents: true,
    agent: options.agent,
    effort: options.effort,
    model: options.model,
    fallbackModel: options.fallbackModel,
    maxConcurrentAgents: undefined,
    sandbox: options.sandbox,
    chooseModel: async (...chosen) => chooseModel(...chosen),
    resumes: options.continue === true || options.resume !== undefined,
    persists: persistSession ?? true,
  });
  const { hooks = {}, home, liveFiles, persists } = assembled.options;
  const own = checkHooks(options.hooks, 'query: hooks');
  const limited = limitSkills(assembled.options.skills ?? [], options.skills ?? 'all');
  if (home !== undefined && persists !== false) makeHome(home);
  const policies = toPolicyRules(ownServers(options));
  const tools = Array.isArray(options.tools) ? (options.tools as readonly string[]) : undefined;
  return {
    options: {
      ...assembled.options,
      skills: limited.skills,
      hooks: joinHooks(hooks, own),
      permissions: policies.reduce(applyPermissionUpdate, assembled.options.permissions),
      ...present({
        liveFiles:
          liveFiles &&
          mapLive(liveFiles, (live) => ({
            ...live,
            skills: limitSkills(live.skills ?? [], options.skills ?? 'all').skills,
            hooks: joinHooks(live.hooks ?? {}, own),
          })),
        builtInTools: tools?.filter(isBuiltIn),
        canUseTool: options.canUseTool,
        onElicitation: options.onElicitation,
        permissionPromptTool: options.permissionPromptToolName,
        webSearch: options.webSearch,
        commands: options.commands && (await refusing(options.commands)),
      }),
    },
    start: { ...toStart(options), ...assembled.start },
    policies,
    ...present({ upToMessageId: options.resumeSessionAt }),
    warnings: [
      ...warnings,
      ...assembled.warnings,
      ...limited.warnings,
      ...describeUnknownTools(tools ?? []),
    ],
    tell: (line) => (options.stderr ?? writeToStderr)(`troupe: ${line}\n`),
  };
}

/** The commands of the program: those that need a person refuse each use. */
async function refusing(commands: NonNullable<Options['commands']>): Promise<typeof commands> {
  const { withoutPerson } = await import('../../actors/contract/without-person.js');
  return withoutPerson(commands);
}

/** The servers inside the program: the policies of others hold only if they are set while the session runs. */
function ownServers({ mcpServers = {} }: Options): McpServers {
  return Object.fromEntries(Object.entries(mcpServers).filter(([, { type }]) => type === 'sdk'));
}

const DIRECTORY_OPTION = {
  option: 'query: "additionalDirectories"',
  hint: 'Give existing folders.',
};

const INSTEAD_OF_A_KEY =
  'give query() an `options.env` that has it. ' +
  'To run without a key, use createFakeMessagesApi of troupe/testing: see docs/build/query.md';

/** @throws ModelAuthMissingError without a key */
function chooseModel(
  name: string | undefined,
  workspace: Workspace,
  { print: apiKeyHelper }: KeyHelper,
): ReturnType<typeof openAnthropicModel> {
  try {
    return openAnthropicModel(name, workspace.env, present({ apiKeyHelper }));
  } catch (error) {
    if (!(error instanceof ModelAuthMissingError)) throw error;
    throw new ModelAuthMissingError(workspace.env, INSTEAD_OF_A_KEY);
  }
}

function writeToStderr(line: string): void {
  process.stderr.write(`${printableLine(line.trimEnd())}\n`);
}

async function findCwd({ cwd, resume }: Options, env: Environment): Promise<string> {
  if (cwd === undefined)
    return folderToWorkIn(resume, { cwd: process.cwd(), home: userFolders(env).troupe });
  return findDirectory(cwd, {
    cwd: process.cwd(),
    option: 'query: "cwd"',
    hint: 'Give an existing folder.',
  });
}

function settingsOf({ settings }: Options): readonly string[] {
  if (settings === undefined) return [];
  return [typeof settings === 'string' ? settings : JSON.stringify(settings)];
}

function isBuiltIn(name: string): boolean {
  return builtInNames().includes(name);
}

function builtInNames(): readonly string[] {
  return getAllBaseTools().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
}

function describeUnknownTools(names: readonly string[]): readonly string[] {
  return names
    .filter((name) => !isBuiltIn(name) && !name.startsWith('mcp__'))
    .map(
      (name) =>
        `tools: there is no built-in tool "${name}". Built in: ${builtInNames().join(', ')}.`,
    );
}
