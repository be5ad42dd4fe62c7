import { z } from 'zod';
import type { DeepImmutable } from './json/deep-immutable.js';

const EXTERNAL_PERMISSION_MODES = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'bypassPermissions',
] as const;
/** The modes that people choose from. */
export const CHOOSABLE_PERMISSION_MODES = [...EXTERNAL_PERMISSION_MODES, 'auto'] as const;
export const PERMISSION_MODES = [...CHOOSABLE_PERMISSION_MODES, 'bubble'] as const;
/** What happens if no rule decides. */
export const PermissionMode = z.enum(PERMISSION_MODES);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** Where a rule comes from, strongest first. The source says who may edit a rule; it does not change precedence. */
export const PERMISSION_RULE_SOURCES = [
  'policySettings',
  'flagSettings',
  'cliArg',
  'command',
  'session',
  'localSettings',
  'projectSettings',
  'userSettings',
] as const;
export const PermissionRuleSource = z.enum(PERMISSION_RULE_SOURCES);
export type PermissionRuleSource = z.infer<typeof PermissionRuleSource>;

export const PermissionBehavior = z.enum(['allow', 'deny', 'ask']);
export type PermissionBehavior = z.infer<typeof PermissionBehavior>;

/** `Bash(npm test *)` is `{ toolName: 'Bash', ruleContent: 'npm test *' }`. */
export const PermissionRuleValue = z.object({
  toolName: z.string().min(1),
  ruleContent: z.string().optional(),
});
export type PermissionRuleValue = Readonly<z.infer<typeof PermissionRuleValue>>;

/** A rule, with its source and what it says. */
export const PermissionRule = z.object({
  source: PermissionRuleSource,
  behavior: PermissionBehavior,
  value: PermissionRuleValue,
});
export type PermissionRule = DeepImmutable<z.infer<typeof PermissionRule>>;

/** Rules as written (`Tool` or `Tool(content)`), kept by source so that each decision can name where one came from. */
export type ToolPermissionRulesBySource = {
  readonly [Source in PermissionRuleSource]?: readonly string[];
};

/** Rules that hold for one task and all below it, beside those of its session. */
export type ScopedRules = {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
};

export type AdditionalWorkingDirectory = {
  readonly path: string;
  readonly source: PermissionRuleSource;
};

/** What decisions are made on. An update makes a new object; a decision uses one snapshot of it, taken once. */
export type ToolPermissionContext = DeepImmutable<{
  /** What happens if no rule decides. */
  mode: PermissionMode;
  /** Folders of the workspace beside `cwd`, by absolute path. */
  additionalWorkingDirectories: { [path: string]: AdditionalWorkingDirectory };
  /** Rules that allow, by their source. */
  alwaysAllowRules: ToolPermissionRulesBySource;
  /** Rules that deny, by their source. */
  alwaysDenyRules: ToolPermissionRulesBySource;
  /** Rules that ask, by their source. */
  alwaysAskRules: ToolPermissionRulesBySource;
  /** Whether the mode may become `bypassPermissions`. */
  isBypassPermissionsModeAvailable: boolean;
  /** Whether the mode may become `auto`. */
  isAutoModeAvailable?: boolean;
  /** Allow rules that do not hold while the mode is `auto`. */
  strippedDangerousRules?: ToolPermissionRulesBySource;
  /** Deny what would be asked for. */
  shouldAvoidPermissionPrompts?: boolean;
  /** Wait for hooks and classifier before people are asked. */
  awaitAutomatedChecksBeforeDialog?: boolean;
  /** Mode that the end of plan mode returns to. */
  prePlanMode?: PermissionMode;
}>;

/** Return permissions without rules, in the mode `default`. */
export function getEmptyToolPermissionContext(): ToolPermissionContext {
  return {
    mode: 'default',
    additionalWorkingDirectories: {},
    alwaysAllowRules: {},
    alwaysDenyRules: {},
    alwaysAskRules: {},
    isBypassPermissionsModeAvailable: false,
  };
}

export const PermissionUpdateDestination = z.enum([
  'userSettings',
  'projectSettings',
  'localSettings',
  'session',
  'cliArg',
]);
export type PermissionUpdateDestination = z.infer<typeof PermissionUpdateDestination>;

const destination = PermissionUpdateDestination;
const rules = z.array(PermissionRuleValue);
/** A change of rules, mode or folders. */
export const PermissionUpdate = z.discriminatedUnion('type', [
  z.object({ type: z.literal('addRules'), rules, behavior: PermissionBehavior, destination }),
  z.object({ type: z.literal('replaceRules'), rules, behavior: PermissionBehavior, destination }),
  z.object({ type: z.literal('removeRules'), rules, behavior: PermissionBehavior, destination }),
  z.object({ type: z.literal('setMode'), mode: PermissionMode, destination }),
  z.object({ type: z.literal('addDirectories'), directories: z.array(z.string()), destination }),
  z.object({ type: z.literal('removeDirectories'), directories: z.array(z.string()), destination }),
]);
export type PermissionUpdate = DeepImmutable<z.infer<typeof PermissionUpdate>>;

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
