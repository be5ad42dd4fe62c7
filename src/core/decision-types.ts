import { z } from 'zod';
import { InputBlock } from './input-block.js';
import { PermissionUpdate, type PermissionMode, type PermissionRule } from './permission-types.js';

/** Why a decision is what it is. Every decision carries one. */
export type PermissionDecisionReason =
  | {
      readonly type: 'rule';
      /** The strongest rule that matched the call. */
      readonly rule: PermissionRule;
    }
  | {
      readonly type: 'mode';
      /** The permission mode in force, for no rule matched. */
      readonly mode: PermissionMode;
    }
  | {
      readonly type: 'subcommandResults';
      /** Decision on each part of a command line. */
      readonly reasons: { readonly [command: string]: PermissionResult };
    }
  | {
      readonly type: 'permissionPromptTool';
      /** Tool of an MCP server that decided. */
      readonly permissionPromptToolName: string;
      /** Result of that tool. */
      readonly toolResult: unknown;
    }
  | {
      readonly type: 'hook';
      /** Command of the hook, or name of its function. */
      readonly hookName: string;
      /** Settings file or program that the hook comes from. */
      readonly hookSource?: string;
      /** Why, in words for a person. */
      readonly reason?: string;
    }
  | {
      readonly type: 'asyncAgent';
      /** Why, in words for a person. */
      readonly reason: string;
    }
  | {
      readonly type: 'sandboxOverride';
      /** Why, in words for a person. */
      readonly reason: 'excludedCommand' | 'dangerouslyDisableSandbox';
    }
  | {
      readonly type: 'classifier';
      /** `name` of the classifier; `classifier` if it has none. */
      readonly classifier: string;
      /** Why, in words for a person. */
      readonly reason: string;
    }
  | {
      readonly type: 'workingDir';
      /** Why, in words for a person. */
      readonly reason: string;
    }
  | {
      readonly type: 'safetyCheck';
      /** Why, in words for a person. */
      readonly reason: string;
      /** Whether a classifier may allow it. */
      readonly classifierApprovable: boolean;
    }
  | {
      readonly type: 'other';
      /** Why, in words for a person. */
      readonly reason: string;
    };

type Input = Readonly<Record<string, unknown>>;

/** The call may run. */
export type PermissionAllowDecision = {
  readonly behavior: 'allow';
  /** Input that runs instead: parsed, checked and decided like any input. */
  readonly updatedInput?: Input;
  /** Whether a person edited the input. */
  readonly userModified?: boolean;
  /** The rule, mode or check that allowed the call. */
  readonly decisionReason?: PermissionDecisionReason;
  /** Text for the model, added to the result of the call. */
  readonly acceptFeedback?: string;
  /** Text and images for the model, added to the result of the call. */
  readonly contentBlocks?: readonly InputBlock[];
};
/** The call needs a permission request. */
export type PermissionAskDecision = {
  readonly behavior: 'ask';
  /** Why permission is needed, in words for a person. */
  readonly message: string;
  /** Only of a tool's own check: the input to ask for. It is parsed and decided by every rule first. */
  readonly updatedInput?: Input;
  /** The rule, mode or check that needs the request. */
  readonly decisionReason?: PermissionDecisionReason;
  /** Updates that would let the same call pass without a request, the narrowest first. */
  readonly suggestions?: readonly PermissionUpdate[];
  /** The path that made the request necessary. */
  readonly blockedPath?: string;
  /** Facts that the tool's own check adds for the approver, unchanged. */
  readonly metadata?: Input;
};
/** The call must not run. */
export type PermissionDenyDecision = {
  readonly behavior: 'deny';
  /** The denied action and the reason, in words for the model. */
  readonly message: string;
  /** The rule, mode or check that denied the call. */
  readonly decisionReason: PermissionDecisionReason;
};
/** Decision on a tool call: allow, deny or ask. */
export type PermissionDecision =
  PermissionAllowDecision | PermissionAskDecision | PermissionDenyDecision;

/** Result of a tool's own check. `passthrough` leaves the decision to the general rules. */
export type PermissionResult =
  | PermissionDecision
  | {
      readonly behavior: 'passthrough';
      /** Why, in words for a person. */
      readonly message?: string;
      /** Updates that would let the same call pass without a request. */
      readonly suggestions?: readonly PermissionUpdate[];
    };

/** The decision of an approver on a permission request. The first one counts. */
export type PermissionAnswer =
  | {
      readonly behavior: 'allow';
      /** Input that runs instead. It is parsed and decided by every rule again. */
      readonly updatedInput?: Input | undefined;
      /** Changes of rules or mode, such as one of the request's `suggestions`. They apply at once. */
      readonly updatedPermissions?: readonly PermissionUpdate[] | undefined;
      /** Text for the model, added to the result of the call. */
      readonly acceptFeedback?: string | undefined;
      /** Text and images for the model, added to the result of the call. */
      readonly contentBlocks?: readonly InputBlock[] | undefined;
    }
  | {
      readonly behavior: 'deny';
      /** Why, in words for the model. Without it, a denial ends the turn of the main agent; a sub-agent continues. */
      readonly message?: string | undefined;
      /** True: end the turn of the agent that made the request, as an interrupt does. */
      readonly interrupt?: boolean | undefined;
    };
export const PermissionAnswer = z.discriminatedUnion('behavior', [
  z.object({
    behavior: z.literal('allow'),
    updatedInput: z.record(z.string(), z.unknown()).optional(),
    updatedPermissions: z.array(PermissionUpdate).optional(),
    acceptFeedback: z.string().optional(),
    contentBlocks: z.array(InputBlock).optional(),
  }),
  z.object({
    behavior: z.literal('deny'),
    message: z.string().optional(),
    interrupt: z.boolean().optional(),
  }),
]) satisfies z.ZodType<PermissionAnswer>;
