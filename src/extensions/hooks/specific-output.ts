import { z } from 'zod';
import { once } from '../../core/lazily.js';
import { PermissionUpdate } from '../../core/permission-types.js';
import { HOOK_EVENTS, type HookEvent } from '../../settings/schema/hook-events.js';

/** The output of a `PreToolUse` hook. */
type PreToolUseOutput = {
  readonly hookEventName: 'PreToolUse';
  /** Decision on the tool call; `defer`: the call waits for a resume of the session. `allow` does not override a rule that denies or asks. */
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

/** The output of a `PermissionDenied` hook. */
type PermissionDeniedOutput = {
  readonly hookEventName: 'PermissionDenied';
  /** True: the model reads that it may try the call again. The denial stays. */
  readonly retry?: boolean | undefined;
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

/** The output of a `UserPromptSubmit` hook. */
type UserPromptSubmitOutput = {
  readonly hookEventName: 'UserPromptSubmit';
  /** Text for the model, behind the prompt. */
  readonly additionalContext?: string | undefined;
  /** A title for the session. */
  readonly sessionTitle?: string | undefined;
  /** Accepted: the message about a blocked prompt never has the prompt. */
  readonly suppressOriginalPrompt?: boolean | undefined;
  readonly [field: string]: unknown;
};

/** The output of a `SessionStart` hook. */
type SessionStartOutput = {
  readonly hookEventName: 'SessionStart';
  /** Text for the model, before the first prompt. */
  readonly additionalContext?: string | undefined;
  /** A prompt that the main agent gets before any other one. */
  readonly initialUserMessage?: string | undefined;
  /** A title for the session. */
  readonly sessionTitle?: string | undefined;
  /** Absolute paths of files whose changes run `FileChanged` hooks. */
  readonly watchPaths?: readonly string[] | undefined;
  /** True: skills and commands are read again before the first prompt. */
  readonly reloadSkills?: boolean | undefined;
  readonly [field: string]: unknown;
};

/** The output of a hook that can add a text for the model. */
type ContextOutput = {
  /** Name of the event. */
  readonly hookEventName: Exclude<
    HookEvent,
    | 'PreToolUse'
    | 'PermissionRequest'
    | 'PermissionDenied'
    | 'PostToolUse'
    | 'UserPromptSubmit'
    | 'SessionStart'
  >;
  /** Text for the model. */
  readonly additionalContext?: string | undefined;
  readonly [field: string]: unknown;
};

/** The part of a hook's output that only its event has. */
export type SpecificOutput =
  | PreToolUseOutput
  | PermissionRequestOutput
  | PermissionDeniedOutput
  | PostToolUseOutput
  | UserPromptSubmitOutput
  | SessionStartOutput
  | ContextOutput;

/** The fields of each event that have an effect. */
const fields = once(() => {
  const text = z.string().optional();
  const Input = z.record(z.string(), z.unknown());
  const context = { additionalContext: text };
  const watching = { watchPaths: z.array(z.string()).optional() };
  /** A blocked prompt is never in the message about it. */
  const blocking = { suppressOriginalPrompt: z.boolean().optional() };
  const answer = z.enum(['accept', 'decline', 'cancel']).optional();
  return {
    PreToolUse: {
      permissionDecision: z.enum(['allow', 'deny', 'ask', 'defer']).optional(),
      permissionDecisionReason: text,
      updatedInput: Input.optional(),
      ...context,
    },
    PermissionRequest: {
      decision: z
        .discriminatedUnion('behavior', [
          z.looseObject({
            behavior: z.literal('allow'),
            updatedInput: Input.optional(),
            updatedPermissions: z.array(PermissionUpdate).optional(),
          }),
          z.looseObject({
            behavior: z.literal('deny'),
            message: text,
            interrupt: z.boolean().optional(),
          }),
        ])
        .optional(),
    },
    PermissionDenied: { retry: z.boolean().optional() },
    PostToolUse: {
      ...context,
      updatedToolOutput: z.unknown().optional(),
      updatedMCPToolOutput: z.unknown().optional(),
    },
    UserPromptSubmit: { ...context, ...blocking, sessionTitle: text },
    SessionStart: {
      ...context,
      ...watching,
      initialUserMessage: text,
      sessionTitle: text,
      reloadSkills: z.boolean().optional(),
    },
    PreModelSwitch: {
      permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
      permissionDecisionReason: text,
    },
    PostModelSwitch: context,
    Setup: context,
    FileChanged: watching,
    CwdChanged: watching,
    WorktreeCreate: { worktreePath: text },
    Elicitation: { action: answer, content: z.unknown().optional() },
    ElicitationResult: { action: answer, content: z.unknown().optional() },
    PostToolUseFailure: context,
    PostToolBatch: context,
    UserPromptExpansion: { ...context, ...blocking },
    Stop: context,
    SubagentStop: context,
    SubagentStart: context,
    PreCompact: context,
  } satisfies { readonly [Event in HookEvent]?: z.core.$ZodLooseShape };
});

/** The schema accepts further fields, which have no effect. */
export const SpecificOutput = z.lazy(() => {
  const [first, ...others] = HOOK_EVENTS.map((event) =>
    z.looseObject({ hookEventName: z.literal(event), ...fieldsOf(event) }),
  );
  return z.discriminatedUnion('hookEventName', [
    first as NonNullable<typeof first>, // there are events
    ...others,
  ]);
}) as unknown as z.ZodType<SpecificOutput>; // made of the fields above

/** The names of the fields of an event that have an effect. */
export function specificFields(event: HookEvent): readonly string[] {
  return Object.keys(fieldsOf(event));
}

function fieldsOf(event: HookEvent): z.core.$ZodLooseShape {
  return (fields() as { readonly [Event in HookEvent]?: z.core.$ZodLooseShape })[event] ?? {};
}
