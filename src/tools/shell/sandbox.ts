import { z } from 'zod';
import { PROTECTED_NAMES } from '../../permissions/paths/protected.js';
import { SANDBOX_MODES } from '../../processes/sandbox/sandbox.js';
import { completeTool } from '../complete-tool.js';
import { workspaceOf } from './workspace-of.js';

export const SandboxInput = z.strictObject({});
export type SandboxInput = z.infer<typeof SandboxInput>;

export const SandboxOutput = z.lazy(() =>
  z.object({
    kind: z.enum(SANDBOX_MODES),
    /** Folders and files that commands can write to; empty without a sandbox. */
    writable: z.array(z.string()),
    /** Whether commands reach the network. */
    network: z.boolean(),
    /** Contents of Bash rules: a line runs outside if each of its commands matches one. */
    excludedCommands: z.array(z.string()),
    /** Whether `dangerouslyDisableSandbox` of Bash has an effect. */
    allowUnsandboxedCommands: z.boolean(),
  }),
);
export type SandboxOutput = Readonly<z.infer<typeof SandboxOutput>>;

/** Describes the sandbox of the shells. Runs nothing. */
export const SandboxTool = completeTool<typeof SandboxInput, SandboxOutput>({
  name: 'Sandbox',
  shouldDefer: true,
  searchHint: 'what shell commands may write, network access, restrictions',
  inputSchema: SandboxInput,
  outputSchema: SandboxOutput,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  description: () => 'Show the sandbox of shell commands',
  prompt: () => PROMPT,
  mapToolResultToToolResultBlockParam: (status, toolUseId) => ({
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: describe(status),
  }),

  call(_input, context) {
    context.call.abortController.signal.throwIfAborted();
    const { sandbox } = context.session;
    if (sandbox === undefined || sandbox.kind === 'none')
      return Promise.resolve({ data: NO_SANDBOX });
    const { kind, network, excludedCommands, allowUnsandboxedCommands } = sandbox;
    return Promise.resolve({
      data: {
        kind,
        writable: [...new Set([...workspaceOf(context), ...sandbox.writable])],
        network,
        excludedCommands: [...excludedCommands],
        allowUnsandboxedCommands,
      },
    });
  },
});

const NO_SANDBOX: SandboxOutput = {
  kind: 'none',
  writable: [],
  network: true,
  excludedCommands: [],
  allowUnsandboxedCommands: false,
};

function describe(status: SandboxOutput): string {
  if (status.kind === 'none')
    return 'No sandbox: shell commands can do what the user can do. Only the permission rules and the mode limit them.';
  return [
    `Shell commands run in the sandbox ${KINDS[status.kind]}.`,
    `Writable: ${status.writable.join(', ')}${status.kind === 'bwrap' ? ', /tmp' : ''}. Everything else is read-only or hidden, also protected names directly in the workspace (${SOME_PROTECTED} and others).`,
    status.network
      ? 'Network: open.'
      : 'Network: none, not even the servers of this machine. Downloads and pushes fail.',
    status.excludedCommands.length === 0
      ? 'No command runs outside by itself.'
      : `A command line runs outside if each of its commands matches one of: ${status.excludedCommands.join(', ')}. It needs approval unless rules allow it.`,
    status.allowUnsandboxedCommands
      ? 'To run one command outside, call Bash with dangerouslyDisableSandbox: a person must approve it.'
      : 'No command can request to run outside: dangerouslyDisableSandbox has no effect.',
  ].join('\n');
}

const KINDS = {
  bwrap: 'bwrap (bubblewrap)',
  external: "external (the user's own launcher, which gets these limits and must enforce them)",
} as const;

const SOME_PROTECTED = PROTECTED_NAMES.directories.slice(0, 3).join(', ');

const PROMPT = `Shows the sandbox of shell commands: its kind, what they can write, whether they reach the network, and how a command leaves it.

- Use it if a command fails with "Read-only file system", "Permission denied" or without network, before you try another way.
- It changes nothing. Read, Write and Edit run outside the sandbox: permission rules decide on them.`;
