import type { Environment } from '../../files/folders.js';
import type { SessionContext } from '../../context/context-keys.js';
import { given } from '../../core/json/given.js';
import { renderNotes } from '../../context/memory/agent-notes.js';
import { describeServers } from '../../context/server-instructions.js';
import type { MemoryType } from '../../context/memory/memory-file.js';
import { userFolders } from '../../files/folders.js';
import { renderSystemPrompt, takesContext } from '../../context/system-prompt.js';
import type { Tool } from '../../tools/tool.js';
import type { TimeSource } from '../services/timers.js';
import type { NewAgent } from './new-agent.js';
import type { ServerOfferings } from './session/server-offerings.js';
import type { SessionOptions } from './session/session-options.js';

/** @returns a function that makes the system prompt of a new agent with these tools */
export function createSystemOfAgent(
  options: Pick<SessionOptions, 'choices' | 'mcp'>,
  settings: {
    readonly context?: SessionContext | undefined;
    readonly cwd: string;
    readonly env: Environment;
  },
  { now }: TimeSource,
) {
  return (agent: NewAgent, tools: readonly Tool[]): readonly string[] => [
    ...systemOfAgent(agent, options, settings, now()),
    ...instructionsFor([options.mcp], tools),
  ];
}

/** Servers with instructions. */
export type InstructionSource = { readonly offerings: Pick<ServerOfferings, 'instructions'> };

/** The instructions of the servers whose tools an agent has. */
export function instructionsFor(
  sources: readonly (InstructionSource | undefined)[],
  tools: readonly Tool[],
): readonly string[] {
  const servers = sources.filter((one) => one !== undefined);
  if (servers.length === 0) return [];
  const used = new Set(tools.map(({ mcpInfo }) => mcpInfo?.serverName));
  const text = describeServers(
    servers.flatMap((one) => one.offerings.instructions()).filter(({ server }) => used.has(server)),
  );
  return text === undefined ? [] : [text];
}

/** Notes for the main agent. A teammate gets those of teams, as they are then, when it joins. */
const OF_MAIN_AGENT: readonly MemoryType[] = ['AutoMem', 'TeamMem'];

/** The system prompt of a new agent. The options of a session count for the main agent only. */
function systemOfAgent(
  { definition, parent, worktree }: Pick<NewAgent, 'definition' | 'parent' | 'worktree'>,
  { choices }: Pick<SessionOptions, 'choices'>,
  {
    context,
    cwd,
    env,
  }: {
    readonly context?: SessionContext | undefined;
    readonly cwd: string;
    readonly env: Environment;
  },
  now: number,
): readonly string[] {
  const isOwn = parent === undefined;
  const isElsewhere =
    worktree !== undefined || (parent?.parts.toolContext.files.outerRoots ?? []).length > 0;
  const { gitStatus: _ofTheFolder, ...rest } = context ?? {};
  const told = isElsewhere ? rest : context;
  const memory = told?.memory?.filter(({ type }) => isOwn || !OF_MAIN_AGENT.includes(type));
  return renderSystemPrompt({
    prompt: (isOwn ? choices.systemPrompt : undefined) ?? definition.prompt,
    style: isOwn && choices.systemPrompt === undefined ? context?.outputStyle : undefined,
    appended: isOwn ? behind(context?.language, choices.appendSystemPrompt) : undefined,
    notes:
      definition.memory === undefined
        ? undefined
        : renderNotes(definition, { cwd, folders: userFolders(env) }),
    cwd: worktree?.cwd ?? parent?.parts.toolContext.files.projectRoot ?? cwd,
    worktree: worktree?.branch,
    platform: process.platform,
    date: new Date(now).toISOString().slice(0, 10),
    context: takesContext(definition.name, isOwn) ? { ...told, ...given({ memory }) } : undefined,
  });
}

function behind(language: string | undefined, appended: string | undefined): string | undefined {
  if (language === undefined) return appended;
  const said = `Answer the user in this language: ${language}. Names, code and commands stay as they are.`;
  return appended === undefined ? said : `${said}\n\n${appended}`;
}
