import { z } from 'zod';
import type { DeepImmutable } from './deep-immutable.js';
import { PermissionUpdate, type PermissionMode, type PermissionRule } from './permission-types.js';

/** Why a decision is what it is. Every decision carries one. */
export type PermissionDecisionReason =
  | {
      readonly type: 'rule';
      /** Rule that decided. */
      readonly rule: PermissionRule;
    }
  | {
      readonly type: 'mode';
      /** Mode that decided. */
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
      /** What that tool returned. */
      readonly toolResult: unknown;
    }
  | {
      readonly type: 'hook';
      /** Event of the hook. */
      readonly hookName: string;
      /** Where the hook is from. */
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
      /** Name of the classifier. */
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

export type PermissionAllowDecision = {
  readonly behavior: 'allow';
  /** What runs instead: parsed, checked and judged as any input is. */
  readonly updatedInput?: Input;
  /** A person has edited the input. */
  readonly userModified?: boolean;
  readonly decisionReason?: PermissionDecisionReason;
  /** For the model, with the result. */
  readonly acceptFeedback?: string;
  /** The same, with pictures. */
  readonly contentBlocks?: readonly AnswerBlock[];
};
export type PermissionAskDecision = {
  readonly behavior: 'ask';
  /** For the person who is asked. */
  readonly message: string;
  readonly decisionReason?: PermissionDecisionReason;
  readonly suggestions?: readonly PermissionUpdate[];
  readonly blockedPath?: string;
  /** What the tool's own check hands to whoever is asked, as it is. */
  readonly metadata?: Input;
};
export type PermissionDenyDecision = {
  readonly behavior: 'deny';
  /** For the model: what was refused and why. */
  readonly message: string;
  readonly decisionReason: PermissionDecisionReason;
};
/** What is decided on a tool call: allow, deny or ask. */
export type PermissionDecision =
  PermissionAllowDecision | PermissionAskDecision | PermissionDenyDecision;

/** What a tool's own check says; `passthrough` leaves it to the general rules. */
export type PermissionResult =
  | PermissionDecision
  | {
      readonly behavior: 'passthrough';
      /** Why, in words for a person. */
      readonly message?: string;
      /** Updates that would let the same call pass without a request. */
      readonly suggestions?: readonly PermissionUpdate[];
    };

/** What an answerer may hand the model. */
const AnswerBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().min(1) }),
  z.object({
    type: z.literal('image'),
    source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  }),
]);
type AnswerBlock = Readonly<z.infer<typeof AnswerBlock>>;

/** What an answerer says to an ask. */
export const PermissionAnswer = z.discriminatedUnion('behavior', [
  z.object({
    behavior: z.literal('allow'),
    updatedInput: z.record(z.string(), z.unknown()).optional(),
    updatedPermissions: z.array(PermissionUpdate).optional(),
    /** For the model, with the result. */
    acceptFeedback: z.string().optional(),
    /** The same, with pictures. */
    contentBlocks: z.array(AnswerBlock).optional(),
  }),
  z.object({
    behavior: z.literal('deny'),
    /** Feedback for the model. Without it, a refusal at the root ends the turn. */
    message: z.string().optional(),
    /** Ends the turn of the agent that asked. */
    interrupt: z.boolean().optional(),
  }),
]);
export type PermissionAnswer = DeepImmutable<z.infer<typeof PermissionAnswer>>;
