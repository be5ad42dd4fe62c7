import { randomUUID } from 'node:crypto';
import { Role, TaskState, type Part, type SendMessageRequest, type Task } from '@a2a-js/sdk';
import { ClientFactory, JsonRpcTransportFactory, type Client } from '@a2a-js/sdk/client';
import { describe, expect, it } from 'vitest';
import { countProcesses, uniqueSeconds, until } from '../processes/processes.js';
import { createPlace } from './support/place.js';

const TOKEN = 'a-token-of-the-test';

const question = {
  question: 'Which?',
  header: 'Colour',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
};

const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command } }] });

/** A script with an agent that makes a file, one that asks a question, and one that sleeps. */
const scriptOf = (seconds: number): string =>
  JSON.stringify({
    version: 1,
    agents: [
      {
        prompt: '^Make',
        steps: [
          { when: { user: '^Make' }, ...bash('touch made') },
          { when: { tool: 'Bash', isError: false }, text: 'Made.' },
          { when: { user: '^Again' }, text: 'Again.' },
        ],
      },
      {
        prompt: '^Ask',
        steps: [
          {
            when: { user: '^Ask' },
            tools: [{ name: 'AskUserQuestion', input: { questions: [question] } }],
          },
          { when: { toolResult: '→ (?<colour>\\w+)' }, text: 'It is ${colour}.' },
        ],
      },
      { prompt: '^Sleep', steps: [bash(`sleep ${seconds}`)] },
    ],
  });

/** A message of a client, to a task or a new one. */
function message(
  text: string,
  task: Partial<Pick<Task, 'id' | 'contextId'>> = {},
  metadata?: object,
): SendMessageRequest {
  const part: Part = {
    content: { $case: 'text', value: text },
    metadata: undefined,
    filename: '',
    mediaType: 'text/plain',
  };
  return {
    tenant: '',
    configuration: undefined,
    metadata: undefined,
    message: {
      messageId: randomUUID(),
      taskId: task.id ?? '',
      contextId: task.contextId ?? '',
      role: Role.ROLE_USER,
      parts: [part],
      metadata: metadata === undefined ? undefined : { troupe: metadata },
      extensions: [],
      referenceTaskIds: [],
    },
  };
}

const textsOf = (parts: readonly Part[] = []): readonly unknown[] =>
  parts.map(({ content }) => (content?.$case === 'text' ? content.value : content?.$case));

/** The state of a task, what it says, and its results. */
const shown = ({ status, artifacts }: Task) => ({
  state: status?.state,
  says: textsOf(status?.message?.parts),
  results: artifacts.map(({ parts }) => textsOf(parts)),
});

const send = async (client: Client, request: SendMessageRequest): Promise<Task> =>
  (await client.sendMessage(request)) as Task; // Troupe answers with tasks only

/** How long a loaded machine may take for a start. */
const LOADED_MS = 40_000;

