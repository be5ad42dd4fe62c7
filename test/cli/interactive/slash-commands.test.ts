import { describe, expect, it } from 'vitest';
import type { Command, Skill } from '../../../src/core/commands/command.js';
import { parseSlashCommand, slashCandidates } from '../../../src/cli/interactive/slash-commands.js';
import { slashHelp } from '../../../src/cli/interactive/slash-help.js';
import { GREETING } from '../../support/skills.js';

const COMPACT: Command = {
  type: 'local',
  name: 'compact',
  argumentHint: '[INSTRUCTIONS]',
  description: 'replaces the conversation by a summary',
  load: () => Promise.reject(new Error('not loaded')),
};

const LIVE = { columns: 80, isLive: true };

describe('slash commands', () => {
  it.each([
    ['/help', { name: 'help', rest: '' }],
    [' /compact keep the\nnames ', { name: 'compact', rest: 'keep the\nnames' }],
    ['/diff', { name: 'diff', rest: '' }],
    [' ?', { name: 'help', rest: '' }],
    ['/?', { name: 'help', rest: '' }],
    ['? or !', undefined],
    ['/model opus', { name: 'model', rest: 'opus' }],
    ['/usage', { name: 'cost', rest: '' }],
    ['/usr/bin/env is what?', undefined],
    ['What is /help?', undefined],
  ])('reads %j', (line, command) => {
    expect(parseSlashCommand(line)).toEqual(command);
  });

  it.each([
    ['/exti', 'There is no command /exti. Did you mean /exit?'],
    ['/frobnicate now', 'There is no command /frobnicate. There are: /help, /exit, /clear,'],
    ['/', 'There is no command /. There are: /help,'],
    ['/a:b', 'There is no command /a:b.'],
    ['/exit now', '/exit takes no words.'],
  ])('refuses %j', (line, message) => {
    expect(() => parseSlashCommand(line)).toThrow(message);
  });

  it('tells all of them', () => {
    expect(slashHelp(LIVE, [COMPACT]).match(/^ {2}\/\w+/gm)).toEqual(
      'help exit clear resume rewind export model config dream diff doctor status tasks compact'
        .split(' ')
        .map((name) => `  /${name}`),
    );
  });

  it('tells skills of the session, at most 20', () => {
    const skill = (name: string): Skill => ({
      ...GREETING,
      name,
      description: `Does\n${name}.`,
      argumentHint: '[file]',
      file: `/${name}`,
    });
    const skills = Array.from({ length: 22 }, (_, at) => skill(`s${at}`));
    const lines = slashHelp(LIVE, skills).split('\n');
    const from = lines.findIndex((line) => line.includes('/s0 '));
    expect(lines.slice(from, from + 22)).toEqual([
      ...Array.from({ length: 20 }, (_, at) => `  /s${at} [file]`.padEnd(27) + `Does s${at}.`),
      '  and 2 more',
      '',
    ]);
  });

  it('have names for people and marks', () => {
    const prompt: Command = {
      type: 'prompt',
      loadedFrom: 'mcp',
      source: 'mcp',
      isMcp: true,
      serverName: 'notes',
      promptName: 'greet',
      args: [],
      name: 'mcp__notes__greet',
      description: 'Greets.',
    };
    const commands: readonly Command[] = [
      { ...GREETING, userFacingName: () => 'Say hello', file: '/greet' },
      { ...GREETING, name: 'ship', kind: 'workflow', file: '/ship' },
      prompt,
    ];
    expect(slashHelp(LIVE, commands).match(/^ {2}\/(?:greet|ship|mcp__).*$/gm)).toEqual([
      '  /greet                   Say hello: Greets.',
      '  /ship                    Greets. (workflow)',
      '  /mcp__notes__greet       Greets. (MCP)',
    ]);
    expect(slashCandidates(commands).slice(-3)).toEqual([
      { value: 'greet', hint: 'Say hello: Greets.' },
      { value: 'ship', hint: 'Greets. (workflow)' },
      { value: 'mcp__notes__greet', hint: 'Greets. (MCP)' },
    ]);
  });

  it('fit a narrow terminal: each has its description below it', () => {
    expect(slashHelp({ columns: 40, isLive: true }, []).split('\n').slice(5, 13)).toEqual([
      '      ends the session and begins a new',
      '      one',
      '  /resume [ID]',
      '      ends the session and resumes',
      '      another one, chosen from a list if',
      '      no ID is given',
      '  /rewind [NUMBER]',
      '      goes back to before an earlier',
    ]);
    const wide = slashHelp(LIVE, []).split('\n');
    const at = wide.findIndex((line) => line.includes('/model'));
    expect(wide.slice(at, at + 2)).toEqual([
      '  /model [MODEL]           changes the model from the next request on; without a',
      '                           name to the first one',
    ]);
  });
});
