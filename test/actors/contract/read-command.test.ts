import { describe, expect, it } from 'vitest';
import { readCommand } from '../../../src/actors/contract/read-command.js';
import type { Skill } from '../../../src/core/commands/command.js';
import { GREETING } from '../../support/skills.js';

const skill = (name: string, others: Partial<Skill> = {}): Skill => ({
  ...GREETING,
  name,
  file: `/${name}`,
  ...others,
});

const SKILLS = [
  skill('one'),
  skill('two'),
  skill('kit:three'),
  skill('forked', { context: 'fork' }),
  skill('hidden', { userInvocable: false }),
];

describe('skills in one line', () => {
  it.each([
    ['/one', ['one'], ''],
    ['/one /two fix  it ', ['one', 'two'], 'fix  it'],
    ['/one /kit:three', ['one', 'kit:three'], ''],
    ['/one /usr/bin', ['one'], '/usr/bin'],
    ['/one /unknown x', ['one'], '/unknown x'],
    ['/one /hidden /two', ['one'], '/hidden /two'],
    ['/one /forked x', ['one'], '/forked x'],
    ['/forked /one x', ['forked'], '/one x'],
    ['/one /two /two /two /two /two /two x', ['one', ...Array(5).fill('two')], '/two x'],
  ])('%j uses %j with %j', (line, names, args) => {
    const command = readCommand(line, SKILLS);
    expect(command).toMatchObject({ kind: 'skill', args });
    expect(command?.kind === 'skill' && command.skills.map(({ name }) => name)).toEqual(names);
  });
});
