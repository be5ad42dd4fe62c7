import { SOURCE_LABELS } from '../../permissions/rules/rule.js';
import { anchorRule } from '../permissions/anchor-rule.js';
import { locator, rulesOf, type ExplainedRule, type ValuePlace } from './explain-settings.js';
import type { SettingsLayers } from '../files/load-layers.js';
import type { LoadedSettings } from '../files/load-settings.js';

export type LocatedRule = ExplainedRule & {
  /** The rule's names in decisions: `/p` of a user's settings is resolved there, under each name of the folder. */
  readonly names: readonly string[];
};

/** The origin of a rule: its file and line, if it is in a file. */
export type RulePlace = Omit<ValuePlace, 'waitsForTrust'>;

/** `project settings, /p/.claude/settings.json:4` */
export function describePlace({ source, file, line }: RulePlace): string {
  if (file === undefined) return SOURCE_LABELS[source];
  return `${SOURCE_LABELS[source]}, ${[file, line].filter((part) => part !== undefined).join(':')}`;
}

/** The rules of all settings that were found, each as written and with its place. */
export function locateRules(
  { layers, waiting }: Pick<SettingsLayers, 'layers' | 'waiting'>,
  home: string,
): readonly LocatedRule[] {
  const rulesIn = (loaded: LoadedSettings, waits: readonly string[]): readonly LocatedRule[] => {
    const { settings, roots } = loaded;
    const locate = locator(loaded);
    return rulesOf(settings).map(({ behavior, rule, path }) => ({
      behavior,
      rule,
      names: roots === undefined ? [rule] : anchorRule(rule, roots, home),
      ...locate(path),
      waitsForTrust: waits.includes(path.slice(0, 2).join('.')),
    }));
  };
  return [
    ...layers.flatMap((loaded) => rulesIn(loaded, [])),
    ...waiting.flatMap(({ loaded, paths }) =>
      rulesIn(
        loaded,
        paths.map((path) => path.slice(0, 2).join('.')),
      ).filter(({ waitsForTrust }) => waitsForTrust),
    ),
  ];
}
