import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
} from '../../support/scripts.js';
import { GREETING } from '../../support/skills.js';
import { createFolder, createTroupe, defineAgent } from '../../support/troupe.js';

/** A hook that denies Bash with this reason. */
const deny = (reason: string) => ({
  matcher: 'Bash',
  hooks: [{ type: 'command', command: `echo "${reason}" >&2; exit 2` }],
});

/** A script of replies that notes the first lines of results. */
function noting(seen: string[], name: string, replies: readonly object[]) {
  return replies.map(
    (reply) =>
      ({ messages }: { messages: Parameters<typeof newestResults>[0] }) => {
        for (const result of newestResults(messages))
          seen.push(
            `${name}: ${resultText(result)
              .split('\n')[0]
              ?.replace(/^.*objects: |^.*: (?=Not)/, '')}`,
          );
        return reply;
      },
  );
}

it('hooks of an agent run for that agent only, and those of Stop when it ends', async () => {
  const seen: string[] = [];
  const stop = {
    hooks: [{ type: 'command', command: '[ -e asked ] || { touch asked; exit 2; }' }],
  };
  const { troupe } = await createTroupe(
    playParts({
      main: noting(seen, 'main', [
        { tools: [bashCall('echo free')] },
        { tools: [agentCall('careful')] },
        { text: 'Done.' },
      ]),
      careful: noting(seen, 'careful', [
        { tools: [bashCall('echo free')] },
        { text: 'First.' },
        { text: 'Second.' },
      ]),
    }),
    {
      agents: [
        defineAgent('careful', { hooks: { PreToolUse: [deny('Not here.')], Stop: [stop] } }),
      ],
    },
  );
  await troupe.session({ prompt: 'Go.' }).outcome;
  expect(seen).toEqual([
    'main: free',
    expect.stringMatching(/^careful: .*Not here\.$/),
    expect.stringMatching(/^main: Second\./),
  ]);
});

it('hooks of a skill run from its use to the end of the session', async () => {
  const seen: string[] = [];
  const file = join(await createFolder(), 'greet.md');
  await writeFile(file, 'Greet.');
  const use = { name: 'Skill', input: { skill: 'greet' } };
  const { troupe } = await createTroupe(
    playParts({
      main: noting(seen, 'main', [
        { tools: [bashCall('echo free')] },
        { tools: [use] },
        { tools: [bashCall('echo free')] },
        { text: 'Done.' },
        { tools: [bashCall('echo free')] },
        { text: 'Done.' },
      ]),
    }),
    { skills: [{ ...GREETING, file, hooks: { PreToolUse: [deny('Not now.')] } }] },
  );
  const session = troupe.session({ prompt: 'Go.', staysOpen: true });
  const idle = () => new Promise((resolve) => session.events.once('agent.idle', resolve));
  await idle();
  await Promise.all([idle(), session.prompt('More.')]);
  session.end();
  expect(seen).toEqual([
    'main: free',
    expect.stringContaining('main: '),
    expect.stringMatching(/^main: .*Not now\.$/),
    expect.stringMatching(/^main: .*Not now\.$/),
  ]);
});
