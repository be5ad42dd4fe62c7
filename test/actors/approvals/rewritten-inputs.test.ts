import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PermissionAnswer, PermissionResult } from '../../../src/core/decision-types.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { linesOf } from '../../support/journals.js';
import { newestResults, playParts, resultText } from '../../support/scripts.js';
import { ASK_FIRST, createTroupe, type TroupeOptions } from '../../support/troupe.js';

/** A session that uses Change for `sent` once, a tool that takes texts of at most 10 characters without "bad". */
async function changeOnce(
  sent: string,
  { check, ...options }: TroupeOptions & { readonly check?: PermissionResult } = {},
) {
  const ran: string[] = [];
  const results: string[] = [];
  const tool = buildTool({
    name: 'Change',
    inputSchema: z.object({ what: z.string().max(10) }),
    permissionTarget: ({ what }) => ({ kind: 'name', name: what }),
    validateInput: ({ what }) =>
      Promise.resolve(
        what.includes('bad')
          ? { result: false, message: 'Change: "bad" is taken.' }
          : { result: true },
      ),
    checkPermissions: () => Promise.resolve(check ?? { behavior: 'passthrough' }),
    call({ what }) {
      ran.push(what);
      return Promise.resolve({ data: `changed ${what}` });
    },
  });
  const script = playParts({
    main: [
      { tools: [{ name: 'Change', input: { what: sent } }] },
      ({ messages }) => {
        results.push(...newestResults(messages).map(resultText));
        return { text: 'Done.' };
      },
    ],
  });
  const { troupe } = await createTroupe(script, {
    permissions: ASK_FIRST,
    ...options,
    tools: [tool],
  });
  const session = troupe.session({ prompt: 'Go.' });
  await session.outcome;
  const lines = (await linesOf(session, 'audit.jsonl')).filter(
    ({ type }) => type === 'permission.judged' || type === 'permission.answered',
  );
  const audit = lines.map(({ type, behavior, input, userModified }) => ({
    type,
    behavior,
    input,
    ...(userModified === undefined ? {} : { userModified }),
  }));
  return { ran, results, audit, reason: lines.at(-1)?.['reason'] };
}

const allow = (what: unknown): PermissionResult => ({
  behavior: 'allow',
  updatedInput: { what },
});
const answering = (answer: PermissionAnswer) => ({
  canUseTool: () => Promise.resolve(answer as never),
});
const hookThat = (event: 'PreToolUse' | 'PermissionRequest', specific: object): TroupeOptions => ({
  hooks: {
    [event]: [
      {
        hooks: [
          function rewriter() {
            return Promise.resolve({
              hookSpecificOutput: { hookEventName: event, ...specific } as never,
            });
          },
        ],
      },
    ],
  },
});

describe("what a tool's own check has rewritten", () => {
  it('is judged by the rules, and then runs', async () => {
    expect(await changeOnce('a', { check: allow('b') })).toMatchObject({
      ran: ['b'],
      audit: [{ type: 'permission.judged', behavior: 'allow', input: { what: 'b' } }],
    });
  });

  it.each<
    [string, { readonly [Key in 'alwaysDenyRules']: { readonly session: string[] } }, string]
  >([
    ['for the new input', { alwaysDenyRules: { session: ['Change(b)'] } }, 'rule Change(b)'],
    ['for the old input', { alwaysDenyRules: { session: ['Change(a)'] } }, 'rule Change(a)'],
  ])('is denied by a rule %s', async (_name, rules, told) => {
    const { ran, results } = await changeOnce('a', {
      check: allow('b'),
      permissions: { ...ASK_FIRST, ...rules },
    });
    expect(ran).toEqual([]);
    expect(results).toEqual([expect.stringContaining(told)]);
  });

  it('is what a check asks for that asks itself, and a rule for it is seen', async () => {
    const check = { behavior: 'ask', message: 'Really?', updatedInput: { what: 'b' } } as const;
    const shown: unknown[] = [];
    const canUseTool = (_: string, input: unknown) => {
      shown.push(input);
      return Promise.resolve({ behavior: 'allow' } as never);
    };
    const asked = await changeOnce('a', { check, canUseTool });
    expect({ ran: asked.ran, shown }).toEqual({ ran: ['b'], shown: [{ what: 'b' }] });
    const denied = await changeOnce('a', {
      check,
      permissions: { ...ASK_FIRST, alwaysDenyRules: { session: ['Change(b)'] } },
    });
    expect(denied.ran).toEqual([]);
  });

  it('is asked for if a rule asks for either, and what was shown is what runs', async () => {
    for (const rule of ['Change(a)', 'Change(b)']) {
      const shown: unknown[] = [];
      const { ran } = await changeOnce('a', {
        check: allow('b'),
        permissions: { ...ASK_FIRST, alwaysAskRules: { session: [rule] } },
        canUseTool: (_name, input) => {
          shown.push(input['what']);
          return Promise.resolve({ behavior: 'allow' });
        },
      });
      expect({ shown, ran }).toEqual({ shown: ['b'], ran: ['b'] });
    }
  });

  it.each([
    ['its schema does not take', 'far too long', 'at most 10'],
    ['its own validation refuses', 'bad', '"bad" is taken'],
  ])('is denied if %s it', async (_name, what, why) => {
    const { ran, results, audit } = await changeOnce('a', { check: allow(what) });
    expect(ran).toEqual([]);
    expect(results[0]).toContain('rewrote the input to one that cannot be used');
    expect(results[0]).toContain(why);
    expect(audit).toMatchObject([{ type: 'permission.judged', behavior: 'deny' }]);
  });

  it('takes what the check says to the model along', async () => {
    const { results, audit } = await changeOnce('a', {
      check: {
        behavior: 'allow',
        acceptFeedback: 'Be quick.',
        contentBlocks: [{ type: 'text', text: 'And tidy.' }],
        userModified: true,
      },
    });
    expect(results[0]).toBe(
      'changed a\nThe check of Change allowed it and said: Be quick.\nAnd tidy.',
    );
    expect(audit).toMatchObject([{ userModified: true }]);
  });
});

