import type { Folder, RunCommand } from '../../command.js';
import { permissionsOf, type Workspace } from '../../../api/options/workspace.js';
import { resolve } from 'node:path';
import { countHooks } from '../../../api/permissions/beside-rules.js';
import { userFolders } from '../../../api/files/folders.js';
import { given } from '../../../api/given.js';
import { loadKnownNames } from '../../../api/extensions/known-names.js';
import type {
  KnownNames,
  LocatedRule,
  PermissionBehavior,
  RulePlace,
  ToolPermissionContext,
} from '../../../api/types.js';
import { describePlace, explainSettings, locateRules } from '../../../api/settings/settings.js';
import {
  findRuleProblems,
  rulesBySource,
  tellRuleProblem,
  tellRuleProblems,
} from '../../../api/permissions/permissions.js';
import { findNearKeys } from '../../../api/settings/unread.js';
import { readRules } from '../../arguments/read-settings.js';
import { checkRuleFlags } from '../../run/check-rule-flags.js';
import type { RuleArguments } from '../../arguments/run-arguments.js';
import {
  describeWaiting,
  isFolderTrusted,
  loadRunSettings,
  ruleChoices,
} from '../../run/run-settings.js';
import type { Column } from '../../output/table.js';
import {
  isNarrow,
  printBlocks,
  printJson,
  printLines,
  printTable,
  warn,
} from '../../output/print.js';
import { describeHooks } from './describe-hooks.js';
import { toPlace } from './place-of-rule.js';

type ListedRule = {
  readonly behavior: PermissionBehavior;
  readonly rule: string;
  /** False if the rule waits for trust. */
  readonly counts: boolean;
  /** Why the rule has no effect, or another effect than it seems to have. */
  readonly problems: readonly string[];
} & RulePlace;

const BEHAVIORS = ['deny', 'ask', 'allow'] as const satisfies readonly PermissionBehavior[];

/**
 * `troupe permissions list`: print the rules and the mode of a run in this folder.
 *
 * @returns the exit code
 * @throws UsageError for invalid settings, as a run does
 */
export const run: RunCommand = async (line, world) => {
  const command = readRules(line);
  await checkRuleFlags(command);
  const place = { ...world, cwd: resolve(world.cwd) };
  const loaded = await loadRunSettings(command, place);
  const context = permissionsOf(ruleChoices(command), loaded, place);
  const known = await knownNames(command, place);
  const located = rulesIn(context, loaded, userFolders(loaded.env).home);
  const problems = findRuleProblems(located, known);
  const rules = located.map((one): ListedRule => ({
    behavior: one.behavior,
    rule: one.rule,
    ...toPlace(one),
    counts: !one.waitsForTrust,
    problems: problems
      .filter(({ rule }) => rule === one)
      .map((problem) => tellRuleProblem(problem, describePlace(one))),
  }));
  const listing = {
    cwd: place.cwd,
    mode: context.mode,
    ...modePlace(command, loaded),
    isBypassAvailable: context.isBypassPermissionsModeAvailable,
    additionalDirectories: Object.values(context.additionalWorkingDirectories),
    rules,
    hooks: countHooks(loaded.layers),
    ...(context.mode === 'auto' ? { putAside: putAsideIn(context) } : {}),
  };
  if (line.given.has('--json')) {
    await printJson([listing]);
    return 0;
  }
  const { modeFrom, additionalDirectories } = listing;
  const from = modeFrom === undefined ? 'the default' : describePlace(modeFrom);
  await printLines([
    `mode ${context.mode} (${from}); bypassPermissions ${context.isBypassPermissionsModeAvailable ? 'is' : 'is not'} available`,
    `workspace ${place.cwd}`,
    ...additionalDirectories.map((one) => `workspace ${one.path} (${describePlace(one)})`),
    ...(rules.length === 0 ? ['No rules: everything that is not read-only needs approval.'] : []),
  ]);
  if (isNarrow())
    await printBlocks(rules.map((one) => [`${one.behavior} ${one.rule}`, placeOf(one)]));
  else
    await printTable(
      rules.map((one) => [one.behavior, one.rule, placeOf(one)]),
      COLUMNS,
    );
  await printLines([
    ...describeHooks(listing.hooks),
    ...(context.mode === 'auto'
      ? ['In the mode auto a classifier decides on permission requests.']
      : []),
    ...(listing.putAside ?? []).map((rule) => `does not apply in the mode auto: ${rule}`),
  ]);
  warn([
    ...loaded.found.flatMap(findNearKeys),
    ...describeWaiting(loaded.waiting),
    ...tellRuleProblems(problems, known, describePlace),
  ]);
  return 0;
};

function rulesIn(
  context: ToolPermissionContext,
  loaded: Workspace,
  home: string,
): readonly (Omit<LocatedRule, 'names'> & { readonly text: string })[] {
  const ofFlags = BEHAVIORS.flatMap((behavior) =>
    (rulesBySource(context, behavior).cliArg ?? []).map((rule) => ({
      behavior,
      rule,
      source: 'cliArg' as const,
      waitsForTrust: false,
    })),
  );
  const all = [...locateRules(loaded, home), ...ofFlags];
  return BEHAVIORS.flatMap((behavior) => all.filter((one) => one.behavior === behavior)).map(
    (one) => ({ ...one, text: one.rule }),
  );
}

function knownNames(
  { settingSources: sources, trustsFolder }: RuleArguments,
  { cwd, env }: Folder,
): Promise<KnownNames> {
  const isTrusted = (): Promise<boolean> => isFolderTrusted({ trustsFolder }, { cwd, env });
  return loadKnownNames({ cwd, env, isTrusted, ...given({ sources }) });
}

/** Rules that would allow every command, and do not apply in the present mode. */
function putAsideIn({ strippedDangerousRules = {} }: ToolPermissionContext): readonly string[] {
  return Object.values(strippedDangerousRules).flat();
}

/** The origin of the mode; empty for the default. */
function modePlace(command: RuleArguments, loaded: Workspace): { readonly modeFrom?: RulePlace } {
  if (ruleChoices(command).permissionMode !== undefined) return { modeFrom: { source: 'cliArg' } };
  const said = explainSettings(loaded).values.find(
    ({ key, waitsForTrust }) => key === 'permissions.defaultMode' && !waitsForTrust,
  );
  return said === undefined ? {} : { modeFrom: toPlace(said) };
}

const COLUMNS: readonly Column[] = [
  {},
  { least: 20, wraps: true },
  { least: 20, wraps: true, shortensPaths: true },
];

function placeOf(one: ListedRule): string {
  const marks = [
    ...(one.counts ? [] : ['waits for trust']),
    ...(one.problems.length === 0 ? [] : ['has a problem']),
  ];
  return [describePlace(one), ...marks].join(', ');
}
