import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Skill } from '../../../src/core/commands/command.js';
import { createSdkMcpServer, tool } from '../../../src/extensions/mcp/servers/sdk-server.js';
import { comparePrefix } from '../../../src/testing/compare-prefix.js';
import { GREETING } from '../../support/skills.js';
import { createTroupeOverHttp, defineAgent } from '../../support/troupe.js';

const ABOUT = 'Does one thing well, says what it did, and names the files that it used. '.repeat(2);
/** As long as descriptions of public collections are. */
const LONG =
  'Use it to do one thing well. Example: <user: "Do it." assistant: "I do it now."> '.repeat(18);
const numbered = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const SERVERS = Object.fromEntries(
  numbered(5, (server) => [
    `server${server}`,
    createSdkMcpServer({
      name: `server${server}`,
      tools: [
        ...numbered(20, (at) =>
          tool(`tool${at}`, ABOUT, { path: z.string().describe(ABOUT) }, async () => ({
            content: [{ type: 'text' as const, text: 'Done.' }],
          })),
        ),
      ],
    }),
  ]),
);

it('a session with 40 skills, 30 agents and 100 tools of servers begins with less than 12,000 tokens', async () => {
  const skill = (at: number): Skill => ({
    ...GREETING,
    name: `skill${at}`,
    description: LONG,
    file: `/skill${at}/SKILL.md`,
  });
  const { troupe, api } = await createTroupeOverHttp(
    {
      replies: [
        { tools: [{ name: 'Glob', input: { pattern: 'none' } }] },
        { tools: [{ name: 'Glob', input: { pattern: 'nothing' } }] },
        { text: 'Done.' },
      ],
    },
    {
      skills: numbered(40, skill),
      agents: numbered(30, (at) => defineAgent(`agent${at}`, { description: LONG })),
      mcpServers: SERVERS,
    },
  );
  const outcome = await troupe.session({ prompt: 'Go.' }).outcome;
  expect(outcome.status).toBe('completed');
  const bodies = api.requests.map(({ body }) => body);
  const { system, messages, tools } = bodies[0]!;
  const shown = (tools as readonly { readonly defer_loading?: true }[]).filter(
    (one) => one.defer_loading !== true,
  ); // the API keeps the others back
  const tokens = JSON.stringify({ system, messages, tools: shown }).length / 4;
  expect(tokens).toBeLessThan(12_000);
  expect(tokens).toBeGreaterThan(8_000); // the skills and agents are in it
  expect(comparePrefix(bodies)).toBe(undefined);
});
