import type { AvailableCommand, SessionUpdate } from '@agentclientprotocol/sdk';
import { oneLine } from '../../api/text.js';
import type { Command, SessionHandle } from '../../api/types.js';

const MOST_DESCRIPTION = 200;

/** The commands that a prompt may be. */
export function commandsUpdate(session: Pick<SessionHandle, 'commands'>): SessionUpdate {
  return {
    sessionUpdate: 'available_commands_update',
    availableCommands: session.commands().map(toCommand),
  };
}

function toCommand({ name, description, argumentHint = '' }: Command): AvailableCommand {
  const shown = { name, description: oneLine(description, MOST_DESCRIPTION) };
  return argumentHint === '' ? shown : { ...shown, input: { hint: argumentHint } };
}