it("hands the reason that a tool's own check gives to the approver", async () => {
  const check = { behavior: 'ask', message: 'Sure?', metadata: { cost: 3 } } as const;
  const asked: unknown[] = [];
  const tool = buildTool({
    name: 'Change',
    inputSchema: z.object({}),
    checkPermissions: () => Promise.resolve(check),
    call: () => Promise.resolve({ data: 'changed' }),
  });
  const main = [{ tools: [{ name: 'Change', input: {} }] }, { text: 'Done.' }];
  const { troupe } = await createTroupe(playParts({ main }), {
    tools: [tool],
    permissions: ASK_FIRST,
  });
  troupe.approvals.onRequest(({ metadata }) => {
    asked.push(metadata);
    return Promise.resolve({ behavior: 'deny', message: 'No.' });
  });
  await troupe.session({ prompt: 'Go.' }).outcome;
  expect(asked).toEqual([{ cost: 3 }]);
});

describe('what a person has edited', () => {
  it('is in the audit as the input that ran', async () => {
    const edited = await changeOnce(
      'a',
      answering({ behavior: 'allow', updatedInput: { what: 'b' } }),
    );
    expect(edited).toMatchObject({
      ran: ['b'],
      audit: [
        { type: 'permission.judged', behavior: 'ask', input: { what: 'a' } },
        { type: 'permission.answered', behavior: 'allow', input: { what: 'a' } },
        { type: 'permission.judged', behavior: 'allow', input: { what: 'b' }, userModified: true },
      ],
    });
  });

  it('is validated, and a refused one is in the audit', async () => {
    const { ran, results, audit } = await changeOnce(
      'a',
      answering({ behavior: 'allow', updatedInput: { what: 'bad' } }),
    );
    expect(ran).toEqual([]);
    expect(results).toEqual(['The edited input was refused. Change: "bad" is taken.']);
    expect(audit.at(-1)).toMatchObject({ type: 'permission.judged', behavior: 'deny' });
  });
});

describe('what a hook has rewritten', () => {
  it('before the use is judged: a decision says so if it cannot be used', async () => {
    const { ran, results, audit, reason } = await changeOnce(
      'a',
      hookThat('PreToolUse', { updatedInput: { what: 'bad' } }),
    );
    expect(ran).toEqual([]);
    expect(results).toEqual([expect.stringContaining('"bad" is taken')]);
    expect(audit).toMatchObject([{ type: 'permission.judged', behavior: 'deny' }]);
    expect(reason).toEqual({
      type: 'hook',
      hookName: 'rewriter',
      reason: 'Change: "bad" is taken.',
    });
  });

  it('in reply to a permission request is validated, and the audit has the input that ran', async () => {
    const answer = (what: string) =>
      hookThat('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { what } } });
    const refused = await changeOnce('a', answer('bad'));
    expect(refused.ran).toEqual([]);
    expect(refused.audit.at(-1)).toMatchObject({ type: 'permission.judged', behavior: 'deny' });
    const rewritten = await changeOnce('a', answer('b'));
    expect(rewritten.ran).toEqual(['b']);
    expect(rewritten.audit.at(-1)).toEqual({
      type: 'permission.judged',
      behavior: 'allow',
      input: { what: 'b' },
      userModified: false,
    });
  });
});
