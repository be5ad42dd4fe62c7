import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTool } from '../../../src/tools/build-tool.js';
import type { ToolResultBlock } from '../../../src/core/messages.js';
import type { ModelRequest } from '../../../src/model/model.js';
import { createGate } from '../../support/gate.js';
import { createWaitTool } from '../../support/probe-tools.js';
import {
  bashCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../../support/scripts.js';
import { createFolder, createTroupe, createTroupeOverHttp } from '../../support/troupe.js';
import { countProcesses, hidden, uniqueSeconds, until } from '../../processes/processes.js';

type Tools = NonNullable<Parameters<typeof createTroupe>[1]>['tools'];

/** One turn with these calls; then the agent is done. @returns the results, as the model got them */
async function runTurn(
  calls: readonly { readonly name: string; readonly input?: Record<string, unknown> }[],
  tools: NonNullable<Tools> = [],
) {
  const results: ToolResultBlock[] = [];
  const script = playParts({
    main: [
      { tools: calls },
      ({ messages }) => {
        results.push(...newestResults(messages));
        return { text: 'Done.' };
      },
    ],
  });
  const made = await createTroupe(script, { tools });
  const session = made.troupe.session({ prompt: 'Go.' });
  const finished: string[] = [];
  session.events.on('agent.message', (_origin, { content }) => {
    for (const block of content) if (block.type === 'tool_result') finished.push(resultText(block));
  });
  const outcome = await session.outcome;
  return { ...made, outcome, results: results.map(resultText), finished };
}

describe('the calls of one reply', () => {
  it('end in any order, and their results come in the order of the request', async () => {
    const ended: string[] = [];
    const gates = { one: createGate(), two: createGate(), three: createGate() };
    const tool = createWaitTool(async ({ what }) => {
      const next = { three: gates.two, two: gates.one, one: undefined }[what];
      if (what !== 'three') await gates[what as 'one' | 'two'].opened;
      ended.push(what);
      next?.open();
    });
    const calls = ['one', 'two', 'three'].map((what) => ({ name: 'Wait', input: { what } }));
    const { results, finished } = await runTurn(calls, [tool]);
    expect(ended).toEqual(['three', 'two', 'one']);
    expect(results).toEqual(['waited one', 'waited two', 'waited three']);
    expect(finished).toEqual(results);
  });

  it('never run beside one that is not safe, and none overtakes it', async () => {
    const running = new Set<string>();
    const together: string[] = [];
    const note = (isSafe: boolean) =>
      createWaitTool(
        async ({ what }) => {
          running.add(what);
          together.push([...running].join('+'));
          await new Promise((resolve) => setImmediate(resolve));
          running.delete(what);
        },
        { name: isSafe ? 'Safe' : 'Unsafe', isSafe },
      );
    const call = (name: string, what: string) => ({ name, input: { what } });
    const calls = [
      call('Safe', 'a'),
      call('Safe', 'b'),
      call('Unsafe', 'c'),
      call('Safe', 'd'),
      call('Unsafe', 'e'),
    ];
    const { results } = await runTurn(calls, [note(true), note(false)]);
    expect(together).toEqual(['a', 'a+b', 'c', 'd', 'e']);
    expect(results).toEqual(['a', 'b', 'c', 'd', 'e'].map((what) => `waited ${what}`));
  });

  it('cancel the shell calls that wait behind one that failed, and nothing else', async () => {
    const { results, text } = await runTurn([
      bashCall('echo first >> log; exit 3'),
      bashCall('echo second >> log'),
      { name: 'Glob', input: { pattern: '*' } },
      bashCall('echo third >> log'),
    ]);
    expect(await text('log')).toBe('first\n');
    expect(results).toHaveLength(4);
    expect(results[1]).toMatch(/^Cancelled: parallel tool call Bash\(.*\) errored$/);
    expect(results[2]).toContain('log');
    expect(results[3]).toBe(results[1]);
  });

  it('cancel the shell calls that run beside one that failed, name it, and end what they had started', async () => {
    const folder = await createFolder();
    const silent = join(folder, 'silent');
    const released = join(folder, 'released');
    execFileSync('mkfifo', [silent, released]);
    const turn = runTurn([
      bashCall(`cat ${silent}`),
      bashCall(`cat ${silent}`),
      bashCall(`cat ${released} ${folder}/missing`),
    ]);
    await until(
      'all run',
      () => countProcesses(`cat\0${silent}`) > 1 && countProcesses(`cat\0${released}`) > 0,
    );
    await writeFile(released, 'The third continues, and fails.');
    const { results } = await turn;
    expect(countProcesses(silent)).toBe(0);
    const cancelled = expect.stringMatching(
      /^Cancelled: parallel tool call Bash\(.*missing\) errored$/,
    );
    expect(results).toEqual([
      cancelled,
      cancelled,
      expect.stringContaining('No such file or directory'),
    ]);
  });

  it('tell their progress at once', async () => {
    const told = createGate<string>();
    const tool = buildTool({
      name: 'Count',
      inputSchema: z.object({}),
      async call(_input, _context, _canUseTool, _parent, onProgress) {
        onProgress?.({ type: 'counted', to: 1 });
        return { data: await told.opened }; // it ends only when its progress was heard
      },
    });
    const script = playParts({ main: [{ tools: [{ name: 'Count' }] }, { text: 'Done.' }] });
    const { troupe } = await createTroupe(script, { tools: [tool] });
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('tool.progress', (_origin, _id, progress) =>
      told.open(String(progress['to'])),
    );
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
  });

  it('run while the reply still streams', async () => {
    const ran = createGate();
    const tool = createWaitTool(() => {
      ran.open();
      return Promise.resolve();
    });
    const { troupe, api } = await createTroupeOverHttp(
      {
        replies: [
          {
            tools: [
              { name: 'Wait', input: { what: 'one' } },
              { name: 'Wait', input: { what: 'two' } },
            ],
            gate: (index) => (index === 5 ? ran.opened : undefined), // the second block waits for the first tool
          },
          { text: 'Done.' },
        ],
      },
      { tools: [tool] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.problems).toEqual([]);
  });
});

describe('an interrupt', () => {
  it('in the middle of tools gives each its result, and the session continues with the next prompt', async () => {
    const seconds = uniqueSeconds();
    const results: ToolResultBlock[] = [];
    const script = playParts({
      main: [
        {
          tools: [
            bashCall(`${hidden(seconds)}; sleep $m`),
            bashCall('echo never > never.txt'),
            { name: 'Read', input: { file_path: '/etc/hostname' } },
          ],
        },
        ({ messages }: ModelRequest) => {
          results.push(...newestResults(messages));
          return { text: `Got: ${userTexts(messages).at(-1)}` };
        },
      ],
    });
    const { troupe, at } = await createTroupe(script);
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await until('the shell runs', () => countProcesses(String(seconds)) > 0);
    const idle = new Promise<unknown>((resolve) => {
      session.events.once('agent.idle', (_origin, turnOutcome) => resolve(turnOutcome));
    });
    session.interrupt();
    expect(await idle).toMatchObject({ status: 'failed', failure: { code: 'INTERRUPTED' } });
    expect(countProcesses(String(seconds))).toBe(0);
    expect(session.status).toBe('running');
    await session.prompt('What now?');
    session.end();
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Got: What now?' });
    expect(results.map(resultText)).toEqual(
      Array.from({ length: 3 }, () => 'Interrupted by the user before it was done.'),
    );
    await expect(readFile(at('never.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('in the middle of a stream leaves a conversation that the API takes', async () => {
    const streaming = createGate();
    const { troupe, api } = await createTroupeOverHttp({
      replies: [
        {
          text: 'A long answer',
          tools: [bashCall('true')],
          gate: (index) => {
            if (index !== 5) return;
            streaming.open();
            return new Promise(() => {});
          },
        },
        { text: 'Done.' },
      ],
    });
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await streaming.opened;
    session.interrupt();
    await session.prompt('What now?');
    session.end();
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(api.problems).toEqual([]);
    expect(await api.requests[0]?.closed).toBe('hung up');
  });
});

describe('the limit of turns', () => {
  it('fails a session that would make one request more, and counts from each prompt', async () => {
    const script = playParts({
      main: [
        { tools: [bashCall('true')] },
        { text: 'One.' },
        { tools: [bashCall('true')] },
        { tools: [bashCall('true')] },
        { text: 'Too late.' },
      ],
    });
    const { troupe } = await createTroupe(script);
    const session = troupe.session({ prompt: 'Go.', maxTurns: 2, staysOpen: true });
    const outcomes: unknown[] = [];
    const first = createGate();
    session.events.on('agent.idle', (_origin, turnOutcome) => {
      outcomes.push(turnOutcome);
      first.open();
    });
    await first.opened;
    await session.prompt('Again.');
    session.end();
    const failure = {
      code: 'MAX_TURNS',
      message: 'Reached the maximum number of turns (2).',
    };
    expect(await session.outcome).toEqual({ status: 'failed', failure });
    expect(outcomes[0]).toEqual({ status: 'completed', result: 'One.' });
  });
});
