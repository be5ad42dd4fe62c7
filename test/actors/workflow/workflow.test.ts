import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { buildTool } from '../../../src/tools/build-tool.js';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import { readWorkflow } from '../../../src/journal/readers/workflow-record.js';
import { createGate } from '../../support/gate.js';
import { playParts, resultsOf, resultText, userTexts } from '../../support/scripts.js';
import { createSimulatedTime } from '../../support/simulated-time.js';
import {
  ALLOW_ALL,
  ASK_FIRST,
  createFolder,
  createTroupe,
  defineAgent,
} from '../../support/troupe.js';
import { expectWhole } from '../../support/expect-whole.js';

const COUNT = process.env['TROUPE_DEEP'] === undefined ? 100 : 500;

/** An orchestrator without any model: asking one fails. */
async function createHost(options: object = {}) {
  const folder = await createFolder();
  const troupe = createOrchestrator({
    cwd: folder,
    home: `${folder}/home`,
    env: { PATH: process.env['PATH'] },
    permissions: ALLOW_ALL,
    ...options,
  });
  onTestFinished(() => troupe.close());
  return { troupe, folder, session: troupe.session({ hostsOnly: true }) };
}

describe('a workflow of tools', () => {
  it('needs no model and no key', async () => {
    const { session, troupe } = await createHost();
    const workflow = await session.workflow({
      tasks: {
        list: { command: `printf '["a b","it'"'"'s"]'` },
        each: { command: ['printf', '<%s>', '${{ item }}'], foreach: 'tasks.list.json' },
        all: { command: 'printf %s ${{ tasks.each.output }}' },
      },
    });
    expect(await workflow.outcome).toEqual({
      status: 'completed',
      result: {
        list: '["a b","it\'s"]',
        each: ['<a b>', "<it's>"],
        all: '["<a b>","<it\'s>"]',
      },
    });
    expect(workflow.usage().total).toEqual({
      usage: expect.anything() as unknown,
      costUsd: 0,
      calls: 0,
    });
    session.end();
    expect((await session.outcome).status).toBe('completed');
    expect(troupe.inspect().children).toEqual([]);
    await expectWhole(session);
  });

  it('goes through the rules: what is asked for is asked, with the way to it, and a denial fails the task', async () => {
    const { session, troupe } = await createHost({ permissions: ASK_FIRST });
    troupe.approvals.onRequest((request) =>
      Promise.resolve(
        String(request.input['command']).includes('good')
          ? { behavior: 'allow' }
          : { behavior: 'deny', message: 'not that one' },
      ),
    );
    const workflow = await session
      .workflow({
        tasks: {
          good: { command: 'touch good' },
          bad: { command: 'touch bad', retry: -1 as never },
        },
      })
      .catch((error: unknown) => error);
    expect(workflow).toMatchObject({ code: 'USAGE' });
    const retry = { times: 2, delay: '1h' }; // nobody is asked again
    const asked = await session.workflow({
      tasks: { good: { command: 'touch good' }, bad: { command: 'touch bad', retry } },
    });
    expect(await asked.outcome).toMatchObject({
      status: 'failed',
      failure: { code: 'WORKFLOW_FAILED', details: { failed: ['bad'] } },
    });
    expect(asked.steps['good']?.status).toBe('done');
    expect(asked.steps['bad']).toMatchObject({
      status: 'failed',
      failure: { code: 'TOOL_FAILED', message: expect.stringContaining('not that one') as unknown },
    });
  });

  it('has its own rules, which apply to nobody else', async () => {
    const { session, troupe } = await createHost({ permissions: ASK_FIRST });
    const start = { tasks: { touch: { command: 'touch it' } } };
    const allowed = await session.workflow({ ...start, rules: { allow: ['Bash(touch *)'] } });
    expect((await allowed.outcome).status).toBe('completed');
    const denied = await session.workflow({
      ...start,
      rules: { allow: ['Bash(touch *)'], deny: ['Bash(touch it)'] },
    });
    expect((await denied.outcome).status).toBe('failed');
    const without = await session.workflow(start);
    expect((await without.outcome).status).toBe('failed'); // nobody is there to ask
    expect(troupe.approvals.list()).toEqual([]);
  });

  it('says why a command failed, and hands that on', async () => {
    const { session } = await createHost();
    const workflow = await session.workflow({
      tasks: {
        test: { command: 'echo out; echo err >&2; exit 3' },
        tell: {
          command: ['printf', '%s', '${{ tasks.test.error }}'],
          when: "tasks.test.status == 'failed'",
        },
      },
      finish: "tasks.tell.status == 'done'",
    });
    expect(await workflow.result).toEqual({ tell: 'out\nerr\nExit code 3' });
  });

  it('never lets a shell read what a task has put out', async () => {
    const { session, folder } = await createHost();
    const evil = `'; touch gone; $(touch gone) \`touch gone\` \${{ inputs.other }}\n"`;
    const workflow = await session.workflow({
      inputs: { evil, other: 'read' },
      tasks: {
        say: { command: 'printf %s ${{ inputs.evil }}' },
        again: { command: 'printf %s ${{ tasks.say.output }}' },
        words: { command: ['printf', '%s', '${{ tasks.again.output }}'] },
        tool: { tool: 'Bash', input: { command: 'printf %s ${{ tasks.words.output }}' } },
      },
    });
    expect(await workflow.result).toEqual({ say: evil, again: evil, words: evil, tool: evil });
    const { existsSync } = await import('node:fs');
    expect(existsSync(`${folder}/gone`)).toBe(false);
  });

  it('kills a command that takes too long, and says so', async () => {
    const { session, troupe } = await createHost();
    const workflow = await session.workflow({
      tasks: {
        slow: { command: 'sleep 300 & sleep 300', timeout: '200ms' },
        quick: { command: 'true' },
      },
    });
    await workflow.outcome;
    expect(workflow.steps['slow']).toEqual({
      status: 'failed',
      failure: {
        code: 'STEP_TIMEOUT',
        message: 'The attempt took longer than 200 ms and was ended.',
        details: { timeoutMs: 200 },
      },
    });
    expect(JSON.stringify(troupe.inspect())).not.toContain('local_bash');
  });

  it('ends with its task, and leaves nothing', async () => {
    const { session, troupe } = await createHost();
    const workflow = await session.workflow({
      description: 'nightly',
      tasks: { wait: { command: 'sleep 300' }, later: { command: 'true', needs: ['wait'] } },
    });
    await new Promise<void>((resolve) => {
      session.events.on('task.status', ({ type, status }) => {
        if (type === 'local_bash' && status === 'running') resolve();
      });
    });
    expect(troupe.inspect()).toMatchObject({
      children: [
        {
          children: [
            {},
            {
              kind: 'local_workflow',
              label: 'nightly',
              children: [{ kind: 'workflow', waitingFor: ['the end of wait'] }, { label: 'wait' }],
            },
          ],
        },
      ],
    });
    await expect(workflow.send('hello')).rejects.toMatchObject({ code: 'UNKNOWN_RECIPIENT' });
    expect(await workflow.kill('enough')).toEqual({ status: 'killed', reason: 'enough' });
    expect(workflow.steps).toEqual({
      wait: { status: 'skipped', reason: 'enough' },
      later: { status: 'skipped', reason: 'enough' },
    });
    expect(session.tasks().filter(({ outcome }) => outcome === undefined)).toHaveLength(1);
  });

  it('waits before it tries again, by the clock of the orchestrator', async () => {
    const time = createSimulatedTime();
    let tries = 0;
    const flaky = buildTool({
      name: 'Flaky',
      inputSchema: z.object({}),
      call() {
        if ((tries += 1) === 1) throw new Error('not yet');
        return Promise.resolve({ data: 'now' });
      },
    });
    const { session } = await createHost({ clock: time.clock, now: time.now, tools: [flaky] });
    const workflow = await session.workflow({
      tasks: {
        flaky: { tool: 'Flaky', input: {}, retry: { times: 1, delay: '5m' } },
      },
    });
    const waits = (): boolean => {
      const state = workflow.steps['flaky'];
      return state?.status === 'running' && state.entries[0]?.status === 'delayed';
    };
    await expect.poll(waits, { timeout: 10_000 }).toBe(true);
    time.advance(5 * 60_000 - 1);
    expect(waits()).toBe(true);
    time.advance(2);
    expect(await workflow.outcome).toEqual({
      status: 'completed',
      result: { flaky: 'now' },
    });
  });

  it('runs many entries of a list, never more than it may at once', async () => {
    const crowd = createGate();
    let begun = 0;
    const stay = buildTool({
      name: 'Stay',
      inputSchema: z.object({}),
      async call() {
        if ((begun += 1) === 40) crowd.open();
        await crowd.opened; // 40 are at work at this instant
        return { data: 'stayed' };
      },
    });
    const { session } = await createHost({ tools: [stay] });
    let live = 0;
    let most = 0;
    session.events.on('task.status', ({ type, status }) => {
      if (type !== 'local_tool') return;
      if (status === 'pending') most = Math.max(most, (live += 1));
      if (status === 'completed') live -= 1;
    });
    const files = Array.from({ length: COUNT }, (_, index) => index);
    const workflow = await session.workflow({
      tasks: { each: { tool: 'Stay', input: {}, foreach: files, concurrency: 40 } },
    });
    expect((await workflow.outcome).status).toBe('completed');
    expect(most).toBe(40);
  }, 60_000);

  it.each([
    [
      { a: { command: 'true', needs: ['b'] } },
      'tasks.a.needs.0: there is no task "b". No task is defined.',
    ],
    [{ a: { agent: 'nobody', prompt: 'x' } }, /tasks\.a\.agent: there is no agent "nobody"\./],
    [
      { a: { command: 'echo "${{ inputs.x }}"' } },
      /Do not put " into a command that contains \$\{\{ }}: Troupe quotes the values itself/,
    ],
  ])('is refused if it cannot be used: %j', async (tasks, message) => {
    const { session } = await createHost();
    await expect(session.workflow({ tasks })).rejects.toThrow(message);
  });
});

