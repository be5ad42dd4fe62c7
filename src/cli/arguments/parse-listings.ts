import { UsageError } from '../../core/errors.js';
import type { Command } from './command.js';
import { readSettings, readSources } from './parse-settings-commands.js';
import type { FlagValues } from './read-flags.js';
import { refuseOtherFlags } from './refuse-other-flags.js';
import { SHELLS, SUBCOMMANDS, usageOf, type SubcommandName } from './subcommands.js';

export function readSessions(flags: FlagValues): Command {
  check('sessions', flags, 0);
  return { type: 'sessions', isAll: flags.given.has('--all'), isJson: flags.given.has('--json') };
}

export function readLogCommand(flags: FlagValues): Command {
  const [session] = check('log', flags, 1);
  const agent = flags.value('--agent');
  if (session === '' || agent?.trim() === '')
    throw new UsageError(`log: a name is empty. Usage: ${usageOf('log')}`);
  const { given } = flags;
  return {
    type: 'log',
    session,
    agent,
    isJson: given.has('--json'),
    follows: given.has('--follow'),
  };
}

export function readAgents(flags: FlagValues): Command {
  check('agents', flags, 0);
  const settingSources = readSources(flags);
  const agents = flags.value('--agents');
  return { type: 'agents', agents, settingSources, isJson: flags.given.has('--json') };
}

export function readDoctor(flags: FlagValues): Command {
  check('doctor', flags, 0);
  return {
    type: 'doctor',
    connects: flags.given.has('--mcp'),
    isJson: flags.given.has('--json'),
    mcpConfigs: flags.values('--mcp-config'),
    usesOnlyGivenServers: flags.given.has('--strict-mcp-config'),
    ...readSettings(flags),
  };
}

export function readCompletion(flags: FlagValues): Command {
  const [word] = check('completion', flags, 1);
  const shell = SHELLS.find((one) => one === word);
  if (shell !== undefined) return { type: 'completion', shell };
  const what = word === undefined ? 'needs the name of a shell' : `has nothing for "${word}"`;
  throw new UsageError(`completion ${what}. Usage: ${usageOf('completion')}`);
}

/** @returns the words after the subcommand's name. @throws UsageError for more of them, or for a flag it does not have */
function check(name: SubcommandName, flags: FlagValues, mostWords: number): readonly string[] {
  const [, ...words] = flags.words;
  const more = words[mostWords];
  if (more !== undefined)
    throw new UsageError(`${name} takes no "${more}". Usage: ${usageOf(name)}`);
  refuseOtherFlags(name, flags, SUBCOMMANDS[name].flags);
  return words;
}
