import { UsageError } from '../../core/errors.js';
import { SETTING_SOURCES, type SettingSource } from '../../extensions/settings/settings-files.js';
import type { Command, SettingsArguments } from './command.js';
import type { FlagValues } from './read-flags.js';
import { refuseOtherFlags } from './refuse-other-flags.js';
import { SUBCOMMANDS } from './subcommands.js';

export function readConfig(flags: FlagValues): Command {
  const [, more] = flags.words;
  if (more !== undefined) throw new UsageError(`config takes no "${more}". Run: troupe config`);
  refuseOtherFlags('config', flags, SUBCOMMANDS.config.flags);
  return { type: 'config', isJson: flags.given.has('--json'), ...readSettings(flags) };
}

export function readTrust(flags: FlagValues): Command {
  const [, folder, more] = flags.words;
  if (more !== undefined)
    throw new UsageError(`trust takes one folder: "${more}" is a second one.`);
  refuseOtherFlags('trust', flags, SUBCOMMANDS.trust.flags);
  const isList = flags.given.has('--list');
  const isRemoval = flags.given.has('--remove');
  if (isList && (isRemoval || folder !== undefined))
    throw new UsageError('trust --list lists every trusted folder. Give it alone.');
  if (flags.given.has('--json') && !isList)
    throw new UsageError('--json goes with a list: troupe trust --list --json.');
  if (folder === '') throw new UsageError('The name of the folder is empty.');
  const action = isList ? 'list' : isRemoval ? 'remove' : 'add';
  return { type: 'trust', action, folder: folder ?? '.', isJson: flags.given.has('--json') };
}

/** The flags that say where settings come from. */
export function readSettings(flags: FlagValues): SettingsArguments {
  return {
    settings: flags.values('--settings'),
    settingSources: readSources(flags),
    addDirectories: flags.values('--add-dir'),
    trustsFolder: flags.given.has('--trust'),
  };
}

/** The value of `--setting-sources`. */
export function readSources(flags: FlagValues): readonly SettingSource[] | undefined {
  const names = flags
    .value('--setting-sources')
    ?.split(',')
    .map((name) => name.trim());
  return names
    ?.filter((name) => name !== '')
    .map((name) => {
      const known = SETTING_SOURCES.find((source) => source === name);
      if (known === undefined)
        throw new UsageError(
          `--setting-sources: there is no "${name}". Choose from ${SETTING_SOURCES.join(', ')}.`,
        );
      return known;
    });
}
