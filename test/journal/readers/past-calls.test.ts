import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, describe, it, onTestFinished } from 'vitest';
import { createSessionId } from '../../../src/core/ids.js';
import { NO_USAGE, type ModelCall } from '../../../src/core/tasks/usage.js';
import { readPastCalls } from '../../../src/journal/readers/past-calls.js';

const id = createSessionId();
const call = (input_tokens: number): ModelCall => ({
  model: 'm',
  usage: { ...NO_USAGE, input_tokens },
});

/** A line as the journal writes it. */
function line(key: string, result: object, sessionId: string = id): string {
  return `${JSON.stringify({ version: 1, sessionId, type: 'step.done', key, result })}\n`;
}

/** The session's folder, with these journals of agents. */
async function sessionWith(journals: Readonly<Record<string, string>>) {
  const directory = await mkdtemp(join(tmpdir(), 'troupe-past-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await mkdir(join(directory, 'agents'));
  for (const [agent, text] of Object.entries(journals))
    await writeFile(join(directory, 'agents', `${agent}.jsonl`), text);
  return readPastCalls({ id, directory });
}

describe('readPastCalls', () => {
  it('finds all calls of each agent: those of replies, of tries that failed, and of summaries', async () => {
    const calls = await sessionWith({
      main: [
        line('turn:0/inbox', []),
        line('turn:1/model', { message: {}, calls: [call(1), call(2)] }),
        line('turn:1/compact', { calls: [call(3)], result: {} }),
        line('turn:2/model', { message: {}, failure: {} }),
      ].join(''),
      worker: line('turn:1/model', { calls: [call(4)] }),
      idle: line('turn:0/inbox', []),
    });
    expect([...calls].sort()).toEqual([
      ['idle', []],
      ['main', [call(1), call(2), call(3)]],
      ['worker', [call(4)]],
    ]);
  });

  it('finds the calls that tools have made beside the conversation', async () => {
    const helper = (sessionId: string, asked: object): string =>
      `${JSON.stringify({ version: 1, sessionId, type: 'helper.asked', toolUseId: 't', ...asked })}\n`;
    const main = [
      helper(id, { call: call(1) }),
      helper(createSessionId(), { call: call(2) }),
      helper(id, { call: { model: 'm' } }),
      line('turn:1/model', { calls: [call(3)] }),
    ];
    expect((await sessionWith({ main: main.join('') })).get('main')).toEqual([call(1), call(3)]);
  });

  it('takes the tool use of a reply whose end was not written down', async () => {
    const main = [
      line('turn:1/said:0', { blocks: [], call: call(1) }),
      line('turn:1/model', { calls: [call(2)] }),
      line('turn:2/said:0', { blocks: [], call: call(3) }),
      line('turn:2/said:1', { blocks: [], call: call(4) }),
      line('turn:2/compact', { calls: [] }),
    ];
    expect((await sessionWith({ main: main.join('') })).get('main')).toEqual([call(2), call(4)]);
  });

  it('leaves out what belongs to another session, was torn, or only looks like calls', async () => {
    const main = [
      line('turn:1/model', { calls: [call(1)] }, createSessionId()),
      line('turn:2/tool:x', { content: '{"calls":[{"model":"m"}]}' }),
      line('turn:2/said:0', { blocks: [{ input: { calls: ['mother'] } }], call: call(2) }),
      line('turn:3/model', { calls: [{ model: 'm' }] }),
      line('turn:4/model', { calls: [call(3)] }).trimEnd(),
    ];
    expect((await sessionWith({ main: main.join('') })).get('main')).toEqual([call(2)]);
  });
});
