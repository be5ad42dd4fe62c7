import { describe, expect, it } from 'vitest';
import { COMPACTED } from '../../src/core/agents/compaction.js';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../src/testing/fake-reply.js';
import { textOf } from './support/answers.js';
import { createPlace } from './support/place.js';

const SUMMARY = 'They talked.';

function answer({ body }: FakeRequest): FakeReply {
  return body['tools'] === undefined ? { text: SUMMARY } : { text: 'Answer.' };
}

const firstText = ({ body }: FakeRequest): string => JSON.stringify(body.messages[0]?.content);

describe.concurrent('/compact', () => {
  it('gives a session that is continued a summary, and the next run continues it', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: answer });
    expect(await place.call(['-p', 'One?'], { api })).toMatchObject({ code: 0 });
    const compacted = await place.call(['-p', '-c', '/compact the names', '--verbose'], { api });
    expect(compacted).toMatchObject({ code: 0 });
    expect(compacted.stdout).toMatch(/^Compacted the conversation, which had \d+ tokens\.\n$/);
    expect(compacted.stderr).toContain('compacting the conversation\n');
    expect(await place.call(['-p', '-c', 'Two?'], { api })).toMatchObject({ code: 0 });
    expect(api.problems).toEqual([]);
    expect(api.requests).toHaveLength(3);
    expect(firstText(api.requests[1] as FakeRequest)).toContain('this: the names');
    expect(firstText(api.requests[2] as FakeRequest)).toContain(COMPACTED);
  });

  it('keeps the texts of skills, also from one compaction to the next', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({
      '.claude/skills/tone/SKILL.md': 'Be kind to $0.\n',
      '.claude/skills/look/SKILL.md': 'Look twice.\n',
    });
    const load = { name: 'Skill', input: { skill: 'look' } };
    const replies: FakeReply[] = [{ tools: [load] }, { text: 'Done.' }];
    const api = await place.api({
      handler: (request) =>
        request.body['tools'] === undefined
          ? { text: SUMMARY }
          : (replies.shift() ?? { text: 'Answer.' }),
    });
    const call = (...args: readonly string[]) => place.call(['-p', ...args], { api });
    await call('/tone Ada');
    const ends = [
      await call('-c', '/compact'),
      await call('-c', 'Two?'),
      await call('-c', '/compact'),
      await call('-c', 'Three?'),
    ];
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const root = place.at('.claude/skills');
    const kept = [
      'Skills that were used before the summary, with their texts, which still hold:',
      ...[
        ['tone', 'Be kind to Ada.'],
        ['look', 'Look twice.'],
      ].map(
        ([name, text]) =>
          `<skill name="${name}">\nBase directory for this skill: ${root}/${name}\n\n${text}\n</skill>`,
      ),
    ].join('\n');
    const texts = api.requests.map(({ body }) =>
      body.messages.map(({ content }) => textOf(content)).join('\n'),
    );
    expect(texts.map((text) => text.includes(kept))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  it('fails in a new session', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: answer });
    const run = await place.call(['-p', '/compact'], { api });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('The conversation was not compacted');
    expect(api.requests).toEqual([]);
  });
});
