import { describe, expect, it } from 'vitest';
import { whatWouldChange } from '../../src/permissions/what-would-change.js';
import { contextOf, factsOf, pathFacts, shellFacts } from './corpus.js';

const allow = (toolName: string, ruleContent: string) => ({
  type: 'addRules',
  rules: [{ toolName, ruleContent }],
  behavior: 'allow',
  destination: 'localSettings',
});

describe('whatWouldChange', () => {
  it('is nothing for what is allowed', () => {
    expect(whatWouldChange(shellFacts('ls'), contextOf({}))).toBeUndefined();
  });

  it.each(['default', 'dontAsk'] as const)('is a rule that allows, in the mode %s', (mode) => {
    expect(whatWouldChange(shellFacts('make'), contextOf({ mode }))).toEqual({
      type: 'updates',
      updates: [allow('Bash', 'make')],
    });
  });

  it('is the name of a host that is closed, and nothing for one that stays so', () => {
    const at = (host: string) => {
      const request = { url: `http://${host}/`, host, addresses: [] };
      const facts = factsOf({ toolName: 'WebFetch', target: { kind: 'web', request } });
      return whatWouldChange(facts, contextOf({}))?.type;
    };
    expect([at('127.0.0.1'), at('169.254.169.254')]).toEqual(['updates', 'none']);
  });

  it('names the rule that is stronger than any that allows', () => {
    const rule = {
      source: 'projectSettings',
      behavior: 'deny',
      value: { toolName: 'Bash', ruleContent: 'make *' },
    };
    expect(whatWouldChange(shellFacts('make'), contextOf({ deny: ['Bash(make *)'] }))).toEqual({
      type: 'rule',
      rule,
    });
  });

  it('has the type none if no rule can change it', () => {
    const inPlan = whatWouldChange(shellFacts('make'), contextOf({ mode: 'plan' }));
    expect(inPlan).toEqual({ type: 'none', why: 'the mode plan does not let it pass' });
    const kept = whatWouldChange(pathFacts('Edit', '/home/u/proj/.git/config'), contextOf({}));
    expect(kept).toEqual({
      type: 'none',
      why: 'it is a safety check: /home/u/proj/.git/config is protected',
    });
  });

  it('is a rule for the whole tool if no narrower rule is suggested', () => {
    const update = {
      type: 'addRules',
      rules: [{ toolName: 'Bash' }],
      behavior: 'allow',
      destination: 'localSettings',
    };
    const whyWide = (command: string): unknown => {
      const change = whatWouldChange(shellFacts(command), contextOf({}));
      expect(change).toMatchObject({ type: 'wide', update });
      return change?.type === 'wide' ? change.why : undefined;
    };
    expect(whyWide('make $(x)')).toContain('the command cannot be analysed: ');
    expect(whyWide('A=b make')).toBe('it sets A');
    expect(whyWide("python3 -c 'print(2*3)'")).toBe('the mode default does not let it pass');
  });

  it('says of what is asked for each time why that is', () => {
    const question = factsOf({
      requiresUserInteraction: true,
      ownCheck: {
        behavior: 'ask',
        message: 'Which?',
        decisionReason: { type: 'other', reason: 'only a person can answer it' },
      },
    });
    const bash = contextOf({ allow: ['Bash(ls *)', 'Bash(echo *)', 'Bash(export *)'] });
    const whyOf = (facts: ReturnType<typeof factsOf>): unknown => {
      const change = whatWouldChange(facts, bash);
      return change?.type === 'none' || change?.type === 'wide' ? change.why : change;
    };
    expect(whyOf(question)).toBe('only a person can answer it');
    expect(whyOf(shellFacts('export A=1'))).toBe('export changes what later commands do');
    expect(whyOf(shellFacts('ls && echo x > .git/config'))).toBe(
      'echo x: it is a safety check: /home/u/proj/.git/config is protected',
    );
  });
});
