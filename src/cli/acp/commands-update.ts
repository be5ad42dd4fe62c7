import type { AvailableCommand, SessionUpdate } from '@agentclientprotocol/sdk';
import { describeCommand, isListed } from '../../api/sessions/prompts.js';
import { oneLine } from '../../api/text.js';
import type { Command, SessionHandle } from '../../api/types.js';

const MOST_DESCRIPTION = 200;

/** The commands that a prompt may be. */
export function commandsUpdate(session: Pick<SessionHandle, 'commands'>): SessionUpdate {
  return {
    sessionUpdate: 'available_commands_update',
    availableCommands: session.commands().filter(isListed).map(toCommand),
  };
}

function toCommand(command: Command): AvailableCommand {
  const { name, argumentHint = '' } = command;
  const shown = { name, description: oneLine(describeCommand(command), MOST_DESCRIPTION) };
  return argumentHint === '' ? shown : { ...shown, input: { hint: argumentHint } };
}
