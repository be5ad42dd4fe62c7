import { describe, expect, it } from 'vitest';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import type { TaskStateBase } from '../../../src/core/task-types.js';
import { createGate } from '../../support/gate.js';
import {
  agentCall,
  bashCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

const isNotification = (text: string): boolean => text.startsWith('<task-notification>');

/**
 * A session whose main agent makes one call in the foreground, then is idle until the next notification. `worker` ends
 * when the test says so. @returns the texts that the model got: results, notifications
 */
async function startWaiting(call: { readonly name: string; readonly input: object }) {
  const mayEnd = createGate();
  const told: string[] = [];
  const script = playParts({
    main: [
      { tools: [call as never] },
      ({ messages }) => {
        told.push(...newestResults(messages).map(resultText));
        return { text: 'Continued.' };
      },
      ({ messages }) => {
        told.push(...userTexts(messages.slice(-1)));
        return { text: 'Told.' };
      },
    ],
    worker: [
      async () => {
        await mayEnd.opened;
        return { text: 'The report.' };
      },
    ],
  });
  const made = await createTroupe(script, { agents: [defineAgent('worker')] });
  const session = made.troupe.session({ prompt: 'Go.', staysOpen: true });
  return { ...made, session, told, mayEnd };
}

/** The first task that is so. */
function untilTask(
  session: SessionHandle,
  is: (task: TaskStateBase) => boolean,
): Promise<TaskStateBase> {
  return new Promise((resolve) => {
    session.events.on('task.status', (task) => is(task) && resolve(task));
  });
}

async function until(list: readonly unknown[], length: number): Promise<void> {
  while (list.length < length) await new Promise(setImmediate);
}

function untilIdle(session: SessionHandle, times: number): Promise<void> {
  let count = 0;
  return new Promise((resolve) => {
    session.events.on('agent.idle', ({ taskId }) => {
      if (taskId === session.id && (count += 1) === times) resolve();
    });
  });
}

const isRunning =
  (type: string) =>
  (task: TaskStateBase): boolean =>
    task.type === type && task.status === 'running';

describe('a task that is waited for and sent to the background', () => {
  it('lets the call of a sub-agent answer, and its end is one notification', async () => {
    const { session, told, mayEnd } = await startWaiting(agentCall('worker'));
    const idle = untilIdle(session, 1);
    const { id } = await untilTask(session, isRunning('local_agent'));
    expect(await session.background()).toEqual([id]);
    expect(await session.background(id)).toEqual([]);
    await until(told, 1);
    mayEnd.open(); // the call has answered while the worker still worked
    await idle;
    expect(told[0]).toContain('The worker agent was moved to the background and keeps running.');
    expect(told[0]).toContain(`Task: ${id}`);
    expect(told.slice(1).filter(isNotification)).toHaveLength(1);
    expect(told[1]).toContain('<result>The report.</result>');
    expect(session.tasks().find((task) => task.id === id)).toMatchObject({
      status: 'completed',
      isBackgrounded: true,
      notified: true,
    });
  });

  it('lets the call of a command answer, without its timeout, and its end is one notification', async () => {
    const call = { name: 'Bash', input: { command: 'sleep 0.7; echo late', timeout: 400 } };
    const { session, told } = await startWaiting(call);
    const both = untilIdle(session, 2);
    const { id } = await untilTask(session, isRunning('local_bash'));
    expect(await session.task(id)?.background()).toEqual([id]);
    await both;
    expect(told).toHaveLength(2);
    expect(told[0]).toContain(`moved to the background as ${id}`);
    expect(told[1]).toContain('<status>completed</status>');
    expect(await session.task(id)?.output()).toEqual({ text: 'late\n', next: 5 });
  });

  it('fails by its exit code, as one that was started there', async () => {
    const { session, told } = await startWaiting(bashCall('sleep 0.2; exit 4'));
    const both = untilIdle(session, 2);
    const { id } = await untilTask(session, isRunning('local_bash'));
    await session.background(id);
    await both;
    expect(told[1]).toContain('<status>failed</status>');
    expect(session.task(id)?.status).toBe('failed');
  });

  it('is reported to clients from then on', async () => {
    const { session } = await startWaiting(bashCall('sleep 0.2'));
    const subtypes: string[] = [];
    const reading = (async () => {
      for await (const message of session)
        if (message.type === 'system') subtypes.push(message.subtype);
    })();
    const both = untilIdle(session, 2);
    const { id } = await untilTask(session, isRunning('local_bash'));
    await session.background(id);
    await both;
    session.end();
    await reading;
    expect(subtypes).toEqual([
      'init',
      'task_started',
      'task_updated',
      'background_tasks_changed',
      'task_updated',
      'task_notification',
      'background_tasks_changed',
    ]);
  });

  it('is reported once if it goes the moment it begins', async () => {
    const { session, told } = await startWaiting(bashCall('true'));
    const both = untilIdle(session, 2);
    session.events.on('task.status', (task) => {
      if (isRunning('local_bash')(task)) void session.background(task.id);
    });
    await both;
    expect(told.map(isNotification)).toEqual([false, true]);
    expect(told[0]).toContain('moved to the background');
  });

  it('is reported once if it ends that very moment', async () => {
    const { session, told } = await startWaiting(bashCall('echo done'));
    const idle = untilIdle(session, 1);
    const went: (readonly string[])[] = [];
    session.events.on('task.status', (task) => {
      if (task.type === 'local_bash' && task.outcome !== undefined)
        void session.background(task.id).then((ids) => went.push(ids));
    });
    await idle;
    session.end();
    await session.outcome;
    expect(went).toEqual([[]]);
    expect(told).toEqual(['done']);
  });

  it('is not what a program waits for, nor the session, nor what is not there', async () => {
    const { session, mayEnd } = await startWaiting(agentCall('worker'));
    const { id } = await untilTask(session, isRunning('local_agent'));
    const worker = await session.spawn({ agent: 'worker', prompt: 'Work.' });
    expect(await session.background()).toEqual([id]);
    expect(await session.background(session.id)).toEqual([]);
    expect(await session.background('a99999999')).toEqual([]);
    mayEnd.open();
    expect(await worker.result).toBe('The report.');
    expect(await worker.background()).toEqual([]);
  });
});

describe('the output of a background command', () => {
  it('is new to each agent once', async () => {
    const texts: Record<string, string[]> = { main: [], worker: [] };
    const written = createGate();
    let shell = '';
    const look = () => ({ tools: [{ name: 'BashOutput', input: { bash_id: shell } }] });
    const keep =
      (who: 'main' | 'worker') =>
      ({ messages }: { readonly messages: Parameters<typeof newestResults>[0] }) => {
        texts[who]?.push(...newestResults(messages).map(resultText));
      };
    const script = playParts({
      main: [
        { tools: [bashCall('echo one; sleep 60', { background: true })] },
        async () => {
          await written.opened;
          return look();
        },
        (request) => {
          keep('main')(request);
          return look();
        },
        (request) => {
          keep('main')(request);
          return { tools: [agentCall('worker')] };
        },
        () => ({ tools: [{ name: 'KillShell', input: { shell_id: shell } }] }),
        { text: 'Done.' },
      ],
      worker: [
        look,
        (request) => {
          keep('worker')(request);
          return { text: 'Seen.' };
        },
      ],
    });
    const { troupe } = await createTroupe(script, { agents: [defineAgent('worker')] });
    const session = troupe.session({ prompt: 'Go.' });
    const { id } = await untilTask(session, isRunning('local_bash'));
    shell = id;
    while ((await session.task(id)?.output())?.text === '') await new Promise(setImmediate);
    written.open();
    expect((await session.outcome).status).toBe('completed');
    expect(texts['main']?.map((text) => text.split('\n').slice(1))).toEqual([
      ['New output:', 'one'],
      ['(nothing new)'],
    ]);
    expect(texts['worker']).toEqual([expect.stringContaining('New output:\none')]);
    expect(session.tasks().find((task) => task.id === id)).toMatchObject({
      outputOffset: 4,
      outcome: { status: 'killed', reason: 'stopped by KillShell' },
    });
  });
});

it('CLAUDE_CODE_DISABLE_BACKGROUND_TASKS lets every call wait, and a command has CLAUDE_EFFORT', async () => {
  const told: string[] = [];
  const fields: (string | undefined)[] = [];
  const command = 'sleep 0.05; echo "<$CLAUDE_EFFORT>"';
  const { troupe } = await createTroupe(
    playParts({
      main: [
        ({ tools }) => {
          const sent = tools.map(({ name, description, input_schema }) =>
            JSON.stringify([name, description, input_schema]),
          );
          fields.push(...sent.filter((tool) => tool.includes('run_in_background')));
          return {
            tools: [
              { name: 'Bash', input: { command, run_in_background: true } },
              { name: 'Agent', input: { ...agentCall('worker').input, run_in_background: true } },
            ],
          };
        },
        ({ messages }) => {
          told.push(...newestResults(messages).map(resultText));
          return { text: 'Done.' };
        },
      ],
      worker: [{ text: 'The report.' }],
    }),
    {
      agents: [defineAgent('worker')],
      env: { ...process.env, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' },
    },
  );
  const session = troupe.session({ prompt: 'Go.', effort: 'high' });
  expect(await session.background()).toEqual([]);
  await session.result;
  expect([fields, told]).toEqual([[], ['<high>', expect.stringContaining('The report.')]]);
});
