import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/model/model.js';
import { createGate } from '../../support/gate.js';
import { expectWhole } from '../../support/expect-whole.js';
import { agentIds, statusLines } from '../../support/journals.js';
import { agentCall, newestResults, playParts, resultText } from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

const isDeep = process.env['TROUPE_DEEP'] !== undefined;

describe('many sub-agents in one process', () => {
  const agents = [defineAgent('worker')];
  const files = { 'notes.txt': 'Read me.' };
  const worker = ({ messages, system }: ModelRequest) => {
    const cwd = /Working directory: (.*)/.exec(system.join('\n'))?.[1] ?? '';
    return messages.length === 1
      ? { tools: [{ name: 'Read', input: { file_path: `${cwd}/notes.txt` } }] }
      : {
          text: newestResults(messages).map(resultText).join().includes('Read me.')
            ? 'Report.'
            : 'Lost.',
        };
  };

  it('finish when a program spawns them, all of them at work at the same time', async () => {
    const COUNT = isDeep ? 1_000 : 250;
    let asking = 0;
    const allAsk = createGate();
    const script = playParts({
      worker: [
        async (request) => {
          asking += 1;
          if (asking === COUNT) allAsk.open();
          await allAsk.opened;
          return worker(request);
        },
        worker,
      ],
    });
    const { troupe } = await createTroupe(script, { agents, files });
    const session = troupe.session();
    const handles = await Promise.all(
      Array.from({ length: COUNT }, (_, index) =>
        session.spawn({ agent: 'worker', prompt: `Part ${index}`, name: `w${index}` }),
      ),
    );
    const results = await Promise.all(handles.map(({ result }) => result));
    expect(results).toEqual(Array.from({ length: COUNT }, () => 'Report.'));
    session.end();
    expect((await session.outcome).status).toBe('completed');
    expect(troupe.inspect().children).toEqual([]);
    expect(await agentIds(session)).toHaveLength(COUNT + 1);
    await expectWhole(session);
    const ends = (await statusLines(session)).filter(({ status }) => status === 'completed');
    expect(ends).toHaveLength(COUNT + 1);
  }, 60_000);

  it('finish when one agent asks for all of them in one reply', async () => {
    const COUNT = isDeep ? 100 : 40;
    const calls = Array.from({ length: COUNT }, (_, index) =>
      agentCall('worker', { name: `w${index}` }),
    );
    const script = playParts({ main: [{ tools: calls }, { text: 'Done.' }], worker: [worker] });
    const { troupe } = await createTroupe(script, { agents, files });
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(troupe.inspect().children).toEqual([]);
    expect(await agentIds(session)).toHaveLength(COUNT + 1);
    await expectWhole(session);
  }, 60_000);
});
