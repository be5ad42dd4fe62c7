import { beforeAll, describe, expect, it } from 'vitest';
import type { ToolFacts } from '../../src/permissions/facts/facts.js';
import { decide } from '../../src/permissions/decide.js';
import {
  isExcludedCommand,
  whyOutsideSandbox,
} from '../../src/permissions/shell/excluded-command.js';
import { loadAnalysis } from '../../src/permissions/shell/load-analysis.js';
import { contextOf, shellFacts } from './corpus.js';

function leaving(
  command: string,
  leavesSandbox: NonNullable<ToolFacts['leavesSandbox']>,
): ToolFacts {
  return { ...shellFacts(command), leavesSandbox };
}

const DISABLED = { type: 'sandboxOverride', reason: 'dangerouslyDisableSandbox' } as const;
const EXCLUDED = { type: 'sandboxOverride', reason: 'excludedCommand' } as const;

describe('a command that asks to run outside the sandbox', () => {
  it.each(['default', 'acceptEdits', 'bypassPermissions', 'plan'] as const)(
    'is asked for in the mode %s, whatever allows it',
    (mode) => {
      const context = contextOf({ mode, allow: ['Bash', 'Bash(ls *)'] });
      expect(decide(leaving('ls src', 'dangerouslyDisableSandbox'), context)).toEqual({
        behavior: 'ask',
        message: 'Bash: it would run outside the sandbox.',
        decisionReason: DISABLED,
      });
    },
  );

  it('is denied if nobody is asked', () => {
    const context = contextOf({ mode: 'dontAsk', allow: ['Bash'] });
    expect(decide(leaving('ls', 'dangerouslyDisableSandbox'), context)).toMatchObject({
      behavior: 'deny',
      decisionReason: DISABLED,
    });
  });

  it('cannot be let through by a hook or a classifier', () => {
    for (const reason of [
      { type: 'hook', hookName: 'lenient' },
      { type: 'classifier', classifier: 'auto', reason: 'harmless' },
    ] as const)
      expect(
        decide(leaving('ls', 'dangerouslyDisableSandbox'), contextOf({}), {
          behavior: 'allow',
          reason,
        }),
      ).toMatchObject({ behavior: 'ask', decisionReason: DISABLED });
  });

  it('is denied by a rule that denies it', () => {
    const facts = leaving('rm -rf src', 'dangerouslyDisableSandbox');
    expect(decide(facts, contextOf({ deny: ['Bash(rm *)'] }))).toMatchObject({
      behavior: 'deny',
      decisionReason: { type: 'rule' },
    });
  });
});

describe('a command that runs outside the sandbox by settings', () => {
  it.each([
    ['ls src', 'default'],
    ['touch src/a.ts', 'acceptEdits'],
    ['docker ps', 'default'],
  ] as const)('asks if no rule allows it: %s in the mode %s', (command, mode) => {
    expect(decide(leaving(command, 'excludedCommand'), contextOf({ mode }))).toMatchObject({
      behavior: 'ask',
      decisionReason: EXCLUDED,
    });
  });

  it.each(['docker ps', 'docker ps && docker images'])(
    'runs if rules allow all of it: %s',
    (command) => {
      const context = contextOf({ allow: ['Bash(docker *)'] });
      expect(decide(leaving(command, 'excludedCommand'), context).behavior).toBe('allow');
    },
  );

  it('asks if rules allow a part of it', () => {
    const context = contextOf({ allow: ['Bash(docker *)'] });
    expect(decide(leaving('docker ps && ls', 'excludedCommand'), context)).toMatchObject({
      behavior: 'ask',
      decisionReason: EXCLUDED,
    });
  });

  it('runs if permissions are bypassed', () => {
    const context = contextOf({ mode: 'bypassPermissions' });
    expect(decide(leaving('docker ps', 'excludedCommand'), context).behavior).toBe('allow');
  });
});

beforeAll(loadAnalysis);

describe('isExcludedCommand', () => {
  const patterns = ['docker *', 'npm run test:*'];

  it.each([
    'docker',
    'docker ps',
    'docker ps && docker images',
    'npm run test',
    'docker ps | docker load',
  ])('takes %s out', (command) => expect(isExcludedCommand(command, patterns)).toBe(true));

  it.each([
    'dockerd',
    'docker ps && rm -rf src',
    'docker ps; curl x | sh',
    'docker $(rm x)',
    'docker ps & rm x',
    'eval docker ps',
    `${'$('.repeat(3_000)}docker ps`,
    '',
  ])('keeps %s in', (command) => expect(isExcludedCommand(command, patterns)).toBe(false));
});

describe('whyOutsideSandbox', () => {
  const sandbox = { excludedCommands: ['docker *'], allowUnsandboxedCommands: true };
  const disabling = { command: 'ls', dangerouslyDisableSandbox: true };

  it('says why, if a sandbox is in force', () => {
    expect([
      whyOutsideSandbox(disabling, undefined),
      whyOutsideSandbox(disabling, sandbox),
      whyOutsideSandbox(disabling, { ...sandbox, allowUnsandboxedCommands: false }),
      whyOutsideSandbox({ command: 'docker ps' }, sandbox),
      whyOutsideSandbox({ command: 'ls' }, sandbox),
    ]).toEqual([undefined, 'dangerouslyDisableSandbox', undefined, 'excludedCommand', undefined]);
  });
});
