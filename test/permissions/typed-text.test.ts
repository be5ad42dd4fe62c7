import { describe, expect, it } from 'vitest';
import { gatherFacts } from '../../src/actors/facts/gather-facts.js';
import { decide } from '../../src/permissions/decide.js';
import { createBashGrammar } from '../../src/tools/shell/bash-grammar.js';
import { TmuxInput } from '../../src/tools/shell/tmux-input.js';
import { TmuxTool } from '../../src/tools/shell/tmux.js';
import { createContext } from '../support/tool-context.js';
import { contextOf } from './corpus.js';

const bashGrammar = createBashGrammar();
const LIST = { operation: 'list' };
const CAPTURE = { operation: 'capture', session: 'a' };
const KILL = { operation: 'kill', session: 'a' };
const CREATE = { operation: 'create', session: 'a' };
const KEY = { operation: 'send', session: 'a', key: 'Up' };
const text = (command: string) => ({ operation: 'send', session: 'a', command });

async function decideOn(input: object, rules: Parameters<typeof contextOf>[0] = {}) {
  const parsed = TmuxInput.parse(input);
  const facts = await gatherFacts(TmuxTool, parsed, createContext('/w'), bashGrammar);
  return decide(facts, contextOf(rules));
}

const behaviorOf = async (...given: Parameters<typeof decideOn>) =>
  (await decideOn(...given)).behavior;

describe('a call of Tmux', () => {
  it.each(['default', 'plan', 'dontAsk'] as const)('may look in the mode %s', async (mode) => {
    expect([await behaviorOf(LIST, { mode }), await behaviorOf(CAPTURE, { mode })]).toEqual([
      'allow',
      'allow',
    ]);
  });

  it.each([CREATE, KILL, KEY, text('make'), text('ls'), { ...text('ls'), enter: false }])(
    'needs approval: %j',
    async (input) => {
      expect(await behaviorOf(input)).toBe('ask');
      expect(await behaviorOf(input, { mode: 'acceptEdits' })).toBe('ask');
      expect(await behaviorOf(input, { mode: 'plan', allow: ['Tmux'] })).toBe('deny');
      expect(await behaviorOf(input, { mode: 'bypassPermissions' })).toBe('allow');
      expect(await behaviorOf(input, { allow: ['Tmux'] })).toBe('allow');
      expect(await behaviorOf(input, { allow: ['Bash', 'Bash(ls)', 'Bash(make)'] })).toBe('ask');
    },
  );

  it('suggests the rule for exactly this text or operation', async () => {
    const suggested = async (input: object) => {
      const decision = await decideOn(input);
      return 'suggestions' in decision
        ? decision.suggestions?.flatMap((one) => ('rules' in one ? one.rules : []))
        : [];
    };
    expect(await suggested(text('ls'))).toEqual([{ toolName: 'Tmux', ruleContent: 'ls' }]);
    expect(await suggested(KILL)).toEqual([{ toolName: 'Tmux', ruleContent: 'kill' }]);
    expect(await suggested(KEY)).toEqual([]);
  });

  it.each([
    [text('npm test -- a'), 'allow'],
    [text('npm test; rm x'), 'ask'],
    [{ ...text('npm test'), enter: false }, 'ask'],
    [{ ...CREATE, command: 'npm test' }, 'allow'],
    [KEY, 'ask'],
  ] as const)('with the rule Tmux(npm test *) %j: %s', async (input, behavior) => {
    expect(await behaviorOf(input, { allow: ['Tmux(npm test *)'] })).toBe(behavior);
  });

  it.each(['Bash(git push *)', 'Tmux(git push *)'])('is denied by %s', async (rule) => {
    const rules = { mode: 'bypassPermissions', deny: [rule] } as const;
    expect(await behaviorOf(text('true && git  push -f'), rules)).toBe('deny');
    expect(await behaviorOf({ ...CREATE, command: 'git push' }, rules)).toBe('deny');
    expect(await behaviorOf(text('git pull'), rules)).toBe('allow');
  });

  it('asks for a part of a line that a rule may be meant for', async () => {
    const rules = { allow: ['Tmux'], deny: ['Bash(git push *)'] };
    expect(await behaviorOf({ ...text('git pu'), enter: false }, rules)).toBe('ask');
    expect(await behaviorOf(KEY, rules)).toBe('ask');
  });
});
