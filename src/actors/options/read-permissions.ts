import { statSync } from 'node:fs';
import { z } from 'zod';
import { userFolders, type Environment } from '../../files/folders.js';
import { UsageError } from '../../core/errors.js';
import {
  CHOOSABLE_PERMISSION_MODES,
  getEmptyToolPermissionContext,
  PermissionMode,
  PermissionRuleSource,
  type PermissionBehavior,
  type ToolPermissionContext,
  type ToolPermissionRulesBySource,
} from '../../core/permission-types.js';
import { createPermissionContext } from '../../permissions/modes/permission-context.js';
import { toAbsoluteFolder } from '../../settings/permissions/to-permission-context.js';
import {
  findRuleProblem,
  findRuleProblems,
  writtenRules,
  type KnownNames,
} from '../../permissions/rules/rule-problems.js';
import { parseRule } from '../../permissions/rules/rule.js';
import { checkOptions, filledText, strictOptions } from '../../tools/calls/check-options.js';

/** Rules and mode of a program, in the words of the settings. */
export type ProgramPermissions = {
  /** Rules for calls that run without a request: `Tool` or `Tool(content)`, such as `Bash(npm test *)`. */
  readonly allow?: readonly string[];
  /** Rules for calls that never run, whatever else allows them. */
  readonly deny?: readonly string[];
  /** Rules for calls that need approval in every mode. */
  readonly ask?: readonly string[];
  /** Permission mode, for calls that no rule decides; `default` if absent. A session may choose a stricter one. */
  readonly mode?: (typeof CHOOSABLE_PERMISSION_MODES)[number];
  /** Existing folders that belong to the workspace beside `cwd`: absolute, relative to `cwd`, or below `~`. */
  readonly additionalDirectories?: readonly string[];
};

const rules = z.array(z.string());
const Options = z.lazy(() =>
  strictOptions({
    allow: rules.optional(),
    deny: rules.optional(),
    ask: rules.optional(),
    mode: z.enum(CHOOSABLE_PERMISSION_MODES).optional(),
    additionalDirectories: z.array(filledText).optional(),
  } satisfies Record<keyof ProgramPermissions, z.ZodType>),
);

const bySource = z.partialRecord(PermissionRuleSource, rules);
const Context = z.lazy(() =>
  strictOptions({
    mode: PermissionMode,
    additionalWorkingDirectories: z.record(
      z.string(),
      z.object({ path: z.string(), source: PermissionRuleSource }),
    ),
    alwaysAllowRules: bySource,
    alwaysDenyRules: bySource,
    alwaysAskRules: bySource,
    isBypassPermissionsModeAvailable: z.boolean(),
    isAutoModeAvailable: z.boolean().optional(),
    allowsManagedRulesOnly: z.boolean().optional(),
    strippedDangerousRules: bySource.optional(),
    shouldAvoidPermissionPrompts: z.boolean().optional(),
    awaitAutomatedChecksBeforeDialog: z.boolean().optional(),
    prePlanMode: PermissionMode.optional(),
  } satisfies Record<keyof ToolPermissionContext, z.ZodType>),
);

/** Keys of a whole context. */
const CONTEXT_KEYS = [
  'additionalWorkingDirectories',
  'alwaysAllowRules',
  'alwaysAskRules',
  'alwaysDenyRules',
  'isBypassPermissionsModeAvailable',
] as const satisfies readonly (keyof ToolPermissionContext)[];

/** Sources that only a program writes: settings and flags were checked when they were read. */
const OWN_SOURCES = ['session', 'command'] as const satisfies readonly PermissionRuleSource[];

const PLACE = 'createOrchestrator';

type Place = {
  readonly cwd: string;
  readonly env: Environment;
  /** The names that rules may use. Tools of MCP servers are unknown beforehand. */
  readonly known: KnownNames;
};

/**
 * The permissions of a program: its own rules and mode, or a whole context, such as the result of `loadPermissions`.
 *
 * @throws UsageError that names the rule or the option
 */
