import { UsageError } from '../../core/errors.js';
import type { Command } from './command.js';
import type { FlagValues } from './read-flags.js';
import { usageOf, type SubcommandName } from './subcommands.js';
import { wordsOf } from './words-of.js';

export function readPs(flags: FlagValues): Command {
  wordsOf('ps', flags, 0);
  return { type: 'ps', isJson: flags.given.has('--json'), watches: flags.given.has('--watch') };
}

export function readLogs(flags: FlagValues): Command {
  const [target] = wordsOf('logs', flags, 1);
  return { type: 'logs', target: needed('logs', target), follows: flags.given.has('--follow') };
}

export function readKill(flags: FlagValues): Command {
  const [target] = wordsOf('kill', flags, 1);
  const reason = flags.value('--reason') ?? 'killed by troupe kill';
  return { type: 'kill', target: needed('kill', target), reason };
}

export function readSend(flags: FlagValues): Command {
  const [target, text] = wordsOf('send', flags, 2);
  return { type: 'send', target: needed('send', target), text: needed('send', text) };
}

function needed(name: SubcommandName, word: string | undefined): string {
  if (word !== undefined && word.trim() !== '') return word;
  throw new UsageError(`${name} needs more. Usage: ${usageOf(name)}`);
}
