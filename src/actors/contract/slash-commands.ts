import type { CommandBase, McpPrompt, ProgramCommand, Skill } from '../../core/commands/command.js';
import { isListed } from '../../core/commands/find-skill.js';
import { given } from '../../core/json/given.js';
import { LOCAL_COMMAND_NAMES, LOCAL_COMMANDS, type LocalCommandName } from './local-commands.js';
import { localCommandsOf } from './program-commands.js';
import { commandNamesOf } from './read-command.js';

/** A command that can be used as a prompt. */
export type SlashCommand = {
  /** Name without the slash. */
  readonly name: string;
  /** Effect of the command, for people. */
  readonly description: string;
  /** Words that may follow the name; empty if the author names none. */
  readonly argumentHint: string;
  /** Other words that mean the command. */
  readonly aliases?: readonly string[];
  /** Name for people, if it differs from `name`. */
  readonly userFacingName?: string;
  /** True for a prompt of an MCP server. */
  readonly isMcp?: boolean;
  /** `workflow`: the prompt starts a workflow. */
  readonly kind?: 'workflow';
};

/**
 * Everything that a person can type after a slash. A skill comes before a command of Troupe with its name.
 *
 * @param toOwn makes a command of Troupe
 */
export function collectCommands<Own>(
  skills: readonly Skill[] | undefined,
  prompts: readonly McpPrompt[],
  toOwn: (name: LocalCommandName) => Own,
  ofProgram: readonly (CommandBase & Own)[] = [],
): readonly (Own | Skill | McpPrompt)[] {
  const files = (skills ?? []).filter(({ userInvocable }) => userInvocable);
  const named = new Map<string, Own | Skill | McpPrompt>([
    ...LOCAL_COMMAND_NAMES.map((name) => [name, toOwn(name)] as const),
    ...[...files, ...prompts, ...ofProgram].map((command) => [command.name, command] as const),
  ]);
  return commandNamesOf(skills, prompts, ofProgram).flatMap((name) => named.get(name) ?? []);
}

/** The commands as clients list them. */
export function listSlashCommands(
  {
    skills,
    commands,
  }: {
    readonly skills?: readonly Skill[] | undefined;
    readonly commands?: readonly ProgramCommand[] | undefined;
  },
  prompts: readonly McpPrompt[] = [],
): readonly SlashCommand[] {
  const toOwn = (name: LocalCommandName): CommandBase => ({ name, ...LOCAL_COMMANDS[name] });
  return toSlashCommands(
    collectCommands<CommandBase>(skills, prompts, toOwn, localCommandsOf(commands)),
  );
}

/** The commands that lists for people have. */
export function toSlashCommands(commands: readonly CommandBase[]): readonly SlashCommand[] {
  return commands.filter(isListed).map(toSlashCommand);
}

function toSlashCommand({
  name,
  description,
  argumentHint = '',
  aliases,
  userFacingName,
  isMcp,
  kind,
}: CommandBase): SlashCommand {
  const shown = given({ aliases, userFacingName: userFacingName?.(), isMcp, kind });
  return { name, description, argumentHint, ...shown };
}
