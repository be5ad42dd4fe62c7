import { describe, expect, it } from 'vitest';
import { createDeniedCalls } from '../../../src/cli/headless/denied-calls.js';
import { decide } from '../../../src/permissions/decide.js';
import type { ToolFacts } from '../../../src/permissions/facts/facts.js';
import { whatWouldChange } from '../../../src/permissions/what-would-change.js';
import { contextOf, pathFacts, shellFacts, type Rules } from '../../permissions/corpus.js';

/** A call that the rules deny because nobody can be asked. */
function denialOf(facts: ToolFacts, rules: Rules = {}) {
  const context = { ...contextOf(rules), shouldAvoidPermissionPrompts: true };
  const decision = decide(facts, context);
  if (decision.behavior !== 'deny')
    throw new Error(`It is decided otherwise: ${decision.behavior}`);
  const change = whatWouldChange(facts, context);
  const { message, decisionReason: reason } = decision;
  const { toolName, input } = facts;
  return { toolName, toolUseId: 't', input, message, reason, ...(change && { change }) };
}

function linesOf(...denials: readonly ReturnType<typeof denialOf>[]): readonly string[] {
  const calls = createDeniedCalls();
  for (const denial of denials) calls.note(denial);
  return calls.lines();
}

/** A call that edits several files. */
function edits(...names: readonly string[]): ToolFacts {
  const paths = names.flatMap((name) => {
    const { target } = pathFacts('MultiEdit', name);
    return target?.kind === 'paths' ? target.paths : [];
  });
  const input = { file_path: names[0] ?? '' };
  const target = { kind: 'paths', paths } as const;
  return { ...pathFacts('MultiEdit', 'a'), input, target };
}

describe('the denied calls of a run', () => {
  it.each([
    ['npm test', `Bash(npm test). Allow it: --allowedTools 'Bash(npm test)'`],
    [
      "echo 'a b' | npm run x",
      `Bash(echo 'a b' | npm run x). Allow it: --allowedTools 'Bash(npm run x)'`,
    ],
    [
      "it's",
      `Bash(it's): the command cannot be analysed: a single quote does not close. A wide rule allows it: --allowedTools 'Bash'`,
    ],
    ["make 'x y'", `Bash(make 'x y'). Allow it: --allowedTools 'Bash(make '\\''x y'\\'')'`],
    ['make && npm t', `Bash(make && npm t). Allow it: --allowedTools 'Bash(make),Bash(npm t)'`],
    [
      'make "("',
      `Bash(make "("). Allow it: --settings '{"permissions":{"allow":["Bash(make \\"(\\")"]}}'`,
    ],
    ['ls > a', `Bash(ls > a). Allow it: --allowedTools 'Edit(//home/u/proj/a)'`],
  ])('tell how to allow %s', (command, line) => {
    expect(linesOf(denialOf(shellFacts(command)))).toEqual([`denied: ${line}`]);
  });

  it('tell how to allow all files of a call at once', () => {
    const allow = ['Edit(//b)'];
    const denials = [
      denialOf(edits('/a', '/b')),
      denialOf(edits('c', '/a')),
      denialOf(edits('/d', '/b', '/e'), { allow }),
    ];
    expect(linesOf(...denials)).toEqual([
      `denied: MultiEdit(/a). Allow it: --allowedTools 'Edit(//a),Edit(//b)'`,
      `denied: MultiEdit(c). Allow it: --allowedTools 'Edit(//home/u/proj/c),Edit(//a)'`,
      `denied: MultiEdit(/d). Allow it: --allowedTools 'Edit(//d),Edit(//e)'`,
    ]);
  });

  it('tell how to allow more files than anybody reads rules of: their folder, or the tool', () => {
    const six = (folder: string) => edits(...[1, 2, 3, 4, 5, 6].map((name) => `${folder}/${name}`));
    const denials = [
      denialOf(six('/srv/data/x')),
      denialOf(
        edits(
          '/srv/data/y/1',
          '/srv/data/z/2',
          ...'3456'.split('').map((name) => `/srv/data/${name}`),
        ),
      ),
      denialOf(six('/home/u/.keys')),
      denialOf(edits(...'123456'.split('').map((name) => `/top${name}/a`))),
      denialOf(edits(...'123456'.split('').map((name) => `/srv/data/${name}`), '/home/u/.bashrc')),
    ];
    expect(linesOf(...denials)).toEqual([
      `denied: MultiEdit(/srv/data/x/1). Allow it: --allowedTools 'Edit(//srv/data/x/**)'`,
      `denied: MultiEdit(/srv/data/y/1). Allow it: --allowedTools 'Edit(//srv/data/**)'`,
      `denied: MultiEdit(/home/u/.keys/1). Allow it: --allowedTools 'MultiEdit'`,
      `denied: MultiEdit(/top1/a). Allow it: --allowedTools 'MultiEdit'`,
      'denied: MultiEdit(/srv/data/1): it is a safety check: /home/u/.bashrc is protected.',
    ]);
  });

  it('tell the rule, the mode or the check that denies if no rule can allow them', () => {
    const denials = [
      denialOf(shellFacts('curl x'), { deny: ['Bash(curl *)'] }),
      denialOf(shellFacts('git push'), { ask: ['Bash(git push)'] }),
      denialOf(shellFacts('make'), { mode: 'plan' }),
      denialOf(pathFacts('Write', '.npmrc')),
    ];
    expect(linesOf(...denials)).toEqual([
      'denied: Bash(curl x): the rule Bash(curl *) (project settings) denies it.',
      'denied: Bash(git push): the rule Bash(git push) (project settings) asks for it.',
      'denied: Bash(make): the mode plan does not let it pass.',
      'denied: Write(.npmrc): it is a safety check: /home/u/proj/.npmrc is protected.',
    ]);
  });

  it('tell the rule for the whole tool if no narrower rule is suggested', () => {
    expect(linesOf(denialOf(shellFacts('A=b make')))).toEqual([
      `denied: Bash(A=b make): it sets A. A wide rule allows it: --allowedTools 'Bash'`,
    ]);
  });

  it('are shown once, and at most ten of them', () => {
    const same = denialOf(shellFacts('make'));
    const many = Array.from({ length: 14 }, (_, index) => denialOf(shellFacts(`make ${index}`)));
    const lines = linesOf(same, same, ...many);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      11,
      `denied: Bash(make). Allow it: --allowedTools 'Bash(make)'`,
      'denied: 5 more. See "troupe permissions log".',
    ]);
  });

  it('name the calls that were cancelled with them, or because another call failed', () => {
    const calls = createDeniedCalls();
    const push = { toolName: 'Bash', toolUseId: 'u', input: { command: 'git push' } };
    calls.note(denialOf(shellFacts('npm test')));
    calls.noteCancelled({ ...push, failedToolUseId: 't', failedCall: 'Bash(npm test)' });
    calls.noteCancelled({ ...push, failedToolUseId: 'v', failedCall: 'Bash(make)' });
    expect(calls.lines()).toEqual([
      `denied: Bash(npm test). Allow it: --allowedTools 'Bash(npm test)'`,
      'not run: Bash(git push), because Bash(npm test) beside it was denied.',
      'not run: Bash(git push), because Bash(make) beside it failed.',
    ]);
  });

  it('leave out what a person has refused', () => {
    const calls = createDeniedCalls();
    calls.note({ ...denialOf(shellFacts('make')), isByPerson: true });
    expect(calls.lines()).toEqual([]);
  });
});