export function readPermissions(
  given: ProgramPermissions | ToolPermissionContext | undefined,
  place: Place,
): ToolPermissionContext {
  if (given === undefined) return getEmptyToolPermissionContext();
  if (CONTEXT_KEYS.some((key) => Object.hasOwn(Object(given) as object, key)))
    return readContext(given as ToolPermissionContext, place); // checked in readContext
  checkOptions(z.object({ permissions: Options }), { permissions: given }, PLACE);
  const options = given as ProgramPermissions; // checked above
  const { mode = 'default', additionalDirectories = [] } = options;
  return createPermissionContext({
    mode,
    rules: {
      allow: toRules('allow', options, place),
      deny: toRules('deny', options, place),
      ask: toRules('ask', options, place),
    },
    directories: additionalDirectories.map((folder, index) => ({
      path: findFolder(folder, `permissions.additionalDirectories[${index}]`, place),
      source: 'session',
    })),
    isBypassAvailable: mode === 'bypassPermissions',
    isAutoAvailable: mode === 'auto',
  });
}

function toRules(
  behavior: PermissionBehavior,
  options: ProgramPermissions,
  { known }: Place,
): ToolPermissionRulesBySource {
  const given = options[behavior];
  if (given === undefined) return {};
  checkRules(given, behavior, `permissions.${behavior}`, known);
  return { session: given };
}

function readContext(given: ToolPermissionContext, { known }: Place): ToolPermissionContext {
  checkOptions(z.object({ permissions: Context }), { permissions: given }, PLACE);
  const keys = {
    allow: 'alwaysAllowRules',
    deny: 'alwaysDenyRules',
    ask: 'alwaysAskRules',
  } as const;
  for (const behavior of ['allow', 'deny', 'ask'] as const)
    for (const source of OWN_SOURCES) {
      const key = keys[behavior];
      const isHarmless = behavior === 'allow'; // a rule that allows nothing is harmless
      const names = isHarmless ? undefined : known;
      checkRules(given[key][source] ?? [], behavior, `permissions.${key}.${source}`, names);
    }
  return given;
}

/** Check rules at the start: a rule without effect would be noticed only when it is needed. @throws UsageError */
function checkRules(
  given: readonly string[],
  behavior: PermissionBehavior,
  option: string,
  known: KnownNames | undefined,
): void {
  for (const [index, rule] of given.entries()) {
    const at = `${PLACE}: ${option}[${index}]`;
    const parsed = parseRule(rule);
    if (!parsed.ok) throw new UsageError(`${at}: ${parsed.message}`);
    if (known === undefined) continue;
    const found = findRuleProblem({ behavior, value: parsed.value }, known);
    if (found !== undefined) throw new UsageError(`${at}: the rule ${rule} ${found.problem}`);
  }
}

/** Describe the rules of a program whose MCP server is not configured, one line each. */
export function describeUnknownServers(
  permissions: ToolPermissionContext,
  known: KnownNames,
): readonly string[] {
  const own = writtenRules(permissions).filter(
    ({ source, text }) => text.startsWith('mcp__') && OWN_SOURCES.some((one) => one === source),
  );
  return findRuleProblems(own, known).map(
    ({ rule, problem }) =>
      `${PLACE}: permissions.${rule.behavior}: the rule ${rule.text} ${problem}`,
  );
}

/** An existing folder, absolute. @throws UsageError */
function findFolder(folder: string, option: string, { cwd, env }: Place): string {
  const path = toAbsoluteFolder(folder, { cwd, home: userFolders(env).home });
  requireFolder(path, option);
  return path;
}

/** @throws UsageError */
export function requireFolder(path: string, option: string): void {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder === true) return;
  const why = isFolder === undefined ? 'does not exist' : 'is not a folder';
  throw new UsageError(`${PLACE}: ${option}: ${path} ${why}. Give the path of an existing folder.`);
}
