import { z } from 'zod';
import { describeRefusal, quotedField } from '../../core/text/describe-issue.js';
import { PermissionUpdate } from '../../core/permission-types.js';

const Input = z.record(z.string(), z.unknown());

const PreToolUseOutput = z.looseObject({
  hookEventName: z.literal('PreToolUse'),
  permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
  permissionDecisionReason: z.string().optional(),
  updatedInput: Input.optional(),
  additionalContext: z.string().optional(),
});

const PermissionRequestOutput = z.looseObject({
  hookEventName: z.literal('PermissionRequest'),
  decision: z
    .discriminatedUnion('behavior', [
      z.looseObject({
        behavior: z.literal('allow'),
        updatedInput: Input.optional(),
        updatedPermissions: z.array(PermissionUpdate).optional(),
      }),
      z.looseObject({
        behavior: z.literal('deny'),
        message: z.string().optional(),
        interrupt: z.boolean().optional(),
      }),
    ])
    .optional(),
});

/** What a hook says: JSON on stdout, or what a callback returns. Everything may be left out. */
export const HookOutput = z.looseObject({
  /** False ends the turn, whatever else is said. */
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  suppressOutput: z.boolean().optional(),
  /** For the person. */
  systemMessage: z.string().optional(),
  /** Older words for a permission decision. */
  decision: z.enum(['approve', 'block']).optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z
    .discriminatedUnion('hookEventName', [PreToolUseOutput, PermissionRequestOutput])
    .optional(),
});
export type HookOutput = z.input<typeof HookOutput>;

/** A hook that failed: shown, and without an opinion. */
export type HookFailure = { readonly problem: string };

/**
 * What the end of a command says. Exit code 2 blocks, with stderr as the reason; any other but 0 is a failure. Output
 * that does not begin as JSON says nothing.
 */
export function readCommandOutput({
  exitCode,
  stdout,
  stderr,
}: {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}): HookOutput | HookFailure {
  const said = stderr.trim();
  if (exitCode === 2) return { decision: 'block', reason: said || 'it gave no reason' };
  if (exitCode !== 0) {
    const how = exitCode === null ? 'it was ended by a signal' : `it exited with ${exitCode}`;
    const problem = said === '' ? how : `${how}: ${said}`;
    return { problem: `${problem}${remedyFor(exitCode)}` };
  }
  const text = stdout.trim();
  if (!text.startsWith('{')) return {};
  try {
    return parseHookOutput(JSON.parse(text));
  } catch (error) {
    return { problem: `its output begins as JSON and is none: ${(error as Error).message}` }; // a SyntaxError
  }
}

/** What to do about the exit codes by which a shell says that it could not run the command. */
function remedyFor(exitCode: number | null): string {
  if (exitCode === 126) return '. Make the file executable: chmod +x FILE';
  return exitCode === 127 ? '. There is no such command: name a file that is there' : '';
}

export function parseHookOutput(value: unknown): HookOutput | HookFailure {
  if (value === undefined || value === null) return {};
  const parsed = HookOutput.safeParse(value);
  if (parsed.success) return parsed.data;
  const why = describeRefusal(parsed.error, value, quotedField('it'));
  return { problem: `its output cannot be used: ${why}` };
}
