import type { RunCommand } from '../../command.js';
import { resolve } from 'node:path';
import { userFolders } from '../../../api/files/folders.js';
import type {
  Change,
  LocatedRule,
  PermissionDecision,
  PermissionDecisionReason,
  PermissionResult,
  PermissionUpdate,
  RulePlace,
  ToolFacts,
} from '../../../api/types.js';
import type { BesideRules } from '../../../api/permissions/beside-rules.js';
import { explainUse } from '../../../api/permissions/explain-use.js';
import { given } from '../../../api/given.js';
import { permissionsOf } from '../../../api/options/workspace.js';
import { readUse } from '../../../api/permissions/read-use.js';
import { describePlace } from '../../../api/settings/settings.js';
import { describeReason, formatRule } from '../../../api/permissions/permissions.js';
import { findNearKeys } from '../../../api/settings/unread.js';
import { toFlag } from '../../run/to-flag.js';
import { readRules } from '../../arguments/read-settings.js';
import { checkRuleFlags } from '../../run/check-rule-flags.js';
import {
  describeWaiting,
  isFolderTrusted,
  loadRunSettings,
  ruleChoices,
} from '../../run/run-settings.js';
import { printJson, printLines, warn } from '../../output/print.js';
import { describeHooks } from './describe-hooks.js';
import { placeOfRule, toPlace } from './place-of-rule.js';

type ExplainedRule = { readonly rule: string; readonly behavior: string } & RulePlace;
type ExplainedChange =
  | { readonly type: 'updates'; readonly updates: readonly PermissionUpdate[] }
  | ({ readonly type: 'rule' } & ExplainedRule)
  /** The rule exists already, and waits for trust. */
  | ({ readonly type: 'trust' } & ExplainedRule)
  | { readonly type: 'wide'; readonly update: PermissionUpdate; readonly why: string }
  | { readonly type: 'none'; readonly why: string };
type Explained = {
  readonly decision: PermissionDecision['behavior'];
  readonly reason: string;
  /** The rule that decided, if a rule did. */
  readonly rule?: ExplainedRule;
};

/**
 * `troupe permissions explain`: print the decision on one tool call here and now, and what would change it. Files and
 * links are read; nothing is run.
 *
 * @returns the exit code, whatever is decided
 * @throws UsageError for an invalid tool call, and for invalid settings
 */
export const run: RunCommand = async (line, world) => {
  const command = readRules(line);
  await checkRuleFlags(command);
  const [written = ''] = line.words;
  const isJson = line.given.has('--json');
  const place = { ...world, cwd: resolve(world.cwd) };
  const loaded = await loadRunSettings(command, place);
  const context = permissionsOf(ruleChoices(command), loaded, place);
  const use = await readUse(written, userFolders(loaded.env).home);
  const isTrusted = await isFolderTrusted(command, place);
  const found = await explainUse(use, context, loaded, { isTrusted });
  const { facts, decision, located, beside } = found;
  const explained = {
    use: written.trim(),
    tool: use.tool.name,
    mode: context.mode,
    ...explain(decision, located),
    commands: partsOf(decision).map(([part, result]) => ({
      command: part,
      ...explain(result, located),
    })),
    ...pathsOf(facts),
    isOffered: found.isOffered,
    hooks: beside.hooks,
    ...(context.mode === 'auto'
      ? { isClassified: beside.isClassified, putAside: beside.putAside }
      : {}),
    change: toChange(found.change, beside, located),
  };
  if (isJson) await printJson([explained]);
  else await printLines(toText({ ...explained, notes: notesOn(facts, explained.change) }));
  if (!isJson) warn([...loaded.found.flatMap(findNearKeys), ...describeWaiting(loaded.waiting)]);
  return 0;
};

/** Further lines that a rule itself does not say. */
function notesOn({ target }: ToolFacts, change: ExplainedChange | undefined): readonly string[] {
  const isForReading = change?.type === 'rule' && /^Read\b/.test(change.rule);
  return isForReading && target?.kind === 'shell' && target.analysis.readsHistory
    ? [
        'The command can print any file of the repository, also one that this rule protects.',
        'Commands that only name files need no approval: git diff --stat, git diff --name-only, git log.',
      ]
    : [];
}

function explain(result: PermissionResult, located: readonly LocatedRule[]): Explained {
  const decision = result.behavior === 'passthrough' ? 'ask' : result.behavior;
  const reason = 'decisionReason' in result ? result.decisionReason : undefined;
  const rule = ruleOf(reason, located);
  return { decision, reason: describeReason(reason), ...given({ rule }) };
}

