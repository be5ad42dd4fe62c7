/**
 * Flags of Claude Code that a run does not have, for clients and scripts that give them. A flag without effect here is
 * accepted; all others are refused with a reason.
 */
export type OtherFlag =
  | {
      readonly type: 'accepted';
      /** Whether the next word is the value. */
      readonly takesValue?: boolean;
      /** The missing effect, for stderr; absent if the flag has its effect. */
      readonly note?: string;
    }
  | { readonly type: 'refused'; readonly why: string };

const accepted = { type: 'accepted' } as const;
const refused = (why: string) => ({ type: 'refused', why }) as const;
const noCloud = refused('Sessions run on this machine only.');
const noChannels = refused('Channels are not supported.');

const OTHER_FLAGS: Readonly<Record<string, OtherFlag>> = {
  '--await-initialize': accepted, // every stream-json session does
  '--ax-screen-reader': accepted,
  '--debug': accepted,
  '-d': accepted,
  '--debug-to-stderr': accepted,
  '--debug-file': { ...accepted, takesValue: true, note: 'no such file is written' },
  '--exclude-dynamic-system-prompt-sections': accepted,
  '--mcp-debug': accepted,
  '--no-chrome': accepted,
  '--prompt-suggestions': { ...accepted, note: 'no prompts are suggested' },
  '--teammate-mode': { ...accepted, takesValue: true },
  '--thinking-display': { ...accepted, takesValue: true },

  '--advisor': refused('There is no advisor.'),
  '--append-subagent-system-prompt': refused(
    'Write the instructions of sub-agents into their definitions.',
  ),
  '--autocompact': refused('The window is compacted when it is nearly full.'),
  '--background': refused('Start the command in the background of your shell.'),
  '--bg': refused('Start the command in the background of your shell.'),
  '--channels': noChannels,
  '--chrome': refused('There is no integration with a browser. Give an MCP server for it.'),
  '--cloud': noCloud,
  '--dangerously-load-development-channels': noChannels,
  '--enable-auto-mode': refused('Write --permission-mode auto.'),
  '--environment': noCloud,
  '--exec': refused('Run the command in your shell.'),
  '--from-pr': refused('Name the session: --resume ID.'),
  '--ide': refused('There is no integration with an editor.'),
  '--managed-settings': refused('Managed settings are read from their file only.'),
  '--permission-prompts': refused('Name who decides: --permission-prompt-tool.'),
  '--plugin-dir-no-mcp': refused('Write --plugin-dir, and deny the tools of its servers.'),
  '--plugin-url': refused('Download the plugin and name its folder: --plugin-dir.'),
  '--rc': noCloud,
  '--ref': noCloud,
  '--remote': noCloud,
  '--remote-control': noCloud,
  '--remote-control-session-name-prefix': noCloud,
  '--resume-session-at': refused('A session is resumed as a whole. Leave the flag out.'),
  '--rewind-files': refused(
    'Go back at a terminal: resume the session there, and press Esc twice.',
  ),
  '--session-mirror': refused('Sessions are kept in the journal only.'),
  '--task-budget': refused('Limit the session with --max-budget-usd or --max-turns.'),
  '--teleport': noCloud,
  '--tmux': refused('Start the command in tmux.'),
  '--worktree': refused('Make the worktree with git and start there.'),
  '-w': refused('Make the worktree with git and start there.'),
};

/** The accepted flags that take the next word for their value. */
export const FLAGS_WITH_A_VALUE = Object.entries(OTHER_FLAGS).flatMap(([name, flag]) =>
  flag.type === 'accepted' && flag.takesValue === true ? [name] : [],
);

/** A flag that other agents have and this command does not. */
export function findOtherFlag(word: string): OtherFlag | undefined {
  return Object.hasOwn(OTHER_FLAGS, word) ? OTHER_FLAGS[word] : undefined;
}
