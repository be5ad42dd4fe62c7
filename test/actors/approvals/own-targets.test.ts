import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTool } from '../../../src/tools/build-tool.js';
import type { PermissionTarget } from '../../../src/tools/tool.js';
import { newestResults, playParts, resultText } from '../../support/scripts.js';
import { ALLOW_ALL, ASK_FIRST, createTroupe } from '../../support/troupe.js';

type Input = { readonly what: string };

/** A session that uses Probe for `what` once, by these rules. @returns whether it ran, and what the model saw */
async function probe(
  what: string,
  tool: {
    readonly target?: (what: string) => PermissionTarget;
    readonly matches?: (what: string, content: string) => boolean;
  },
  {
    mode = ASK_FIRST,
    whileAsked,
    ...rules
  }: {
    readonly mode?: typeof ASK_FIRST;
    readonly allow?: readonly string[];
    readonly deny?: readonly string[];
    /** A rule that denies, and comes while the ask stands open. */
    readonly whileAsked?: string;
  },
) {
  const { target, matches } = tool;
  const told: string[] = [];
  let hasRun = false;
  const Probe = buildTool({
    name: 'Probe',
    inputSchema: z.object({ what: z.string() }),
    ...(target && { permissionTarget: ({ what: used }: Input) => target(used) }),
    ...(matches && {
      preparePermissionMatcher: ({ what: used }: Input) =>
        Promise.resolve((content: string) => matches(used, content)),
    }),
    call() {
      hasRun = true;
      return Promise.resolve({ data: 'probed' });
    },
  });
  const script = playParts({
    main: [
      { tools: [{ name: 'Probe', input: { what } }] },
      ({ messages }) => {
        told.push(...newestResults(messages).map(resultText));
        return { text: 'Done.' };
      },
    ],
  });
  const { troupe } = await createTroupe(script, {
    tools: [Probe],
    permissions: {
      ...mode,
      alwaysAllowRules: { session: rules.allow ?? [] },
      alwaysDenyRules: { session: rules.deny ?? [] },
    },
  });
  if (whileAsked !== undefined)
    troupe.approvals.onRequest(() => {
      const [toolName, ruleContent] = whileAsked.split(/[()]/);
      session.updatePermissions([
        {
          type: 'addRules',
          behavior: 'deny',
          rules: [{ toolName: String(toolName), ruleContent }],
          destination: 'session',
        },
      ]);
      return Promise.resolve({ behavior: 'allow' });
    });
  const session = troupe.session({ prompt: 'Go.' });
  await session.outcome;
  return { hasRun, told: told.join() };
}

describe('a tool with its own matcher', () => {
  const table = {
    matches: (what: string, content: string) => what.split('.')[0] === content,
  };

  it('is denied by the rule that it matches, and by no other', async () => {
    expect(await probe('users.name', table, { mode: ALLOW_ALL, deny: ['Probe(users)'] })).toEqual({
      hasRun: false,
      told: expect.stringContaining('denied by the rule Probe(users)'),
    });
    const other = await probe('users.name', table, { mode: ALLOW_ALL, deny: ['Probe(orders)'] });
    expect(other.hasRun).toBe(true);
  });

  it('is allowed by the rule that it matches', async () => {
    expect((await probe('users.name', table, { allow: ['Probe(users)'] })).hasRun).toBe(true);
    expect((await probe('users.name', table, { allow: ['Probe(orders)'] })).hasRun).toBe(false);
  });

  it('is asked anew about rules that came while an ask stood open', async () => {
    expect(await probe('users.name', table, { whileAsked: 'Probe(users)' })).toEqual({
      hasRun: false,
      told: expect.stringContaining('denied by the rule Probe(users)'),
    });
  });
});

describe('a tool that fetches', () => {
  const fetching = { target: (url: string) => ({ kind: 'web', url }) as const };

  it('is judged by rules for domains', async () => {
    const rule = ['Probe(domain:127.0.0.1)'];
    expect((await probe('http://127.0.0.1/x', fetching, { allow: rule })).hasRun).toBe(true);
    const denied = await probe('http://127.0.0.1/x', fetching, { allow: ['Probe'], deny: rule });
    expect(denied.hasRun).toBe(false);
    expect(denied.told).toContain('denied by the rule Probe(domain:127.0.0.1)');
  });

  it.each([
    ['http://169.254.169.254/latest', 'metadata'],
    ['http://localhost:8080/', 'localhost'],
    ['file:///etc/passwd', '"file:" cannot be fetched'],
    ['https://user:secret@example.com/', 'user name or password'],
  ])('is kept from %s in every mode', async (url, why) => {
    const { hasRun, told } = await probe(url, fetching, { mode: ALLOW_ALL });
    expect(hasRun).toBe(false);
    expect(told).toContain(why);
  });
});
