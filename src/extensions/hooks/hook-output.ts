import { z } from 'zod';
import { describeRefusal, quotedField } from '../../core/text/describe-issue.js';
import { PermissionUpdate } from '../../core/permission-types.js';
import { factsOfEvent, type HookEvent } from '../../settings/hook-events.js';

const Input = z.record(z.string(), z.unknown());

const ToolUse = z.looseObject({
  hookEventName: z.literal('PreToolUse'),
  permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
  permissionDecisionReason: z.string().optional(),
  updatedInput: Input.optional(),
  additionalContext: z.string().optional(),
});

const Request = z.looseObject({
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

const AfterToolUse = z.looseObject({
  hookEventName: z.literal('PostToolUse'),
  additionalContext: z.string().optional(),
  updatedToolOutput: z.unknown().optional(),
  updatedMCPToolOutput: z.unknown().optional(),
});

const WithContext = z.looseObject({
  hookEventName: z.enum([
    'PostToolUseFailure',
    'UserPromptSubmit',
    'Stop',
    'SubagentStop',
    'SessionStart',
    'SubagentStart',
    'PreCompact',
    'Notification',
  ]),
  additionalContext: z.string().optional(),
});

/** The output of a `PreToolUse` hook. */
type PreToolUseOutput = {
  readonly hookEventName: 'PreToolUse';
  /** Decision on the tool call; `defer` is no opinion. `allow` does not override a rule that denies or asks. */
  readonly permissionDecision?: 'allow' | 'deny' | 'ask' | 'defer' | undefined;
  /** Why: for the model if the call is denied, for a person if permission is requested. */
  readonly permissionDecisionReason?: string | undefined;
  /** Input that runs instead. It is parsed and judged by every rule again. */
  readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
  /** Text for the model, added to the result of the call. */
  readonly additionalContext?: string | undefined;
  readonly [field: string]: unknown;
};

/** The decision of a `PermissionRequest` hook, in place of a person. */
type RequestDecision =
  | {
      readonly behavior: 'allow';
      /** Input that runs instead. It is parsed and judged by every rule again. */
      readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
      /** Changes of rules or mode, such as one of `permission_suggestions`. They hold at once. */
      readonly updatedPermissions?: readonly PermissionUpdate[] | undefined;
      readonly [field: string]: unknown;
    }
  | {
      readonly behavior: 'deny';
      /** Why, in words for the model. */
      readonly message?: string | undefined;
      /** True: end the turn of the agent that made the request. */
      readonly interrupt?: boolean | undefined;
      readonly [field: string]: unknown;
    };

/** The output of a `PermissionRequest` hook. */
type PermissionRequestOutput = {
  readonly hookEventName: 'PermissionRequest';
  /** The decision; without it approvers decide. */
  readonly decision?: RequestDecision | undefined;
  readonly [field: string]: unknown;
};

/** The output of a `PostToolUse` hook. */
type PostToolUseOutput = {
  readonly hookEventName: 'PostToolUse';
  /** Text for the model, added to the result of the call. */
  readonly additionalContext?: string | undefined;
  /**
   * Replaces the result: a text, content blocks, or fields of the tool's own output. A value that cannot be used replaces
   * the result by an error.
   */
  readonly updatedToolOutput?: unknown;
  /** The same, for tools of MCP servers only. */
  readonly updatedMCPToolOutput?: unknown;
  readonly [field: string]: unknown;
};

/** The output of a hook that can add a text for the model. */
type ContextOutput = {
  /** Name of the event. */
  readonly hookEventName: z.infer<typeof WithContext>['hookEventName'];
  /** Text for the model. */
  readonly additionalContext?: string | undefined;
  readonly [field: string]: unknown;
};

/** The output of a hook: JSON on stdout, or the result of a callback. Texts are cut after 10,000 characters. */
export type HookOutput = {
  /** False: end the turn, and deny a tool call that has not run, whatever else the output says. */
  readonly continue?: boolean | undefined;
  /** Why the turn ends, with `continue: false`. */
  readonly stopReason?: string | undefined;
  /** Without effect: nobody sees what a hook prints. */
  readonly suppressOutput?: boolean | undefined;
  /** Text that is shown to the person. */
  readonly systemMessage?: string | undefined;
  /** `block` has the effect of exit code 2. Before a tool call, `approve` is an older word for `allow`. */
  readonly decision?: 'approve' | 'block' | undefined;
  /** Why, with `decision`. */
  readonly reason?: string | undefined;
  /** Output for this event. */
  readonly hookSpecificOutput?:
    PreToolUseOutput | PermissionRequestOutput | PostToolUseOutput | ContextOutput | undefined;
  readonly [field: string]: unknown;
};
export const HookOutput = z.looseObject({
  continue: z.boolean().optional(),
  stopReason: z.string().optional(),
  suppressOutput: z.boolean().optional(),
  systemMessage: z.string().optional(),
  decision: z.enum(['approve', 'block']).optional(),
  reason: z.string().optional(),
  hookSpecificOutput: z
    .discriminatedUnion('hookEventName', [ToolUse, Request, AfterToolUse, WithContext])
    .optional(),
}) satisfies z.ZodType<HookOutput>;

/** A hook that failed: the failure is shown, and the hook has no opinion. */
export type HookFailure = { readonly problem: string };

/**
 * Read the output of a command that ended. Exit code 2 blocks, with stderr as the reason, if hooks of the event can; any
 * other code except 0 is a failure. Output that does not begin like JSON is a text for the model after some events, and
 * has no effect after the others.
 */
export function readCommandOutput(
  {
    exitCode,
    stdout,
    stderr,
  }: {
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
  },
  event: HookEvent,
): HookOutput | HookFailure {
  const said = stderr.trim();
  const { blocks } = factsOfEvent(event);
  if (exitCode === 2 && blocks !== undefined)
    return { decision: 'block', reason: said || 'it gave no reason' };
  if (exitCode !== 0) {
    const how = exitCode === null ? 'a signal ended it' : `it exited with ${exitCode}`;
    const problem = said === '' ? how : `${how}: ${said}`;
    return { problem: `${problem}${remedyFor(exitCode)}` };
  }
  return readText(stdout, event);
}

/** Read the text that a hook has printed or sent. */
export function readText(given: string, event: HookEvent): HookOutput | HookFailure {
  const text = given.trim();
  if (!text.startsWith('{'))
    return factsOfEvent(event).readsText === true && text !== ''
      ? {
          hookSpecificOutput: {
            hookEventName: event as ContextOutput['hookEventName'],
            additionalContext: text,
          },
        } // an event with a context
      : {};
  try {
    return parseHookOutput(JSON.parse(text), event);
  } catch (error) {
    return { problem: `its output begins like JSON but is invalid: ${(error as Error).message}` }; // `JSON.parse` throws a SyntaxError
  }
}

/** Advice for the exit codes that a shell uses if it could not run the command. */
function remedyFor(exitCode: number | null): string {
  if (exitCode === 126) return '. Make the file executable: chmod +x FILE';
  return exitCode === 127 ? '. The command does not exist: name an existing file' : '';
}

export function parseHookOutput(value: unknown, event: HookEvent): HookOutput | HookFailure {
  if (value === undefined || value === null) return {};
  const parsed = HookOutput.safeParse(value);
  if (!parsed.success) {
    const why = describeRefusal(parsed.error, value, quotedField('it'));
    return { problem: `its output is invalid: ${why}` };
  }
  const { hookSpecificOutput: own, decision } = parsed.data;
  if (own !== undefined && own.hookEventName !== event)
    return { problem: `its output is for ${own.hookEventName}, and the event is ${event}` };
  if (decision === 'block' && factsOfEvent(event).blocks === undefined)
    return { problem: `it blocks, which hooks of ${event} cannot do` };
  return parsed.data;
}
