import { UsageError } from '../../core/errors.js';
import type { Command } from './command.js';
import { readSettings, readSources } from './parse-settings-commands.js';
import type { FlagValues } from './read-flags.js';
import { SHELLS, usageOf } from './subcommands.js';
import { wordsOf } from './words-of.js';

export function readSessions(flags: FlagValues): Command {
  wordsOf('sessions', flags, 0);
  const limit = flags.value('--limit');
  if (limit !== undefined && !/^\d{1,9}$/.test(limit))
    throw new UsageError(`--limit: "${limit}" is no number of sessions. Give 0 for all, or more.`);
  return {
    type: 'sessions',
    isAll: flags.given.has('--all'),
    limit: limit === undefined ? undefined : Number(limit),
    isJson: flags.given.has('--json'),
  };
}

export function readLogCommand(flags: FlagValues): Command {
  const [session] = wordsOf('log', flags, 1);
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
  wordsOf('agents', flags, 0);
  const settingSources = readSources(flags);
  const agents = flags.value('--agents');
  return { type: 'agents', agents, settingSources, isJson: flags.given.has('--json') };
}

export function readDoctor(flags: FlagValues): Command {
  wordsOf('doctor', flags, 0);
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
  const [word] = wordsOf('completion', flags, 1);
  const shell = SHELLS.find((one) => one === word);
  if (shell !== undefined) return { type: 'completion', shell };
  const what = word === undefined ? 'needs the name of a shell' : `has nothing for "${word}"`;
  throw new UsageError(`completion ${what}. Usage: ${usageOf('completion')}`);
}
