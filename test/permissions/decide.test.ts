import { describe, expect, it } from 'vitest';
import { decide } from '../../src/permissions/decide.js';
import { contextOf, factsOf, pathFacts, place, shellFacts } from './corpus.js';

describe('decide', () => {
  it('names the rule that denies and where it comes from, in words for the model', () => {
    const context = contextOf({ mode: 'bypassPermissions', deny: ['Bash(rm *)'] });
    expect(decide(shellFacts('ls && rm -rf src'), context)).toEqual({
      behavior: 'deny',
      message:
        'Permission to use Bash was denied by the rule Bash(rm *) (project settings), which matches "rm -rf src".',
      decisionReason: {
        type: 'rule',
        rule: {
          source: 'projectSettings',
          behavior: 'deny',
          value: { toolName: 'Bash', ruleContent: 'rm *' },
        },
      },
    });
  });

  it('asks for what a rule asks for, whatever allows it', () => {
    const context = contextOf({
      mode: 'bypassPermissions',
      ask: ['Edit(/src/**)'],
      allow: ['Edit'],
    });
    expect(decide(pathFacts('Write', '/home/u/proj/src/a.ts'), context)).toEqual({
      behavior: 'ask',
      message:
        'Write: the rule Edit(/src/**) (project settings) asks for it, which matches "/home/u/proj/src/a.ts".',
      decisionReason: {
        type: 'rule',
        rule: {
          source: 'projectSettings',
          behavior: 'ask',
          value: { toolName: 'Edit', ruleContent: '/src/**' },
        },
      },
    });
  });

  it('suggests the narrowest rule that would decide permanently', () => {
    const command = decide(shellFacts('npm install'), contextOf({}));
    expect(command).toEqual({
      behavior: 'ask',
      message: 'Bash: No rule allows "npm install".',
      decisionReason: { type: 'mode', mode: 'default' },
      suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'npm install' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
    });
    const read = decide(pathFacts('Read', '/etc/ssh/config'), contextOf({}));
    expect(read).toEqual({
      behavior: 'ask',
      message: 'Read: No rule allows reading /etc/ssh/config, which is outside the workspace.',
      decisionReason: { type: 'workingDir', reason: '/etc/ssh/config is outside the workspace' },
      blockedPath: '/etc/ssh/config',
      suggestions: ['//etc/ssh/config', '//etc/ssh/**'].map((ruleContent) => ({
        type: 'addRules',
        rules: [{ toolName: 'Read', ruleContent }],
        behavior: 'allow',
        destination: 'session',
      })),
    });
    const write = decide(pathFacts('Write', '/home/u/proj/a.ts'), contextOf({}));
    expect(write.behavior === 'ask' && write.suggestions).toEqual([
      {
        type: 'addRules',
        rules: [{ toolName: 'Edit', ruleContent: '//home/u/proj/a.ts' }],
        behavior: 'allow',
        destination: 'session',
      },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ]);
  });

  it('says for each command of a list what was decided', () => {
    const decision = decide(shellFacts('ls && npm test'), contextOf({}));
    expect(decision.decisionReason).toEqual({
      type: 'subcommandResults',
      reasons: {
        ls: { behavior: 'allow', decisionReason: { type: 'other', reason: 'it only reads' } },
        'npm test': expect.objectContaining({
          behavior: 'ask',
          message: 'No rule allows "npm test".',
        }),
      },
    });
  });

  it('gives a safety check as the reason for protected files and unresolvable paths', () => {
    const context = contextOf({ allow: ['Edit'] });
    const written = decide(pathFacts('Write', '/home/u/proj/.git/config'), context);
    expect(written.decisionReason).toEqual({
      type: 'safetyCheck',
      reason: '/home/u/proj/.git/config is protected',
      classifierApprovable: false,
    });
    const loop = pathFacts('Write', '/home/u/proj/a', { '/home/u/proj/a': 'a' });
    expect(decide(loop, context).decisionReason).toEqual({
      type: 'safetyCheck',
      reason: 'the path cannot be resolved',
      classifierApprovable: false,
    });
  });

  it('denies in dontAsk and if nobody can be asked, and says which it was', () => {
    const facts = factsOf({ toolName: 'Deploy' });
    expect(decide(facts, contextOf({ mode: 'dontAsk' }))).toEqual({
      behavior: 'deny',
      message:
        'Permission to use Deploy was denied: nobody is asked in the mode dontAsk. Deploy: No rule allows Deploy.',
      decisionReason: { type: 'mode', mode: 'dontAsk' },
    });
    expect(decide(facts, { ...contextOf({}), shouldAvoidPermissionPrompts: true })).toEqual({
      behavior: 'deny',
      message:
        "Permission to use Deploy was denied: it needs a person's approval, and nobody can be asked here. Deploy: No rule allows Deploy.",
      decisionReason: { type: 'asyncAgent', reason: 'nobody can be asked' },
    });
  });

  it('lets plan mode read and nothing else, rules or not', () => {
    const context = contextOf({
      mode: 'plan',
      allow: ['Bash', 'Edit', 'Deploy', 'Fetch'],
      ask: ['Slow'],
    });
    const uses = {
      read: pathFacts('Read', '/home/u/proj/a'),
      write: pathFacts('Write', '/home/u/proj/a'),
      list: shellFacts('ls'),
      test: shellFacts('npm test'),
      deploy: factsOf({ toolName: 'Deploy' }),
      fetch: factsOf({ toolName: 'Fetch', isReadOnly: true, target: { kind: 'name', name: 'x' } }),
      slowRead: factsOf({ toolName: 'Slow', isReadOnly: true }),
      slowWrite: factsOf({ toolName: 'Slow' }),
      todo: factsOf({ ownCheck: { behavior: 'allow' } }),
      approval: factsOf({
        requiresUserInteraction: true,
        ownCheck: { behavior: 'ask', message: 'Approve the plan?' },
      }),
    };
    const behaviors = Object.entries(uses).map(([name, facts]) => [
      name,
      decide(facts, context).behavior,
    ]);
    expect(Object.fromEntries(behaviors)).toEqual({
      read: 'allow',
      write: 'deny',
      list: 'allow',
      test: 'deny',
      deploy: 'deny',
      fetch: 'allow',
      slowRead: 'ask',
      slowWrite: 'deny',
      todo: 'allow',
      approval: 'ask',
    });
  });

  it('approves read-only tools without a target, but takes no server at its word', () => {
    const context = contextOf({});
    const judge = (facts: Parameters<typeof factsOf>[0]): string =>
      decide(factsOf(facts), context).behavior;
    expect(judge({ isReadOnly: true })).toBe('allow');
    expect(judge({ isReadOnly: false })).toBe('ask');
    expect(judge({ isReadOnly: true, toolName: 'mcp__a__read' })).toBe('ask');
    expect(judge({ isReadOnly: true, target: { kind: 'name', name: 'example.com' } })).toBe('ask');
  });

  it("hears the tool's own check behind the rules", () => {
    const bypass = contextOf({ mode: 'bypassPermissions' });
    const ownCheck = { behavior: 'allow', updatedInput: { a: 1 }, acceptFeedback: 'ok' } as const;
    const allowed = factsOf({ ownCheck });
    expect(decide(allowed, contextOf({}))).toEqual({
      behavior: 'allow',
      acceptFeedback: 'ok',
      decisionReason: { type: 'other', reason: "the tool's own check allows it" },
    });
    expect(decide(allowed, contextOf({ deny: ['Probe'] })).behavior).toBe('deny');
    expect(decide(allowed, contextOf({ ask: ['Probe'] })).behavior).toBe('ask');

    const asking = factsOf({ isReadOnly: true, ownCheck: { behavior: 'ask', message: 'Sure?' } });
    expect(decide(asking, contextOf({}))).toEqual({
      behavior: 'ask',
      message: 'Probe: Sure?',
      decisionReason: { type: 'mode', mode: 'default' },
      suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Probe' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
    });
    expect(decide(asking, contextOf({ allow: ['Probe'] })).behavior).toBe('allow');
    expect(decide(asking, bypass).behavior).toBe('allow');

    const reason = { type: 'safetyCheck', reason: 'x', classifierApprovable: false } as const;
    const unsafe = factsOf({
      ownCheck: { behavior: 'ask', message: 'Sure?', decisionReason: reason },
    });
    expect(decide(unsafe, bypass)).toEqual({
      behavior: 'ask',
      message: 'Sure?',
      decisionReason: reason,
    });
    const question = factsOf({
      requiresUserInteraction: true,
      ownCheck: { behavior: 'ask', message: 'Which?', metadata: { choices: 2 } },
    });
    expect(decide(question, bypass)).toMatchObject({
      behavior: 'ask',
      metadata: { choices: 2 },
    });

    const refusing = factsOf({
      ownCheck: { behavior: 'deny', message: 'no permission', decisionReason: reason },
    });
    expect(decide(refusing, bypass)).toEqual(refusing.ownCheck);
  });

  it('matches rules by name, by parameter and by older names', () => {
    const agent = factsOf({
      toolName: 'Agent',
      aliases: ['Task'],
      input: { model: 'opus', count: 2 },
      target: { kind: 'name', name: 'reviewer' },
    });
    const denies = (rule: string): boolean =>
      decide(agent, contextOf({ deny: [rule], mode: 'bypassPermissions' })).behavior === 'deny';
    const rules = [
      'Agent',
      'Task',
      'Agent(reviewer)',
      'Agent(rev*)',
      'Agent(model:opus)',
      'Agent(count:2)',
      '*',
    ];
    expect(rules.filter((rule) => !denies(rule))).toEqual([]);
    const others = [
      'Agent(writer)',
      'Agent(model:haiku)',
      'Agent(toString:*)',
      'agent',
      'mcp__*',
      'Read',
    ];
    expect(others.filter(denies)).toEqual([]);
    expect(decide(agent, contextOf({ allow: ['Agent(reviewer)'] })).behavior).toBe('allow');
  });

  it('does not bypass if the session may not', () => {
    const context = {
      ...contextOf({ mode: 'bypassPermissions' }),
      isBypassPermissionsModeAvailable: false,
    };
    expect(decide(factsOf({}), context).behavior).toBe('ask');
  });

  it('knows the workspace, home and rules by their real paths too', () => {
    const linked = { ...place, realPaths: { '/home/u/proj': '/data/proj', '/home/u': '/data/u' } };
    const at = (path: string, resolved: string): ReturnType<typeof factsOf> => {
      const paths = [{ given: path, lexical: path, resolved, access: 'read' }] as const;
      return factsOf({ toolName: 'Read', target: { kind: 'paths', paths }, place: linked });
    };
    const context = contextOf({ deny: ['Read(~/secrets/**)'] });
    expect(decide(at('/home/u/proj/a', '/data/proj/a'), context).behavior).toBe('allow');
    expect(decide(at('/data/proj/a', '/data/proj/a'), context).behavior).toBe('allow');
    expect(decide(at('/data/u/secrets/a', '/data/u/secrets/a'), context).behavior).toBe('deny');
    expect(decide(at('/home/u/proj/a', '/elsewhere/a'), context).behavior).toBe('ask');
  });

  it('keeps relative rules that deny in the folder of the start when the shell has moved', () => {
    const moved = { ...place, cwd: '/home/u/proj/src' };
    expect(
      decide(shellFacts('cat ../.env', moved), contextOf({ deny: ['Read(.env)'] })).behavior,
    ).toBe('deny');
    expect(decide(shellFacts('cat a.ts', moved), contextOf({})).behavior).toBe('allow');
  });
});
