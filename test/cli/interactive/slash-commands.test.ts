import { describe, expect, it } from 'vitest';
import { parseSlashCommand, slashHelp } from '../../../src/cli/interactive/slash-commands.js';

describe('slash commands', () => {
  it.each([
    ['/help', { name: 'help', rest: '' }],
    [' /compact keep the\nnames ', { name: 'compact', rest: 'keep the\nnames' }],
    ['/model opus', { name: 'model', rest: 'opus' }],
    ['/usr/bin/env is what?', undefined],
    ['What is /help?', undefined],
  ])('reads %j', (line, command) => {
    expect(parseSlashCommand(line)).toEqual(command);
  });

  it.each([
    ['/exti', 'There is no command /exti. Did you mean /exit?'],
    ['/frobnicate now', 'There is no command /frobnicate. See /help.'],
    ['/', 'There is no command /. See /help.'],
    ['/exit now', '/exit takes no words.'],
  ])('refuses %j', (line, message) => {
    expect(() => parseSlashCommand(line)).toThrow(message);
  });

  it('tells all of them', () => {
    expect(slashHelp().match(/^ {2}\/\w+/gm)).toEqual(
      ['help', 'exit', 'clear', 'compact', 'cost', 'model', 'status', 'tasks'].map(
        (name) => `  /${name}`,
      ),
    );
  });
});
