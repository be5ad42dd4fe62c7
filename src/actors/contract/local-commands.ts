import { UsageError } from '../../core/errors.js';
import type { CommandBase } from '../../core/commands/command.js';

type Fields = Omit<CommandBase, 'name'>;

/** The commands that Troupe itself carries out in every session, by name. */
export const LOCAL_COMMANDS = {
  compact: {
    argumentHint: '[INSTRUCTIONS]',
    description: 'replaces the conversation by a summary',
  },
  agents: { description: 'the agents that can be started' },
  context: { description: 'how much of the context window the conversation takes' },
  dream: { description: 'consolidates the notes about the project' },
  help: { description: 'what can be typed after a slash' },
  cost: { description: 'the usage of the session', aliases: ['usage'] },
  hooks: { description: 'the hooks of the session' },
  mcp: { description: 'the MCP servers of the session' },
  memory: { description: 'the instructions of the session, and when they count' },
  model: {
    argumentHint: '[MODEL]',
    description: 'the model; with a name another one from the next request on',
  },
  permissions: {
    description: 'the mode, rules and added folders of the session',
    aliases: ['allowed-tools'],
  },
  plugins: { description: 'the plugins of the session', aliases: ['plugin'] },
  'reload-plugins': {
    description: 'reads plugins, skills, agents, hooks, servers and settings again',
  },
  skills: { description: 'the skills and commands of files' },
  status: { description: 'the session, its folder, model, mode and journal' },
  tasks: { description: 'the sub-agents and commands of the session', aliases: ['bashes'] },
} as const satisfies Readonly<Record<string, Fields>>;

export type LocalCommandName = keyof typeof LOCAL_COMMANDS;

export const LOCAL_COMMAND_NAMES = Object.keys(LOCAL_COMMANDS) as readonly LocalCommandName[]; // its own keys

/** The command with this name or alias. */
export function findLocalCommand(word: string): LocalCommandName | undefined {
  return LOCAL_COMMAND_NAMES.find((name) => {
    const { aliases = [] }: Fields = LOCAL_COMMANDS[name];
    return name === word || aliases.includes(word);
  });
}

/** @throws UsageError for words behind a command that takes none */
export function checkWords(name: LocalCommandName, args: string): void {
  const { argumentHint }: Fields = LOCAL_COMMANDS[name];
  if (argumentHint === undefined && args !== '') throw new UsageError(`/${name} takes no words.`);
}
