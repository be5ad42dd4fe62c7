import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../src/cli/arguments/command-line.js';
import { findCommand } from '../../../src/cli/command-table/find-command.js';
import { choicesOf } from '../../../src/cli/arguments/flags.js';
import { COMMANDS, RUN } from '../../../src/cli/command-table/commands.js';
import { Effort } from '../../../src/core/agents/agent-definition.js';
import { CHOOSABLE_PERMISSION_MODES } from '../../../src/core/permission-types.js';
import { SETTING_SOURCES } from '../../../src/settings/files/settings-files.js';
import { SANDBOX_MODES } from '../../../src/processes/sandbox/sandbox.js';

function find(...args: readonly string[]) {
  const { action, line } = findCommand(parseCommandLine(args));
  return { action, words: line.words };
}

describe('findCommand', () => {
  it('finds a command, an action of a command, and a run', () => {
    expect(find('kill', 't1', '--reason', 'late')).toEqual({
      action: COMMANDS.kill,
      words: ['t1'],
    });
    expect(find('--json', 'permissions', 'log')).toEqual({
      action: COMMANDS.permissions.actions.log,
      words: [],
    });
    expect(find('fix the test')).toEqual({ action: RUN, words: ['fix the test'] });
    expect(find('-p', 'kill')).toEqual({ action: RUN, words: ['kill'] });
    expect(find('--', 'kill', 't1')).toEqual({ action: COMMANDS.kill, words: ['t1'] });
  });
});

describe('a flag of which the value is one of a few words', () => {
  it('has the words that settings and agents have', () => {
    expect(choicesOf('--effort')).toEqual(Effort.options);
    expect(choicesOf('--sandbox')).toEqual(SANDBOX_MODES);
    expect(choicesOf('--setting-sources')).toEqual(SETTING_SOURCES);
    expect(choicesOf('--permission-mode')).toEqual([...CHOOSABLE_PERMISSION_MODES, 'manual']);
  });
});
