import { resolve } from 'node:path';
import { gatherFacts } from '../../../actors/gather-facts.js';
import { describeUpdate as listUpdate } from '../../../actors/permission-kept.js';
import { userFolders } from '../../../context/folders.js';
import type {
  PermissionDecision,
  PermissionDecisionReason,
  PermissionResult,
  PermissionUpdate,
  ToolPermissionContext,
} from '../../../core/permission-types.js';
import { locateRules, type LocatedRule } from '../../../extensions/settings/locate-rules.js';
import { decide } from '../../../permissions/decide.js';
import { deniesTool } from '../../../permissions/denies-tool.js';
import { describeReason } from '../../../permissions/describe-reason.js';
import type { ToolFacts } from '../../../permissions/facts.js';
import { formatRule } from '../../../permissions/rule.js';
import { readWebTarget } from '../../../permissions/web/web-fact.js';
import { whatWouldChange, type Change } from '../../../permissions/what-would-change.js';
import { createFileStateCache } from '../../../tools/file-state-cache.js';
import { createBashGrammar } from '../../../tools/shell/bash-grammar.js';
import type { ToolUseContext } from '../../../tools/tool.js';
import type { RuleArguments } from '../../arguments/command.js';
import { environmentOf, permissionsOf, type World } from '../../run-permissions.js';
import { describeWaiting, loadRunSettings } from '../../run-settings.js';
import { printJson, printLines, warn } from '../print.js';
import { describePlace, placeOfRule, type Place } from './place-of-rule.js';
import { readUse, type Use } from './read-use.js';

type ExplainedRule = { readonly rule: string; readonly behavior: string } & Place;
type ExplainedChange =
  | { readonly type: 'updates'; readonly updates: readonly PermissionUpdate[] }
  | ({ readonly type: 'rule' } & ExplainedRule)
  | { readonly type: 'none'; readonly why: string };
type Explained = {
  readonly decision: PermissionDecision['behavior'];
  readonly reason: string;
  /** The rule that decided it, if one did. */
  readonly rule?: ExplainedRule;
};

/**
 * `troupe permissions explain`: what would be decided on one use of a tool here and now, and what would change it.
 * Files and links are looked at; nothing is run.
 *
 * @returns the exit code, whatever is decided
 * @throws UsageError for a use that cannot be read, and for settings that cannot be used
 */
export async function explainUse(
  command: RuleArguments & { readonly use: string; readonly isJson: boolean },
  world: World,
): Promise<number> {
  const place = { ...world, cwd: resolve(world.cwd) };
  const use = await readUse(command.use);
  const loaded = await loadRunSettings(command, place);
  const context = permissionsOf(command, loaded, place);
  const env = environmentOf(loaded, place);
  const located = locateRules(loaded, userFolders(env).home);

  const facts = await factsOf(use, context, { cwd: place.cwd, env });
  const decision = decide(facts, context);
  const explained = {
    use: command.use.trim(),
    tool: use.tool.name,
    mode: context.mode,
    ...explain(decision, located),
    commands: partsOf(decision).map(([part, result]) => ({
      command: part,
      ...explain(result, located),
    })),
    isOffered: !deniesTool(context, use.tool.name),
    change: toChange(whatWouldChange(facts, context, decision), located),
  };
  if (command.isJson) await printJson([explained]);
  else await printLines(toText(explained));
  if (!command.isJson) warn(describeWaiting(loaded.waiting));
  return 0;
}

async function factsOf(
  { tool, input }: Use,
  toolPermissionContext: ToolPermissionContext,
  { cwd, env }: Pick<World, 'cwd' | 'env'>,
): Promise<ToolFacts> {
  const context: ToolUseContext = {
    options: {
      tools: [],
      mainLoopModel: '',
      agentDefinitions: [],
      isNonInteractiveSession: true,
      verbose: false,
      debug: false,
      env,
    },
    toolUseId: '',
    abortController: new AbortController(),
    cwd,
    projectRoot: cwd,
    readFileState: createFileStateCache(),
    messages: [],
    getAppState: () => ({
      toolPermissionContext,
      mainLoopModel: '',
      verbose: false,
      tasks: {},
      todos: {},
      agentNameRegistry: {},
    }),
  };
  const facts = await gatherFacts(tool, input, context, createBashGrammar());
  const { url } = input;
  if (facts.target !== undefined || tool.name !== 'WebFetch' || typeof url !== 'string')
    return facts;
  return { ...facts, isReadOnly: true, target: { kind: 'web', request: readWebTarget(url) } };
}

function explain(result: PermissionResult, located: readonly LocatedRule[]): Explained {
  const decision = result.behavior === 'passthrough' ? 'ask' : result.behavior;
  const reason = 'decisionReason' in result ? result.decisionReason : undefined;
  const rule = ruleOf(reason, located);
  return { decision, reason: describeReason(reason), ...(rule === undefined ? {} : { rule }) };
}

function ruleOf(
  reason: PermissionDecisionReason | undefined,
  located: readonly LocatedRule[],
): ExplainedRule | undefined {
  if (reason?.type !== 'rule') return undefined;
  const { rule } = reason;
  return { rule: formatRule(rule.value), behavior: rule.behavior, ...placeOfRule(rule, located) };
}

/** The commands of a command line, each with what is decided on it. */
function partsOf({
  decisionReason,
}: PermissionDecision): readonly (readonly [string, PermissionResult])[] {
  return decisionReason?.type === 'subcommandResults' ? Object.entries(decisionReason.reasons) : [];
}

function toChange(
  change: Change | undefined,
  located: readonly LocatedRule[],
): ExplainedChange | undefined {
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
    readonly isOffered: boolean;
    readonly change: ExplainedChange | undefined;
  },
): readonly string[] {
  const { use, commands, isOffered, change } = explained;
  const because = (one: Explained): string =>
    one.rule === undefined ? one.reason : `the rule ${one.rule.rule} (${describePlace(one.rule)})`;
  const why =
    commands.length === 0
      ? [`  because: ${because(explained)}`]
      : commands.map((one) => `  ${one.command}: ${WORDS[one.decision]}, ${because(one)}`);
  return [
    `${use}: ${WORDS[explained.decision]}`,
    ...why,
    ...(isOffered ? [] : ['  the model is not even told of the tool']),
    ...changeLines(change),
  ];
}

function changeLines(change: ExplainedChange | undefined): readonly string[] {
  switch (change?.type) {
    case undefined:
      return [];
    case 'updates':
      return change.updates.map((update) => `  it would pass with ${describeUpdate(update)}`);
    case 'rule':
      return [
        `  nothing that allows is stronger: only without ${change.rule} (${describePlace(change)})`,
      ];
    case 'none':
      return [`  no rule lets it pass: ${change.why}`];
    default:
      return change satisfies never;
  }
}

function describeUpdate(update: PermissionUpdate): string {
  if (update.type === 'setMode') return `--permission-mode ${update.mode}`;
  return `${'behavior' in update ? update.behavior : 'additionalDirectories'}: ${listUpdate(update)}`;
}
