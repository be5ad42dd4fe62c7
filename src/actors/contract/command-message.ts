import type { SlashCommand } from './slash-commands.js';

/** A message about the commands of a session. */
export type CommandMessage =
  | {
      readonly type: 'system';
      /** A command such as `/cost` has answered; no model was asked. */
      readonly subtype: 'local_command_output';
      /** Text for the person. */
      readonly content: string;
    }
  | {
      readonly type: 'system';
      /** Commands or skills have changed. */
      readonly subtype: 'commands_changed';
      /** All commands that a prompt may be now. */
      readonly commands: readonly SlashCommand[];
    };
