import { describe, expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../../src/api/orchestrator/orchestrator.js';
import type { AgentEntry } from '../../../../src/journal/entries/agent-entries.js';
import type { ModelRequest } from '../../../../src/model/model.js';
import { createScriptedModel } from '../../../../src/model/scripted/scripted-model.js';
import { toRequestBody } from '../../../../src/model/anthropic/to-request-body.js';
import { comparePrefix } from '../../../../src/testing/compare-prefix.js';
import { agentEntries } from '../../../support/journals.js';
import {
  agentCall,
  newestResults,
  playParts,
  resultText,
  userTexts,
} from '../../../support/scripts.js';
import { ALLOW_ALL, createFolder, createTroupe, defineAgent } from '../../../support/troupe.js';

/** The agent id that the newest result of an agent's tool use names. */
function agentIdIn({ messages }: ModelRequest): string {
  const text = newestResults(messages).map(resultText).join('\n');
  return /\[Agent: (\S+), for resume\]/.exec(text)?.[1] ?? `none in ${text}`;
}

function resumeCall(resume: string, input: Readonly<Record<string, unknown>> = {}) {
  const call = agentCall('helper', { prompt: 'And then?' });
  return { ...call, input: { ...call.input, resume, ...input } };
}

const HELPERS = [defineAgent('helper', { model: 'haiku' }), defineAgent('other')];

/** Requests by agent type, in the order of their sending. */
function createRecorder() {
  const requests: ModelRequest[] = [];
  return {
    record:
      (script: (request: ModelRequest) => unknown) =>
      (request: ModelRequest): never => {
        requests.push({ ...request, messages: [...request.messages] });
        return script(request) as never; // a script's own reply
      },
    of: (type: string) => requests.filter(({ origin }) => origin.agentType === type),
  };
}

describe('an agent that had ended', () => {
  it('continues in the same conversation, as another task', async () => {
    const recorder = createRecorder();
    const { troupe } = await createTroupe(
      recorder.record(
        playParts({
          main: [
            { tools: [agentCall('helper', { prompt: 'First.' })] },
            (request) => ({ tools: [resumeCall(agentIdIn(request))] }),
            { text: 'Done.' },
          ],
          helper: [
            { tools: [{ name: 'Glob', input: { pattern: '*' } }] },
            { text: 'One.' },
            { text: 'Two.' },
          ],
        }),
      ),
      { agents: HELPERS },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    const helper = recorder.of('helper');
    expect(new Set(helper.map(({ origin }) => origin.agentId)).size).toBe(1);
    expect(comparePrefix(helper.map(toRequestBody))).toBeUndefined();
    expect(userTexts(helper.at(-1)?.messages ?? [])).toEqual(['First.', 'And then?']);
    expect(resultText(newestResults(recorder.of('main').at(-1)?.messages ?? [])[0]!)).toMatch(
      /^Two\.\n\n\[Agent: ahelper-/,
    );
    const tasks = session.tasks().filter(({ type }) => type === 'local_agent');
    expect(tasks.map(({ status, parentId }) => ({ status, parentId }))).toEqual([
      { status: 'completed', parentId: session.id },
      { status: 'completed', parentId: session.id },
    ]);
    const entries = await agentEntries(session, helper[0]!.origin.agentId);
    const told = entries.filter(({ type }) => type.startsWith('agent.')) as readonly AgentEntry[];
    expect(told.map(({ type }) => type)).toEqual([
      'agent.started',
      'agent.ended',
      'agent.resumed',
      'agent.ended',
    ]);
    expect(told[2]).toMatchObject({ taskId: tasks[1]?.id, model: 'claude-haiku-5-5' });
  });

  it.each(['its task id', 'its name'] as const)(
    'is found by %s, and given a model, which it keeps',
    async (by) => {
      const recorder = createRecorder();
      const { troupe } = await createTroupe(
        recorder.record(
          playParts({
            main: [
              { tools: [agentCall('helper', { name: 'bo' })] },
              () => {
                const [task] = session.tasks().filter(({ type }) => type === 'local_agent');
                const resume = by === 'its name' ? 'bo' : (task?.id ?? '');
                return { tools: [resumeCall(resume, { model: 'some-new-model' })] };
              },
              { tools: [resumeCall('bo')] },
              { text: 'Done.' },
            ],
            bo: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }],
          }),
        ),
        { agents: HELPERS },
      );
      const session = troupe.session({ prompt: 'Go.' });
      expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
      expect(recorder.of('helper').map(({ model }) => model)).toEqual([
        'claude-haiku-5-5',
        'some-new-model',
        'some-new-model',
      ]);
      expect(recorder.of('helper')[1]?.messages).toHaveLength(3);
    },
  );

  it('continues after it was killed in the middle of a tool use, which has its result', async () => {
    const recorder = createRecorder();
    const { troupe } = await createTroupe(
      recorder.record(
        playParts({
          main: [{ text: 'Nothing to do.' }],
          helper: [
            { tools: [{ name: 'Bash', input: { command: 'sleep 60' } }] },
            { text: 'I was stopped.' },
          ],
        }),
      ),
      { agents: HELPERS },
    );
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const first = await session.spawn({ agent: 'helper', prompt: 'Wait.' });
    await new Promise<void>((resolve) => {
      session.events.on('task.status', ({ type, status }) => {
        if (type === 'local_bash' && status === 'running') resolve();
      });
    });
    await first.kill('enough');
    const second = await session.spawn({ resume: first.id, prompt: 'What happened?' });
    expect(await second.result).toBe('I was stopped.');
    expect(second.agentId).toBe(first.agentId);
    const requests = recorder.of('helper');
    expect(comparePrefix(requests.map(toRequestBody))).toBeUndefined();
    const newest = requests.at(-1)?.messages.at(-1);
    expect(newestResults([newest!]).map(resultText)).toEqual([
      'Stopped by the system because its task was ended. Nobody refused it.',
    ]);
    expect(userTexts([newest!])).toEqual(['What happened?']);
  });

  it('continues in another process, from the journal alone', async () => {
    const recorder = createRecorder();
    const [cwd, home] = [await createFolder(), await createFolder()];
    const open = (main: readonly object[], helper: readonly object[]) => {
      const troupe = createOrchestrator({
        cwd,
        home,
        permissions: ALLOW_ALL,
        agents: HELPERS,
        model: createScriptedModel(recorder.record(playParts({ main, bo: helper }))),
      });
      onTestFinished(() => troupe.close());
      return troupe;
    };
    const first = open(
      [{ tools: [agentCall('helper', { name: 'bo' })] }, { text: 'Later.' }],
      [{ text: 'One.' }],
    );
    const { sessionId, outcome } = first.session({ prompt: 'Go.' });
    await outcome;
    await first.close();
    const second = open([{ tools: [resumeCall('bo')] }, { text: 'Done.' }], [{ text: 'Two.' }]);
    const session = second.session({ resume: sessionId, prompt: 'Continue.' });
    expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
    const requests = recorder.of('helper');
    expect(comparePrefix(requests.map(toRequestBody))).toBeUndefined();
    expect(userTexts(requests.at(-1)?.messages ?? [])).toEqual(['Do your part.', 'And then?']);
    expect(new Set(requests.map(({ origin }) => origin.agentId)).size).toBe(1);
  });
});

describe('resume is refused', () => {
  async function answerTo(
    input: Readonly<Record<string, unknown>>,
    options: { readonly background?: boolean } = {},
  ): Promise<string> {
    let text = '';
    const held = new Promise<void>((resolve) => onTestFinished(() => resolve()));
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('helper', { name: 'bo', ...options })] },
          () => ({ tools: [resumeCall('bo', input)] }),
          ({ messages }) => {
            text = newestResults(messages).map(resultText).join('\n');
            void session.kill();
            return { text: 'Done.' };
          },
        ],
        bo: [
          async () => {
            if (options.background === true)
              await Promise.race([held, new Promise((resolve) => setImmediate(resolve))]);
            return options.background === true
              ? { tools: [agentCall('other', { prompt: 'Wait.' })] }
              : { text: 'One.' };
          },
        ],
        other: [{ tools: [{ name: 'Bash', input: { command: 'sleep 60' } }] }],
      }),
      { agents: HELPERS },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    return text;
  }

  it.each([
    [{ resume: 'nobody' }, /there is no agent "nobody"\. You can resume: ahelper-|abo-/],
    [{ subagent_type: 'other' }, /is of the type helper, not other/],
    [{ name: 'al' }, /keeps its name, bo: leave the name out/],
    [{ isolation: 'worktree' }, /keeps its folder: remove isolation/],
    [{ resume: ' ' }, /resume is empty/],
  ])('%j', async (input, message) => {
    expect(await answerTo(input)).toMatch(message);
  });

  it('while it is at work', async () => {
    expect(await answerTo({}, { background: true })).toMatch(
      /is still at work: send it the prompt with SendMessage/,
    );
  });

  it('to an agent that has not started it', async () => {
    let text = '';
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [agentCall('helper', { name: 'bo' })] },
          { tools: [agentCall('other')] },
          { text: 'Done.' },
        ],
        bo: [{ text: 'One.' }],
        other: [
          { tools: [resumeCall('bo')] },
          ({ messages }) => {
            text = newestResults(messages).map(resultText).join('\n');
            return { text: 'No.' };
          },
        ],
      }),
      { agents: HELPERS },
    );
    await troupe.session({ prompt: 'Go.' }).outcome;
    expect(text).toBe(
      'The task was not started: "bo" was started by another agent, which alone can resume it. You have started none that has ended.',
    );
  });

  it('by a rule that denies its type', async () => {
    const { troupe } = await createTroupe(
      playParts({
        main: [{ tools: [resumeCall('bo')] }, { text: 'Denied.' }],
      }),
      {
        agents: HELPERS,
        permissions: { ...ALLOW_ALL, alwaysDenyRules: { session: ['Agent(helper)'] } },
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const denied: string[] = [];
    session.events.on('permission.denied', (_origin, { toolName }) => denied.push(toolName));
    await session.outcome;
    expect(denied).toEqual(['Agent']);
  });
});