describe('a workflow with agents', () => {
  const agents = [defineAgent('writer'), defineAgent('reader')];

  it('hands outputs on, runs side by side, and counts what they use', async () => {
    const gate = createGate();
    let waiting = 0;
    const { troupe } = await createTroupe(
      playParts({
        writer: [
          async () => {
            if ((waiting += 1) === 2) gate.open();
            await gate.opened; // both are at work at this instant
            return { text: 'one\ntwo' };
          },
        ],
        reader: [({ messages }) => ({ text: `read: ${userTexts(messages).join('|')}` })],
      }),
      { agents: [agents[1] as never] },
    );
    const session = troupe.session({ hostsOnly: true });
    const workflow = await session.workflow({
      agents: [agents[0] as never],
      tasks: {
        left: { agent: 'writer', prompt: 'Write.' },
        right: { agent: 'writer', prompt: 'Write too.' },
        read: { agent: 'reader', prompt: '${{ tasks.left.output }} and ${{ tasks.right.output }}' },
      },
    });
    expect(await workflow.result).toMatchObject({ read: 'read: one\ntwo and one\ntwo' });
    expect(workflow.usage().total.calls).toBe(3);
    const { steps } = readWorkflow(session.directory, workflow.id);
    expect(
      steps.map(({ name, status, calls, attempts }) => ({ name, status, calls, attempts })),
    ).toEqual([
      { name: 'left', status: 'done', calls: 1, attempts: 1 },
      { name: 'right', status: 'done', calls: 1, attempts: 1 },
      { name: 'read', status: 'done', calls: 1, attempts: 1 },
    ]);
  });

  it('is not charged with the time that a task waits until there is room for it', async () => {
    const time = createSimulatedTime();
    const asked = [createGate(), createGate()];
    const answered = [createGate(), createGate()];
    let requests = 0;
    const reader = async () => {
      const index = requests;
      requests += 1;
      asked[index]?.open();
      await answered[index]?.opened;
      return { text: 'read' };
    };
    const { troupe } = await createTroupe(playParts({ reader: [reader] }), {
      agents,
      maxConcurrentAgents: 1,
      clock: time.clock,
      now: time.now,
    });
    const workflow = await troupe.session({ hostsOnly: true }).workflow({
      tasks: { each: { agent: 'reader', prompt: 'Read.', foreach: [1, 2], timeout: '60s' } },
    });
    for (const index of [0, 1]) {
      await asked[index]?.opened;
      time.advance(50_000);
      answered[index]?.open();
    }
    expect(await workflow.result).toEqual({ each: ['read', 'read'] });
  });

  it('is started by an agent, which is notified of its end', async () => {
    const tasks = {
      list: { command: 'echo one' },
      ask: { agent: 'reader', prompt: 'Read ${{ tasks.list.output }}.' },
    };
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [{ name: 'Workflow', input: { description: 'Two tasks', tasks } }] },
          { text: 'I wait.' },
          ({ messages }) => ({ text: userTexts(messages).at(-1) ?? '' }),
        ],
        reader: [{ text: 'read' }],
      }),
      { agents },
    );
    const session = troupe.session({ prompt: 'Go.' });
    const told = String(await session.result);
    expect(told).toContain('<kind>local_workflow</kind>');
    expect(told).toContain('<status>completed</status>');
    expect(told).toContain('<result>{"list":"one","ask":"read"}</result>');
    await expectWhole(session);
  });

  it('that cannot be used is refused with all that is wrong', async () => {
    const tasks = { a: { agent: 'nobody', prompt: 'x' }, b: { command: 'true', needs: ['c'] } };
    const use = { name: 'Workflow', input: { description: 'Wrong', tasks } };
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: [use] },
          ({ messages }) => ({ text: resultsOf(messages).map(resultText).join() }),
        ],
      }),
    );
    const told = String(await troupe.session({ prompt: 'Go.' }).result);
    expect(told).toContain('tasks.a.agent: there is no agent "nobody".');
    expect(told).toContain('tasks.b.needs.0: there is no task "c".');
  });

  it('stays within its budget, all tasks together', async () => {
    const { troupe } = await createTroupe(playParts({ reader: [{ text: 'ok' }] }), { agents });
    const session = troupe.session({ hostsOnly: true });
    const workflow = await session.workflow({
      taskBudget: { turns: 2 },
      tasks: {
        free: { command: 'true' },
        each: {
          agent: 'reader',
          prompt: 'Read ${{ item }}.',
          foreach: [1, 2, 3],
          concurrency: 1,
          retry: 5,
          needs: ['free'],
        },
      },
    });
    await workflow.outcome;
    expect(workflow.steps['each']).toMatchObject({
      status: 'failed',
      failure: { code: 'BUDGET_EXCEEDED', details: { failed: [3] } },
    });
  });

  it('continues if it failed, and does not repeat the steps that are done', async () => {
    const replies = [{ text: 'no json' }, { text: '{"ok":true}' }];
    const { troupe, text } = await createTroupe(
      playParts({ writer: [() => replies.shift() ?? { text: 'too often' }] }),
      { agents },
    );
    const session = troupe.session({ hostsOnly: true });
    const start = {
      inputs: { who: 'Ann' },
      tasks: {
        first: { command: 'echo ${{ inputs.who }} | tee -a log' },
        ask: { agent: 'writer', prompt: 'Answer ${{ tasks.first.output }}.' },
        check: { command: 'echo ${{ tasks.ask.json.ok }} >> log' },
      },
    };
    const broken = await session.workflow(start);
    expect(await broken.outcome).toMatchObject({ status: 'failed' });
    const { inputs: _inputs, tasks } = start;
    const changed = {
      ...tasks,
      ask: { ...tasks.ask, prompt: 'Answer in JSON: ${{ tasks.first.output }}' },
    };
    const again = await session.workflow({ tasks: changed, resume: true });
    expect(await again.result).toEqual({ first: 'Ann', ask: '{"ok":true}', check: '' });
    expect(await text('log')).toBe('Ann\ntrue\n');
    await expect(
      session.workflow({ ...start, inputs: { who: 'Bob' }, resume: again.id }),
    ).rejects.toThrow('keeps its inputs');
    const whole = await session.workflow({ tasks: changed, resume: again.id });
    expect(await whole.result).toEqual(await again.result);
    expect(await text('log')).toBe('Ann\ntrue\n');
  });
});
