import type { AvailableCommand, SessionUpdate } from '@agentclientprotocol/sdk';
import { oneLine } from '../../api/text.js';
import type { SessionHandle } from '../../api/types.js';
import { SLASH_COMMANDS } from '../interactive/slash-commands.js';

const MOST_DESCRIPTION = 200;

/** The commands that a prompt may be: the compaction, skills and commands of files, prompts of MCP servers. */
export function commandsUpdate(
  session: Pick<SessionHandle, 'mcpPrompts' | 'skills'>,
): SessionUpdate {
  const skills = (session.skills() ?? []).filter(({ userInvocable }) => userInvocable);
  const typed = [
    { name: 'compact', ...SLASH_COMMANDS.compact },
    ...skills,
    ...session.mcpPrompts(),
  ];
  return { sessionUpdate: 'available_commands_update', availableCommands: typed.map(toCommand) };
}

type Typed = {
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string | undefined;
};

function toCommand({ name, description, argumentHint = '' }: Typed): AvailableCommand {
  const shown = { name, description: oneLine(description, MOST_DESCRIPTION) };
  return argumentHint === '' ? shown : { ...shown, input: { hint: argumentHint } };
}
