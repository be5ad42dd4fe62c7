import { describe, expect, it } from 'vitest';
import { COMPACTED } from '../../src/core/agents/compaction.js';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../src/testing/fake-reply.js';
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

  it('fails in a new session', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: answer });
    const run = await place.call(['-p', '/compact'], { api });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('The conversation was not compacted');
    expect(api.requests).toEqual([]);
  });
});
