import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMail } from '../../src/journal/readers/read-mail.js';
import type { FakeReply } from '../../src/testing/fake-reply.js';
import type { FakeMessagesApi, FakeRequest } from '../../src/testing/fake-messages-api.js';
import { firstPrompt, textOf } from '../e2e/support/answers.js';
import { createPlace, type Place } from '../e2e/support/place.js';
import { sendCall, teammateCall } from '../support/team-script.js';
import { until } from '../processes/processes.js';

const NAMES = ['ann', 'bob', 'cid'];
const ROUNDS = 4;

/** Who asks: the last line of its first prompt says so. */
function whoAsks({ body }: FakeRequest): string {
  return firstPrompt(body).trim().split('\n').at(-1) ?? '';
}

/** Three teammates write to each other, to everybody and to their lead; the same in every process. */
function play(request: FakeRequest): FakeReply {
  const who = whoAsks(request);
  const said = request.body.messages.filter(({ role }) => role === 'assistant').length;
  if (who === 'go') {
    if (said === 0) return { tools: [{ name: 'TeamCreate', input: { team_name: 'crew' } }] };
    const calls = NAMES.map((name) =>
      teammateCall(name, { type: 'general-purpose', prompt: `You are ${name}.\n${name}` }),
    );
    return said === 1 ? { tools: calls } : { text: 'Waiting.' };
  }
  if (said >= ROUNDS) return { text: 'Ready.' };
  const others = [...NAMES.filter((name) => name !== who), 'lead', '*'];
  return {
    tools: others.map((to, index) => sendCall(to, `letter ${who} ${said} ${index}.`)),
  };
}

/** Letters that the newest request of each agent holds, and how often. */
function lettersOf(requests: readonly FakeRequest[]): ReadonlyMap<string, readonly string[]> {
  const letters = new Map<string, readonly string[]>();
  for (const request of requests) {
    const texts = request.body.messages.flatMap(({ role, content }) =>
      role === 'user' && typeof content !== 'string'
        ? content.filter(({ type }) => type === 'text').map((block) => textOf(block['text']))
        : [],
    );
    const found = texts.flatMap((text) => text.match(/letter \w+ \d+ \d+\./g) ?? []);
    letters.set(whoAsks(request), found);
  }
  return letters;
}

/** Messages that are accepted by the results that their senders saw. */
function acknowledged(requests: readonly FakeRequest[]): readonly string[] {
  const newest = new Map(requests.map((request) => [whoAsks(request), request]));
  return [...newest.values()].flatMap(({ body }) => {
    const blocks = body.messages.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content,
    );
    const accepted = new Set(
      blocks
        .filter((block) => textOf(block['content']).startsWith('The message is in'))
        .map((block) => block['tool_use_id']),
    );
    return blocks
      .filter(({ type, id }) => type === 'tool_use' && accepted.has(id))
      .map(({ input }) => (input as { message: string }).message);
  });
}

function countLines(place: Place): number {
  try {
    const names = readdirSync(place.troupeHome, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => name.endsWith('.jsonl'));
    return files.reduce(
      (sum, name) =>
        sum + readFileSync(join(place.troupeHome, name), 'utf8').split('\n').length - 1,
      0,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0; // not begun yet
    throw error;
  }
}

async function findProblems(place: Place, { requests }: Pick<FakeMessagesApi, 'requests'>) {
  const problems: string[] = [];
  const mail = readMail(await place.session()).filter(({ kind }) => kind === 'message');
  const ids = new Set(mail.map(({ id }) => id));
  if (ids.size !== mail.length) problems.push(`${mail.length - ids.size} numbers are there twice`);
  for (const { id, to, state } of mail)
    if (state !== 'read') problems.push(`${id} to ${to} is ${state}`);
  const letters = lettersOf(requests);
  let seen = 0;
  for (const [who, got] of letters) {
    seen += got.length;
    if (new Set(got).size !== got.length) problems.push(`${who} got a message twice`);
  }
  if (seen !== mail.length) problems.push(`${mail.length} were accepted, ${seen} read`);
  const all = new Set([...letters.values()].flat());
  const told = acknowledged(requests);
  for (const letter of told) if (!all.has(letter)) problems.push(`${letter} was lost`);
  return { problems, accepted: mail.length, acknowledged: told.length, seen };
}

const RUN = ['-p', 'go', '--permission-mode', 'bypassPermissions'];
const env = { IS_SANDBOX: '1' };

const isDeep = process.env['TROUPE_DEEP'] !== undefined;

describe.concurrent('an acknowledged message', () => {
  it('is read once by everybody it is for, with nobody there to watch', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: play });
    const ended = await place.run(RUN, { api, env });
    expect(ended).toMatchObject({ code: 0, stdout: 'Waiting.\n' });
    const { problems, ...counts } = await findProblems(place, api);
    console.log(`alone: ${JSON.stringify(counts)}`);
    expect(problems).toEqual([]);
    const sent = NAMES.length * ROUNDS;
    expect(counts).toEqual({ acknowledged: sent * 4, accepted: sent * 6, seen: sent * 6 });
  });

  it.for(isDeep ? [30, 45, 60, 80, 100, 120] : [45, 80])(
    'is read once if the process is killed at line %i of its journal and the session resumed',
    async (lines, { onTestFinished }) => {
      const place = await createPlace(onTestFinished);
      const api = await place.api({ handler: play });
      const first = place.start(RUN, { api, env });
      await until(`line ${lines}`, () => countLines(place) >= lines);
      first.kill('SIGKILL');
      expect(await first.ended).toMatchObject({ signal: 'SIGKILL' });
      const before = countLines(place);
      const id = basename(await place.session());
      const args = ['-p', 'Continue.', '--resume', id, ...RUN.slice(2)];
      expect(await place.run(args, { api, env })).toMatchObject({ code: 0 });
      const { problems, ...counts } = await findProblems(place, api);
      console.log(`killed at line ${before}: ${JSON.stringify(counts)}`);
      expect(problems).toEqual([]);
      expect(counts.accepted).toBeGreaterThan(0);
    },
  );
});