function ruleOf(
  reason: PermissionDecisionReason | undefined,
  located: readonly LocatedRule[],
): ExplainedRule | undefined {
  if (reason?.type !== 'rule') return undefined;
  const { rule } = reason;
  return { rule: formatRule(rule.value), behavior: rule.behavior, ...placeOfRule(rule, located) };
}

/** The commands of a command line, each with its decision. */
function partsOf({
  decisionReason,
}: PermissionDecision): readonly (readonly [string, PermissionResult])[] {
  return decisionReason?.type === 'subcommandResults' ? Object.entries(decisionReason.reasons) : [];
}

/** The real paths of a tool call, after `~` and links. */
function pathsOf({ target }: ToolFacts): { readonly paths?: readonly string[] } {
  if (target?.kind !== 'paths') return {};
  const paths = target.paths.flatMap(({ lexical, resolved }) => [lexical, resolved ?? lexical]);
  return { paths: [...new Set(paths)] };
}

function toChange(
  change: Change | undefined,
  { waiting }: BesideRules,
  located: readonly LocatedRule[],
): ExplainedChange | undefined {
  if (waiting !== undefined) {
    const { rule, behavior } = waiting;
    return { type: 'trust', rule, behavior, ...toPlace(waiting) };
  }
  if (change?.type !== 'rule') return change;
  const { rule } = change;
  const { behavior, value } = rule;
  return { type: 'rule', rule: formatRule(value), behavior, ...placeOfRule(rule, located) };
}

const WORDS = { allow: 'allowed', ask: 'asked for', deny: 'denied' } as const;

function toText(
  explained: Explained & {
    readonly use: string;
    readonly commands: readonly (Explained & { readonly command: string })[];
    readonly paths?: readonly string[];
    readonly isOffered: boolean | null;
    readonly hooks: number;
    readonly isClassified?: boolean;
    readonly putAside?: readonly string[];
    readonly change: ExplainedChange | undefined;
    readonly notes: readonly string[];
  },
): readonly string[] {
  const { use, commands, paths = [], isOffered, hooks, putAside = [], change, notes } = explained;
  const because = (one: Explained): string =>
    one.rule === undefined ? one.reason : `the rule ${one.rule.rule} (${describePlace(one.rule)})`;
  const why =
    commands.length === 0
      ? [`  because: ${because(explained)}`]
      : commands.map((one) => `  ${one.command}: ${WORDS[one.decision]}, ${because(one)}`);
  return [
    `${use}: ${WORDS[explained.decision]}`,
    ...why,
    ...(paths.length === 0 ? [] : [`  the path: ${paths.join(' → ')}`]),
    ...(explained.isClassified === true ? ['  in the mode auto the classifier decides'] : []),
    ...putAside.map(
      (rule) => `  the rule ${rule} would allow it, but does not apply in the mode auto`,
    ),
    ...describeHooks(hooks).map((line) => `  ${line}`),
    ...(isOffered === false ? ['  the model does not see the tool'] : []),
    ...(isOffered === null
      ? ['  the tool is not built in: a server or a program has to add it']
      : []),
    ...changeLines(change),
    ...notes.map((note) => `  ${note}`),
  ];
}

function changeLines(change: ExplainedChange | undefined): readonly string[] {
  switch (change?.type) {
    case undefined:
      return [];
    case 'updates':
      return change.updates.map((update) => `  To allow it: ${howToAllow(update)}`);
    case 'rule':
      return [
        `  No allow rule can override this. It passes only if you remove ${change.rule} from ${describePlace(change)}.`,
      ];
    case 'trust':
      return [
        `  To allow it: troupe trust. ${change.rule} (${describePlace(change)}) waits until you trust the folder.`,
      ];
    case 'wide':
      return [`  To allow it: ${howToAllow(change.update)}, a wide rule: ${change.why}`];
    case 'none':
      return [`  no rule can allow it: ${change.why}`];
    default:
      return change satisfies never;
  }
}

function howToAllow(update: PermissionUpdate): string {
  const flag = toFlag(update);
  switch (update.type) {
    case 'setMode':
      return flag;
    case 'addDirectories':
    case 'removeDirectories':
      return `${flag}, or add it to permissions.additionalDirectories`;
    case 'addRules':
    case 'replaceRules':
    case 'removeRules':
      return `${flag}, or add it to permissions.allow`;
    default:
      return update satisfies never;
  }
}
