import { z } from 'zod';

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
/** Permission mode: the decision on calls that no rule decides. */
export const PermissionMode = z.enum(PERMISSION_MODES);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** The sources of rules, strongest first. The source says who may edit a rule; it does not change precedence. */
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
/** Origin of a rule or a folder: a kind of settings, a flag, a program. */
export type PermissionRuleSource = z.infer<typeof PermissionRuleSource>;

export const PermissionBehavior = z.enum(['allow', 'deny', 'ask']);
/** Effect of a rule on a call that matches. */
export type PermissionBehavior = z.infer<typeof PermissionBehavior>;

/** A rule in its parts: `Bash(npm test *)` is `{ toolName: 'Bash', ruleContent: 'npm test *' }`. */
export type PermissionRuleValue = {
  /** Name of a tool, not empty. In a deny or ask rule it may contain `*`. */
  readonly toolName: string;
  /** The text between the parentheses. Absent: the rule matches every call of the tool. */
  readonly ruleContent?: string | undefined;
};
export const PermissionRuleValue = z.object({
  toolName: z.string().min(1),
  ruleContent: z.string().optional(),
}) satisfies z.ZodType<PermissionRuleValue>;

/** A rule and its origin. */
export type PermissionRule = {
  /** Origin of the rule. It says who may edit the rule; it does not make the rule stronger. */
  readonly source: PermissionRuleSource;
  /** Effect on a call that matches. `deny` is stronger than `ask`, and `ask` than `allow`. */
  readonly behavior: PermissionBehavior;
  /** The calls that the rule matches. */
  readonly value: PermissionRuleValue;
};
export const PermissionRule = z.object({
  source: PermissionRuleSource,
  behavior: PermissionBehavior,
  value: PermissionRuleValue,
}) satisfies z.ZodType<PermissionRule>;

/** Rules as written (`Tool` or `Tool(content)`) by their source, so that each decision can name the source of a rule. */
export type ToolPermissionRulesBySource = {
  /** Managed settings, which only an administrator edits. */
  readonly policySettings?: readonly string[];
  /** `--settings`, or the option `settings` of `query`. */
  readonly flagSettings?: readonly string[];
  /** Flags such as `--allowedTools`, or options of a program. */
  readonly cliArg?: readonly string[];
  /** The team file or workflow that runs. */
  readonly command?: readonly string[];
  /** Decisions of this session that are remembered only in it, and `disallowedTools` of agents. */
  readonly session?: readonly string[];
  /** `.claude/settings.local.json` of the project. */
  readonly localSettings?: readonly string[];
  /** `.claude/settings.json` of the project. */
  readonly projectSettings?: readonly string[];
  /** `settings.json` in the user's own folder. */
  readonly userSettings?: readonly string[];
};

/** Rules of one task and everything below it, beside those of its session. Each is `Tool` or `Tool(content)`. */
export type ScopedRules = {
  /** Calls that run without a permission request. */
  readonly allow?: readonly string[];
  /** Calls that never run, whatever allows them. */
  readonly deny?: readonly string[];
  /** Calls that need a permission request in every mode. */
  readonly ask?: readonly string[];
};

/** A folder that belongs to the workspace beside `cwd`. */
export type AdditionalWorkingDirectory = {
  /** Absolute path. */
  readonly path: string;
  /** Who added the folder. */
  readonly source: PermissionRuleSource;
};

/** The state for decisions. An update makes a new object; a decision uses one snapshot from start to end. */
export type ToolPermissionContext = {
  /** Permission mode: the decision on calls that no rule decides. */
  readonly mode: PermissionMode;
  /** Folders of the workspace beside `cwd`, by absolute path. */
  readonly additionalWorkingDirectories: { readonly [path: string]: AdditionalWorkingDirectory };
  /** Rules that allow, by their source. */
  readonly alwaysAllowRules: ToolPermissionRulesBySource;
  /** Rules that deny, by their source. */
  readonly alwaysDenyRules: ToolPermissionRulesBySource;
  /** Rules that ask, by their source. */
  readonly alwaysAskRules: ToolPermissionRulesBySource;
  /** Whether the mode may become `bypassPermissions`. */
  readonly isBypassPermissionsModeAvailable: boolean;
  /** Whether the mode may become `auto`. */
  readonly isAutoModeAvailable?: boolean;
  /** Managed settings are the only settings whose rules allow. */
  readonly allowsManagedRulesOnly?: boolean;
  /** Allow rules that are suspended while the mode is `auto`. */
  readonly strippedDangerousRules?: ToolPermissionRulesBySource;
  /** Deny every call that would need a permission request. */
  readonly shouldAvoidPermissionPrompts?: boolean;
  /** Run hooks and the classifier to their end before a person sees a permission request. */
  readonly awaitAutomatedChecksBeforeDialog?: boolean;
  /** Mode that the end of plan mode returns to. */
  readonly prePlanMode?: PermissionMode;
};

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
/** Place of an update: a layer of settings, which is written to its file, or the session. */
export type PermissionUpdateDestination = z.infer<typeof PermissionUpdateDestination>;

/** A change of the rules of one behavior in one place. */
type RulesUpdate<Type extends string> = {
  readonly type: Type;
  /** Rules to add or remove; with `replaceRules` all rules of this behavior and destination from now on. */
  readonly rules: readonly PermissionRuleValue[];
  /** The list that changes: rules that allow, deny or ask. */
  readonly behavior: PermissionBehavior;
  /** A layer of settings, which is written to its file; `session` and `cliArg` last as long as the session. */
  readonly destination: PermissionUpdateDestination;
};
/** A change of the folders that belong to the workspace. */
type DirectoriesUpdate<Type extends string> = {
  readonly type: Type;
  /** Absolute paths. */
  readonly directories: readonly string[];
  /** A layer of settings, which is written to its file; `session` and `cliArg` last as long as the session. */
  readonly destination: PermissionUpdateDestination;
};
/** A change of rules, mode or folders. It applies at once; a layer of settings keeps it for later sessions. */
export type PermissionUpdate =
  | RulesUpdate<'addRules'>
  | RulesUpdate<'replaceRules'>
  | RulesUpdate<'removeRules'>
  | {
      readonly type: 'setMode';
      /** Mode that holds from the next decision on. */
      readonly mode: PermissionMode;
      /** A layer of settings, which keeps the mode as its default; `session` and `cliArg` last as long as the session. */
      readonly destination: PermissionUpdateDestination;
    }
  | DirectoriesUpdate<'addDirectories'>
  | DirectoriesUpdate<'removeDirectories'>;

const destination = PermissionUpdateDestination;
const rules = z.array(PermissionRuleValue);
export const PermissionUpdate = z.discriminatedUnion('type', [
  z.object({ type: z.literal('addRules'), rules, behavior: PermissionBehavior, destination }),
  z.object({ type: z.literal('replaceRules'), rules, behavior: PermissionBehavior, destination }),
  z.object({ type: z.literal('removeRules'), rules, behavior: PermissionBehavior, destination }),
  z.object({ type: z.literal('setMode'), mode: PermissionMode, destination }),
  z.object({ type: z.literal('addDirectories'), directories: z.array(z.string()), destination }),
  z.object({ type: z.literal('removeDirectories'), directories: z.array(z.string()), destination }),
]) satisfies z.ZodType<PermissionUpdate>;