describe.concurrent('troupe a2a serve', () => {
  it('maps tasks to agents, with decisions, questions and cancelling', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const seconds = uniqueSeconds();
    await place.write({ 'script.json': scriptOf(seconds) });
    const server = place.start(
      ['a2a', 'serve', '--model', 'scripted:script.json', '--allowedTools', 'Bash(sleep *)'],
      { env: { TROUPE_SERVE_TOKEN: TOKEN } },
    );
    const address = (): string | undefined => /listening on (\S+)\/a2a\n/.exec(server.warned)?.[1];
    await until('the server listens', () => address() !== undefined, LOADED_MS);
    const url = String(address());
    const refused = await fetch(`${url}/a2a`, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(401);

    const fetchImpl: typeof fetch = (input, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${TOKEN}`);
      return fetch(input, { ...init, headers });
    };
    const transports = [new JsonRpcTransportFactory({ fetchImpl })];
    const client = await new ClientFactory({ transports }).createFromUrl(url); // the card needs no token

    const asked = await send(client, message('Make it.'));
    expect(shown(asked)).toEqual({
      state: TaskState.TASK_STATE_INPUT_REQUIRED,
      says: [
        expect.stringMatching(/^The agent main asks to use Bash: \{"command":"touch made"\}\n/),
        'data',
      ],
      results: [],
    });
    const unclear = await send(client, message('Why?', asked));
    expect(shown(unclear)).toMatchObject({
      state: TaskState.TASK_STATE_INPUT_REQUIRED,
      says: [expect.stringMatching(/^This is not a decision\. Answer "allow", or /)],
    });
    const made = await send(client, message('allow', asked));
    const completed = { state: TaskState.TASK_STATE_COMPLETED, says: [] };
    expect(shown(made)).toEqual({ ...completed, results: [['Made.']] });
    const again = await send(client, message('Again.', { contextId: made.contextId }));
    expect(again.id).not.toBe(made.id);
    expect(shown(again)).toEqual({ ...completed, results: [['Again.']] });

    const states: unknown[] = [];
    let task: Task | undefined;
    const listen = async (request: SendMessageRequest): Promise<void> => {
      for await (const { payload } of client.sendMessageStream(request)) {
        if (payload?.$case === 'task') task = payload.value;
        if (payload?.$case === 'artifactUpdate')
          states.push(...textsOf(payload.value.artifact?.parts));
        else if (payload?.$case !== 'message') states.push(payload?.value.status?.state);
      }
    };
    await listen(message('Ask me.'));
    await listen(message('Blue', task));
    expect([...new Set(states)]).toEqual([
      TaskState.TASK_STATE_SUBMITTED,
      TaskState.TASK_STATE_WORKING,
      TaskState.TASK_STATE_INPUT_REQUIRED,
      'It is Blue.',
      TaskState.TASK_STATE_COMPLETED,
    ]);

    const laxer = await send(client, message('Make it.', {}, { mode: 'acceptEdits' }));
    expect(shown(laxer)).toMatchObject({
      state: TaskState.TASK_STATE_REJECTED,
      says: [expect.stringMatching(/^mode: acceptEdits is laxer than default, /)],
    });

    const sleep = async (): Promise<Task> => {
      const configuration = {
        acceptedOutputModes: [],
        returnImmediately: true,
        taskPushNotificationConfig: undefined,
      };
      const started = await send(client, { ...message('Sleep.'), configuration });
      await until('the sleep runs', () => countProcesses(`sleep\0${seconds}`) === 1, LOADED_MS);
      return started;
    };
    const { id } = await sleep();
    expect(shown(await client.getTask({ tenant: '', id }))).toMatchObject({
      state: TaskState.TASK_STATE_WORKING,
    });
    const cancelled = await client.cancelTask({ tenant: '', id, metadata: undefined });
    expect(shown(cancelled)).toEqual({
      state: TaskState.TASK_STATE_CANCELED,
      says: ['the A2A client cancelled the task'],
      results: [],
    });
    expect(countProcesses(`sleep\0${seconds}`)).toBe(0);
    await sleep();
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 143, stdout: '' });
    expect(countProcesses(`sleep\0${seconds}`)).toBe(0);
  });

  it('says how to install the package that it needs', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const hook = `export async function resolve(name, context, next) {
      return next(name.startsWith('@a2a-js/') ? name + '-that-is-missing' : name, context);
    }`;
    const asModule = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
    const loader = `import { register } from 'node:module'; register(${JSON.stringify(asModule(hook))});`;
    const { code, stderr } = await place.run(['a2a', 'serve'], {
      nodeFlags: ['--no-warnings', '--import', asModule(loader)],
    });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'troupe: troupe a2a serve needs the package @a2a-js/sdk, which is not installed. Install it beside Troupe: npm install @a2a-js/sdk, with -g if Troupe is installed with -g.\n',
    });
  });
});
