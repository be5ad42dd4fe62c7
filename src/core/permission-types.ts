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
