import { describe, expect, it } from 'vitest';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import { agent, answer, newestText, requestsOf, results } from './support/answers.js';
import { createPlace } from './support/place.js';

const SCHEMA = {
  type: 'object',
  properties: { count: { type: 'integer', minimum: 0 } },
  required: ['count'],
  additionalProperties: false,
};
const ASKED = ['-p', 'go', '--json-schema', JSON.stringify(SCHEMA)];
const JSON_OUT = ['--output-format', 'json'];

function give(input: Readonly<Record<string, unknown>>) {
  return { tools: [{ name: 'StructuredOutput', input }] };
}

function toolsOf(request: FakeRequest | undefined) {
  type Body = { tools?: readonly { name: string; input_schema: unknown }[] };
  return (request?.body as Body | undefined)?.tools ?? [];
}

describe.concurrent('--json-schema', () => {
  it('gives an answer that satisfies the schema, as JSON text', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [give({ count: 3 })] });
    expect(await place.call(ASKED, { api })).toMatchObject({
      code: 0,
      stdout: '{"count":3}\n',
      stderr: '',
    });
    const own = toolsOf(api.requests[0]).find(({ name }) => name === 'StructuredOutput');
    expect(own?.input_schema).toEqual(SCHEMA);
  });

  it('has the answer in the result message', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: () => give({ count: 3 }) });
    const { stdout } = await place.call([...ASKED, ...JSON_OUT, '--max-turns', '1'], { api });
    expect(JSON.parse(stdout)).toMatchObject({
      subtype: 'success',
      is_error: false,
      result: '{"count":3}',
      structured_output: { count: 3 },
      num_turns: 1,
    });
    expect(api.requests).toHaveLength(1);
  });

  it('tells the model what is wrong with its answer, and takes the next one', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'schema.json': JSON.stringify(SCHEMA) });
    const api = await place.api({
      replies: [give({ count: -1 }), give({ count: 1 })],
    });
    expect(await place.call(['-p', 'go', '--json-schema', 'schema.json'], { api })).toMatchObject({
      stdout: '{"count":1}\n',
    });
    expect(results(api.requests[1])).toEqual([
      expect.objectContaining({
        is_error: true,
        content: 'StructuredOutput: input/count must be >= 0',
      }),
    ]);
  });

  it('reminds an agent that ends without an answer', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [{ text: 'Three.' }, give({ count: 3 })],
    });
    const stream = ['--output-format', 'stream-json', '--verbose'];
    const { code, lines } = await place.call([...ASKED, ...stream], { api });
    expect(code).toBe(0);
    expect(newestText(api.requests[1])).toMatch(/^Your answer is still missing\. Call the tool/);
    expect(
      lines.filter(({ type, isSynthetic }) => type === 'user' && isSynthetic === true),
    ).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ structured_output: { count: 3 }, num_turns: 2 });
  });

  it('ends with an error when the answer does not come', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: () => ({ text: 'No.' }) });
    const { code, stdout } = await place.call([...ASKED, ...JSON_OUT], { api });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      subtype: 'error_max_structured_output_retries',
      is_error: true,
      errors: ['The agent gave no answer that satisfies the schema: it was asked 5 times.'],
    });
    expect(api.requests).toHaveLength(6);
  });

  it('ends with an error when each answer is wrong', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: () => give({ count: 'many' }) });
    const { code, stdout } = await place.call([...ASKED, ...JSON_OUT], { api });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ subtype: 'error_max_structured_output_retries' });
    expect(api.requests).toHaveLength(5);
  });

  it('is for the agent of the session only', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [{ tools: [agent('sub')] }, give({ count: 1 })],
        sub: [{ text: 'nothing but text' }],
      }),
    });
    expect(await place.call(ASKED, { api })).toMatchObject({ stdout: '{"count":1}\n' });
    expect(requestsOf(api, 'sub')).toHaveLength(1);
    const names = toolsOf(requestsOf(api, 'sub')[0]).map(({ name }) => name);
    expect(names).not.toContain('StructuredOutput');
  });

  it('waits for sub-agents in the background before it reminds', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      handler: answer({
        go: [
          { tools: [agent('sub', { run_in_background: true })] },
          { text: 'waiting' },
          give({ count: 2 }),
        ],
        sub: [{ text: 'two' }],
      }),
    });
    expect(await place.call(ASKED, { api })).toMatchObject({ stdout: '{"count":2}\n' });
    const texts = requestsOf(api, 'go').map(newestText);
    expect(texts.some((text) => text.includes('still missing'))).toBe(false);
  });

  it('is kept by a session that is continued', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({
      replies: [give({ count: 1 }), { text: 'no' }, give({ count: 2 })],
    });
    await place.call(ASKED, { api });
    expect(await place.call(['-p', 'again', '-c'], { api })).toMatchObject({
      stdout: '{"count":2}\n',
    });
    const other = ['-p', 'x', '-c', '--json-schema', '{"type":"object"}'];
    expect(await place.call(other, { api })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('remove the schema, or start a new session'),
    });
  });

  it.each([
    ['{', '--json-schema:1:2: This is not JSON'],
    ['[1]', '[1]: --json-schema: there is no such file or folder.'],
    ['{"type":"array"}', 'schema/type must be "object" and is "array"'],
    ['{}', 'schema/type must be "object" and is missing'],
    ['{"type":"object","oneOf":[]}', 'schema/oneOf is refused by the Messages API at the top'],
    [
      '{"type":"object","properties":{"a":{"type":"strin"}}}',
      'schema/properties/a/type must be equal to one of the allowed values',
    ],
    ['{"type":"object","properties":{"a":{"$ref":"#/no"}}}', "can't resolve reference #/no"],
    ['list.json', 'list.json: --json-schema must be a JSON schema'],
  ])('says what is wrong with %j', async (schema, message) => {
    const cleanups: (() => unknown)[] = [];
    const place = await createPlace((cleanup) => void cleanups.push(cleanup as () => unknown));
    await place.write({ 'list.json': '[1]' });
    const { code, stderr } = await place.call(['-p', 'go', '--json-schema', schema]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    for (const cleanup of cleanups) await cleanup();
  });
});
