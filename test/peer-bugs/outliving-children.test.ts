import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/model/model.js';
import { createGate } from '../support/gate.js';
import { allActors } from '../support/inspected.js';
import { fixture } from '../support/mcp/servers.js';
import { createChangeTool } from '../support/probe-tools.js';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../support/scripts.js';
import { ASK_FIRST, createTroupe, createTroupeOverHttp, defineAgent } from '../support/troupe.js';
import { countProcesses, hidden, uniqueSeconds, until } from '../processes/processes.js';

const AGENTS = [defineAgent('worker'), defineAgent('sub')];

/** A command that starts processes which can be counted. */
function countable(start: (sleep: string) => string) {
  const mark = uniqueSeconds();
  return {
    command: `${hidden(mark)}\n${start('sleep $m')}`,
    count: (): number => countProcesses(String(mark)),
  };
}

const POLLS = (sleep: string): string => `while true; do ${sleep}; done`;
const NOTIFICATION = /<task-notification>/;
const notifications = ({ messages }: ModelRequest): readonly string[] =>
  userTexts(messages).filter((text) => NOTIFICATION.test(text));

describe('nothing outlives its parent', () => {
  it('when a background agent starts a loop, says that it polls, and is done', async () => {
    const { command, count } = countable(POLLS);
    const counts: number[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('worker', { background: true })] },
          { text: 'Waiting.' },
          (request) => {
            counts.push(count(), notifications(request).length);
            return { text: 'Done.' };
          },
        ],
        worker: [
          { tools: [bashCall(command, { background: true })] },
          async () => {
            await until('the loop runs', () => count() > 0);
            return { text: 'Polling started.' };
          },
        ],
      }),
      { agents: AGENTS },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect((await session.outcome).status).toBe('completed');
    expect(counts).toEqual([0, 1]);
  });

  it('when a background command puts itself in the background and its shell ends at once', async () => {
    const { command, count } = countable(
      (sleep) => `nohup ${sleep} >/dev/null 2>&1 & echo started`,
    );
    const ended = createGate<number>();
    const told: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [bashCall(command, { background: true })] },
          async () => {
            await ended.opened;
            return { tools: [{ name: 'Glob', input: { pattern: '*' } }] };
          },
          (request) => {
            told.push(...notifications(request));
            return { text: 'Done.' };
          },
        ],
      }),
    );
    const session = troupe.session({ prompt: 'Go.' });
    session.events.on('task.status', ({ type, status }) => {
      if (type === 'local_bash' && status === 'completed') ended.open(count());
    });
    expect((await session.outcome).status).toBe('completed');
    expect(await ended.opened).toBe(0);
    expect(told).toEqual([expect.stringMatching(/<status>completed/)]);
  });

  it('when the turn is interrupted that waits for an agent with a command in the background', async () => {
    const { command, count } = countable(POLLS);
    const busy = createGate();
    const { troupe } = await createTroupe(
      playParts({
        main: [{ tools: [agentCall('worker')] }, { text: 'Here I am.' }],
        worker: [
          { tools: [bashCall(command, { background: true })] },
          async () => {
            await until('the loop runs', () => count() > 0);
            busy.open();
            return { tools: [bashCall('sleep 600')] };
          },
        ],
      }),
      { agents: AGENTS },
    );
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await busy.opened;
    await until('it waits', () =>
      session.tasks().some(({ description }) => description === 'sleep 600'),
    );
    const ended = new Promise<number>((resolve) => {
      session.events.on('task.status', ({ type, status }) => {
        if (type === 'local_agent' && status === 'killed') resolve(count());
      });
    });
    session.interrupt();
    expect(await ended).toBe(0);
    expect(session.status).toBe('running');
    await session.prompt('Still there?');
    session.end();
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Here I am.' });
  });

  it('when a command is over its time and has started another session', async () => {
    const { command, count } = countable((sleep) => `(setsid ${sleep} &)\n${sleep}`);
    const counts: number[] = [];
    const told: string[] = [];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [{ name: 'Bash', input: { command, timeout: 700 } }] },
          ({ messages }) => {
            counts.push(count());
            told.push(...newestResults(messages).map(resultText));
            return { text: 'Done.' };
          },
        ],
      }),
    );
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(counts).toEqual([0]);
    expect(told).toEqual([expect.stringMatching(/timed out|did not end within|0\.7/i)]);
  });

  it('when the model of their agent fails permanently', async () => {
    const { command, count } = countable(POLLS);
    const counts: number[] = [];
    const { troupe } = await createTroupeOverHttp(
      {
        async handler({ body }) {
          const said = body.messages.filter(({ role }) => role === 'assistant').length;
          if (!JSON.stringify(body['system']).includes('You are worker.')) {
            if (said === 0) return { tools: [agentCall('worker')] };
            counts.push(count());
            return { text: 'Done.' };
          }
          if (said === 0) return { tools: [bashCall(command, { background: true })] };
          await until('the loop runs', () => count() > 0);
          const error = { type: 'authentication_error', message: 'the key was withdrawn' };
          return { status: 401, error };
        },
      },
      { agents: AGENTS },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const statuses: string[] = [];
    session.events.on('task.status', ({ type, status }) => {
      if (type === 'local_agent') statuses.push(status);
    });
    expect((await session.outcome).status).toBe('completed');
    expect([counts, statuses]).toEqual([[0], ['pending', 'running', 'failed']]);
  });

  it('when the owner of twelve agents, each with two commands, is killed', async () => {
    const marks = Array.from({ length: 12 }, () =>
      countable((sleep) => `setsid ${sleep} & ${sleep}`),
    );
    const all = (): number => marks.reduce((sum, { count }) => sum + count(), 0);
    const { troupe } = await createTroupe(
      playParts({
        main: [{ tools: [agentCall('worker', { background: true })] }, { text: 'Waiting.' }],
        worker: [
          {
            tools: marks.map((_, index) =>
              agentCall('sub', { name: `sub ${index}`, background: true }),
            ),
          },
          { text: 'Waiting.' },
        ],
        sub: [
          ({ origin }) => {
            const { command } = marks[Number(origin.name?.split(' ')[1])] as (typeof marks)[number];
            return { tools: [bashCall(command)] };
          },
        ],
      }),
      { agents: AGENTS },
    );
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await until('all run', () => marks.every(({ count }) => count() >= 2), 15_000);
    const worker = session.tasks().find(({ description }) => description === 'worker');
    const since = Date.now();
    await session.task(worker?.id ?? '')?.kill('enough');
    const tookMs = Date.now() - since;
    expect([all(), tookMs < 1_000]).toEqual([0, true]);
    expect(allActors(troupe.inspect()).filter(({ kind }) => kind === 'local_agent')).toEqual([]);
    session.end();
    expect((await session.outcome).status).toBe('completed');
  });

  it('when a person answers before a hook that was asked beside them', async () => {
    const { command, count } = countable((sleep) => `(setsid ${sleep} &)\n${sleep}`);
    const { tool, ran } = createChangeTool();
    const { troupe } = await createTroupe(
      playParts({
        main: [{ tools: [{ name: 'Change', input: { what: 'it' } }] }, { text: 'Done.' }],
      }),
      {
        tools: [tool],
        permissions: ASK_FIRST,
        hooks: { PermissionRequest: [{ hooks: [{ type: 'command', command }] }] },
      },
    );
    troupe.approvals.onRequest(async () => {
      await until('the hook runs', () => count() >= 2);
      return { behavior: 'allow' };
    });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect([ran, count()]).toEqual([['it'], 0]);
  });

  it('when an MCP server has started another session and cleared its environment', async () => {
    const { command: program, args = [] } = fixture();
    const { command, count } = countable(
      (sleep) =>
        `setsid ${sleep} & (setsid env -i ${sleep} &); exec ${[program, ...args].join(' ')}`,
    );
    const { troupe } = await createTroupe(playParts({ main: [{ text: 'Done.' }] }), {
      mcpServers: { f: { command: '/bin/sh', args: ['-c', command] } },
    });
    expect((await troupe.session({ prompt: 'Go.' }).outcome).status).toBe('completed');
    expect(count()).toBe(2);
    await troupe.close();
    expect(count()).toBe(0);
  });
});
