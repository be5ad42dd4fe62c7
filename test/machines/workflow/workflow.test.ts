import { describe, expect, it } from 'vitest';
import { playWorkflow } from '../../support/play-workflow.js';

const run = (more: object = {}) => ({ tool: 'Run', input: {}, ...more });

describe('workflowMachine', () => {
  it('begins what needs nothing at once, and the rest when what it needs is done', () => {
    const play = playWorkflow({
      tasks: { a: run(), b: run(), c: run({ needs: ['a', 'b'] }) },
    });
    expect(play.running.map(({ step }) => step)).toEqual(['a', 'b']);
    play.complete('b');
    expect(play.running.map(({ step }) => step)).toEqual(['a']);
    play.complete('a');
    expect(play.running.map(({ step }) => step)).toEqual(['c']);
    play.complete('c', 'whole');
    expect(play.outcome).toEqual({
      status: 'completed',
      result: { a: null, b: null, c: 'whole' },
    });
  });

  it('puts outputs into inputs, and waits for what it reads', () => {
    const play = playWorkflow(
      {
        tasks: {
          list: run(),
          ask: { agent: 'reader', prompt: '${{ inputs.who }}: ${{ tasks.list.json.files[0] }}' },
          use: run({ input: { all: '${{ tasks.list.json.files }}' } }),
          shell: { command: 'cat ${{ tasks.list.output }}' },
        },
      },
      { inputs: { who: 'Ann' } },
    );
    expect(play.running).toHaveLength(1);
    play.complete('list', '```json\n{"files": ["it\'s.ts"]}\n```');
    expect(play.begun.slice(1).map(({ work }) => work)).toEqual([
      { kind: 'agent', agent: 'reader', prompt: "Ann: it's.ts" },
      { kind: 'tool', tool: 'Run', input: { all: ["it's.ts"] } },
      {
        kind: 'tool',
        tool: 'Bash',
        input: {
          command: "cat '```json\n{\"files\": [\"it'\\''s.ts\"]}\n```'",
          timeout: 600_000,
        },
      },
    ]);
  });

  it('asks no agent for nothing: a task fails whose prompt comes to a blank text', () => {
    const play = playWorkflow({
      tasks: {
        diff: run(),
        review: { agent: 'reviewer', prompt: '${{ tasks.diff.output }}\n', retry: 2 },
      },
    });
    play.complete('diff', '');
    expect(play.begun.map(({ step }) => step)).toEqual(['diff']);
    expect(play.steps['review']).toEqual({
      status: 'failed',
      failure: {
        code: 'EXPRESSION',
        message:
          'The prompt is blank: the values of its expressions are empty. Use "when" to skip the task then.',
      },
    });
  });

  it('skips what needs something that failed or was skipped, and fails as a whole', () => {
    const play = playWorkflow({
      tasks: { a: run(), b: run({ needs: ['a'] }), c: run({ needs: ['b'] }), d: run() },
    });
    play.fail('a', 'exit code 1');
    expect(play.statuses).toEqual({ a: 'failed', b: 'skipped', c: 'skipped', d: 'running' });
    play.complete('d');
    expect(play.outcome).toEqual({
      status: 'failed',
      failure: {
        code: 'WORKFLOW_FAILED',
        message: '1 of 4 tasks failed. "a": exit code 1',
        details: { failed: ['a'] },
      },
    });
  });

  it('skips what its condition rules out, and what needs that', () => {
    const play = playWorkflow(
      {
        tasks: {
          deploy: run({ when: "inputs.where == 'live'" }),
          tell: run({ needs: ['deploy'] }),
        },
      },
      { inputs: { where: 'test' } },
    );
    expect(play.steps).toEqual({
      deploy: { status: 'skipped', reason: "the condition does not hold: inputs.where == 'live'" },
      tell: { status: 'skipped', reason: '"deploy" was skipped' },
    });
    expect(play.outcome).toEqual({ status: 'completed', result: {} });
  });

  it('lets a condition on a status decide also after a failure', () => {
    const repair = {
      tasks: {
        test: run(),
        repair: run({
          when: "tasks.test.status == 'failed'",
          input: { why: '${{ tasks.test.error }}' },
        }),
        again: run({ needs: ['repair'] }),
      },
      finish: "tasks.test.status == 'done' or tasks.again.status == 'done'",
    };
    const broken = playWorkflow(repair);
    broken.fail('test', 'two tests fail');
    expect(broken.begun.at(-1)?.work).toEqual({
      kind: 'tool',
      tool: 'Run',
      input: { why: 'two tests fail' },
    });
    broken.complete('repair');
    broken.complete('again', 'ok');
    expect(broken.outcome).toEqual({ status: 'completed', result: { repair: null, again: 'ok' } });

    const whole = playWorkflow(repair);
    whole.complete('test', 'ok');
    expect(whole.statuses).toEqual({ test: 'done', repair: 'skipped', again: 'skipped' });
    expect(whole.outcome).toEqual({ status: 'completed', result: { test: 'ok' } });
  });

  it('looks whether it has finished when a task has ended, and before another one begins', () => {
    const definition = {
      tasks: { other: run(), a: run(), later: run({ needs: ['a'] }) },
      finish: "tasks.a.status != 'failed'",
    };
    const play = playWorkflow(definition);
    expect(play.statuses).toEqual({ other: 'running', a: 'running', later: 'pending' });
    play.complete('a');
    play.fail('other');
    expect(play.outcome).toEqual({ status: 'completed', result: { a: null } });
    expect(play.begun.map(({ step }) => step)).toEqual(['other', 'a']);
    const again = playWorkflow(definition, { done: { a: { 0: 'before' } } });
    expect(again.outcome).toEqual({ status: 'completed', result: { a: 'before' } });
    expect(again.begun).toEqual([]);
  });

  it('ends what still runs when it has finished, and waits for it', () => {
    const play = playWorkflow({
      tasks: { fast: run(), slow: run(), later: run({ needs: ['slow'] }) },
      finish: "tasks.fast.status == 'done' or tasks.slow.status == 'done'",
    });
    play.complete('fast', 1);
    expect(play.effects.filter(({ type }) => type === 'end')).toEqual([
      {
        type: 'end',
        step: 'slow',
        entry: 0,
        attempt: 1,
        reason: 'the workflow has finished without it',
      },
    ]);
    expect(play.isDone).toBe(false);
    play.fail('slow', 'killed', 0, 'TASK_KILLED');
    expect(play.statuses).toEqual({ fast: 'done', slow: 'skipped', later: 'skipped' });
    expect(play.outcome).toEqual({ status: 'completed', result: { fast: 1 } });
  });

  it('fails if all has ended and the condition does not hold', () => {
    const play = playWorkflow({ tasks: { a: run() }, finish: "tasks.a.json.verdict == 'good'" });
    play.complete('a', 'no json');
    expect(play.outcome).toEqual({
      status: 'failed',
      failure: {
        code: 'WORKFLOW_NOT_FINISHED',
        message: `All tasks have ended, and "finish" does not hold: tasks.a.json.verdict == 'good'. tasks.a.json: the output of "a" is not JSON: "no json".`,
      },
    });
  });

  it('runs the entries of a list side by side, as many as it may, and keeps their order', () => {
    const play = playWorkflow({
      tasks: {
        each: run({
          foreach: ['x', 'y', 'z'],
          concurrency: 2,
          input: { at: '${{ index }}', it: '${{ item }}' },
        }),
        all: run({ input: { outputs: '${{ tasks.each.output }}' } }),
      },
    });
    expect(play.running.map(({ entry }) => entry)).toEqual([0, 1]);
    play.complete('each', 'Y', 1);
    expect(play.running.map(({ entry }) => entry)).toEqual([0, 2]);
    play.complete('each', 'Z', 2);
    play.complete('each', 'X', 0);
    expect(play.begun.map(({ work }) => work.kind === 'tool' && work.input)).toEqual([
      { at: 0, it: 'x' },
      { at: 1, it: 'y' },
      { at: 2, it: 'z' },
      { outputs: ['X', 'Y', 'Z'] },
    ]);
    expect(play.begun.map(({ label }) => label)).toEqual([
      'each 1/3',
      'each 2/3',
      'each 3/3',
      'all',
    ]);
  });

  it('runs all entries also if one fails, and says which', () => {
    const play = playWorkflow({ tasks: { each: run({ foreach: [1, 2, 3], concurrency: 1 }) } });
    play.complete('each', 'one', 0);
    play.fail('each', 'no', 1);
    play.complete('each', 'three', 2);
    expect(play.steps['each']).toEqual({
      status: 'failed',
      failure: {
        code: 'TOOL_FAILED',
        message: '1 of 3 entries failed; number 2: no',
        details: { failed: [2] },
      },
    });
  });

  it('is done at once with an empty list, and refuses a value that is no list', () => {
    const play = playWorkflow(
      {
        tasks: {
          none: run({ foreach: [] }),
          text: run({ foreach: 'tasks.none.output[0]' }),
          word: run({ foreach: 'inputs.word' }),
          many: run({ foreach: Array.from({ length: 10_001 }, () => 0) }),
        },
      },
      { inputs: { word: 'x' } },
    );
    expect(play.steps).toEqual({
      none: { status: 'done', output: [] },
      text: {
        status: 'failed',
        failure: {
          code: 'EXPRESSION',
          message: '"tasks.none.output[0]": the list has 0 entries, and no [0].',
        },
      },
      many: {
        status: 'failed',
        failure: { code: 'EXPRESSION', message: 'foreach takes 10000 entries at most, not 10001.' },
      },
      word: {
        status: 'failed',
        failure: {
          code: 'EXPRESSION',
          message:
            'foreach needs a list, and "inputs.word" is not one. A text that contains JSON is parsed by .json: tasks.NAME.json.',
        },
      },
    });
  });

  it('tries again what fails, ever later, and never what was killed', () => {
    const retry = { times: 2, delay: '100ms', factor: 3 };
    const play = playWorkflow({ tasks: { a: run({ retry }), b: run({ retry: 5 }) } });
    play.fail('b', 'by hand', 0, 'TASK_KILLED');
    play.fail('a');
    expect(play.running).toEqual([]);
    expect(play.resting).toEqual([{ step: 'a', entry: 0, attempt: 2 }]);
    play.send({ type: 'attempt.due', step: 'a', entry: 0, attempt: 2 });
    play.fail('a');
    play.send({ type: 'attempt.due', step: 'a', entry: 0, attempt: 2 }); // late: nothing waits for it
    expect(play.running).toEqual([]);
    play.send({ type: 'attempt.due', step: 'a', entry: 0, attempt: 3 });
    play.fail('a', 'the third time');
    expect(
      play.effects.flatMap((effect) => (effect.type === 'delay' ? [effect.delayMs] : [])),
    ).toEqual([100, 300]);
    expect(play.steps['a']).toEqual({
      status: 'failed',
      failure: { code: 'TOOL_FAILED', message: 'the third time' },
    });
    expect(play.statuses).toEqual({ a: 'failed', b: 'failed' });
  });

  it('ends what takes too long, and counts it as failed whatever it says then', () => {
    const play = playWorkflow({ tasks: { a: run({ timeout: '2s', retry: 1 }) } });
    const first = { step: 'a', entry: 0, attempt: 1 };
    expect(play.begun[0]?.timeoutMs).toBe(2_000);
    play.send({ type: 'attempt.timedOut', ...first, timeoutMs: 2_000 });
    expect(play.effects.at(-1)).toEqual({
      type: 'end',
      ...first,
      reason: 'The attempt took longer than 2000 ms and was ended.',
    });
    play.end(first, { status: 'completed', result: 'just in time' });
    expect(play.resting).toEqual([{ ...first, attempt: 2 }]);
    play.send({ type: 'attempt.timedOut', ...first, timeoutMs: 2_000 }); // late: it has ended
    play.send({ type: 'attempt.due', ...first, attempt: 2 });
    play.complete('a', 'second');
    expect(play.outcome).toEqual({ status: 'completed', result: { a: 'second' } });
  });

  it('begins nothing more when it is stopped, and waits for the running steps', () => {
    const play = playWorkflow({
      tasks: {
        a: run(),
        b: run({ retry: 3 }),
        c: run({ needs: ['a'] }),
        d: run({ foreach: [1, 2], concurrency: 1 }),
      },
    });
    play.fail('b');
    play.send({ type: 'work.stop', reason: 'enough' });
    expect(play.running.map(({ step }) => step)).toEqual(['a', 'd']);
    play.complete('a', 'too late');
    expect(play.isDone).toBe(false);
    play.fail('d', 'killed', 0, 'TASK_KILLED');
    expect(play.steps).toEqual(
      Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((name) => [name, { status: 'skipped', reason: 'enough' }]),
      ),
    );
    expect(play.outcome).toEqual({
      status: 'failed',
      failure: { code: 'STOPPED', message: 'The workflow was stopped before it was done.' },
    });
  });

  it('settles at once when it is forced', () => {
    const play = playWorkflow({ tasks: { a: run() } });
    play.send({ type: 'work.force' });
    expect(play.outcome?.status).toBe('failed');
    expect(play.isDone).toBe(true);
  });

  it('does not run again what an earlier run has done', () => {
    const definition = {
      tasks: {
        list: run(),
        each: run({ foreach: '${{ tasks.list.json }}', input: { it: '${{ item }}' } }),
      },
    };
    const play = playWorkflow(definition, {
      done: { list: { 0: '[1,2,3]' }, each: { 0: 'A', 2: 'C' } },
    });
    expect(play.begun.map(({ work }) => work.kind === 'tool' && work.input)).toEqual([{ it: 2 }]);
    play.complete('each', 'B', 1);
    expect(play.outcome).toEqual({
      status: 'completed',
      result: { list: '[1,2,3]', each: ['A', 'B', 'C'] },
    });
  });

  it('ignores events of its task about children, and ends that nobody waits for', () => {
    const play = playWorkflow({ tasks: { a: run() } });
    play.send({ type: 'children.changed', holding: 1 } as never); // an event for works of other kinds
    play.end({ step: 'a', entry: 0, attempt: 2 }, { status: 'completed', result: 1 });
    play.end({ step: 'gone', entry: 0, attempt: 1 }, { status: 'completed', result: 1 });
    expect(play.running).toHaveLength(1);
  });

  it('takes a list of 500 entries in its stride', () => {
    const foreach = Array.from({ length: 500 }, (_, index) => index);
    const play = playWorkflow({ tasks: { each: run({ foreach, concurrency: 100 }) } });
    for (const index of foreach) play.complete('each', index, index);
    expect(play.outcome).toEqual({ status: 'completed', result: { each: foreach } });
  });

  it('refuses JSON that goes down too far, and reads what just does not', () => {
    const definition = {
      tasks: { list: run(), use: run({ input: { all: '${{ tasks.list.json }}' } }), other: run() },
    };
    const play = playWorkflow(definition);
    play.complete('list', `${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    expect(play.steps['use']).toEqual({
      status: 'failed',
      failure: {
        code: 'EXPRESSION',
        message:
          'tasks.list.json: the output of "list" is JSON of more than 1000 levels: lists and objects may be 1000 deep.',
      },
    });
    play.complete('other');
    expect(play.isDone).toBe(true);
    const shallow = playWorkflow(definition);
    shallow.complete('list', `${'['.repeat(1_000)}${']'.repeat(1_000)}`);
    expect(shallow.statuses).toEqual({ list: 'done', use: 'running', other: 'running' });
    const deeper = playWorkflow(definition);
    deeper.complete('list', `${'['.repeat(1_001)}${']'.repeat(1_001)}`);
    expect(deeper.statuses).toEqual({ list: 'done', use: 'failed', other: 'running' });
  });

  it('ends every step if something cannot be decided for a reason inside itself', () => {
    const play = playWorkflow({
      tasks: {
        odd: run(),
        long: run(),
        use: { agent: 'reader', prompt: 'Read ${{ tasks.odd.output }}.' },
        last: run({ needs: ['use'] }),
      },
    });
    const odd = {
      toJSON: () => {
        throw new RangeError('Invalid string length');
      },
    };
    play.complete('odd', odd);
    expect(play.effects.filter(({ type }) => type === 'end')).toMatchObject([{ step: 'long' }]);
    play.fail('long');
    expect(play.statuses).toEqual({
      odd: 'failed',
      long: 'skipped',
      use: 'skipped',
      last: 'skipped',
    });
    expect(play.outcome).toEqual({
      status: 'failed',
      failure: { code: 'UNEXPECTED', message: 'Invalid string length' },
    });
  });

  it('gives every step an end if it is forced to one', () => {
    const play = playWorkflow({ tasks: { a: run(), b: run(), c: run({ needs: ['a'] }) } });
    play.complete('b', 'done');
    play.send({ type: 'work.stop', reason: 'enough' });
    expect(play.statuses).toEqual({ a: 'running', b: 'done', c: 'skipped' });
    play.send({ type: 'work.force' });
    expect(play.statuses).toEqual({ a: 'failed', b: 'done', c: 'skipped' });
    expect(play.effects.at(-1)).toMatchObject({
      type: 'tell',
      step: 'a',
      state: { status: 'failed' },
    });
    expect(play.isDone).toBe(true);
  });

  it('keeps as many agents at work as a budget allows, those of all its steps together', () => {
    const ask = { agent: 'reader', prompt: 'Read.' };
    const play = playWorkflow(
      { tasks: { each: { ...ask, foreach: [1, 2, 3] }, other: ask, tool: run() } },
      { agentsAtOnce: 2 },
    );
    const steps = () => play.running.map(({ step, entry }) => `${step} ${entry}`);
    expect(steps()).toEqual(['each 0', 'each 1', 'tool 0']);
    play.complete('each', 'read', 0);
    expect(steps()).toEqual(['each 1', 'each 2', 'tool 0']);
    play.complete('each', 'read', 1);
    expect(steps()).toEqual(['each 2', 'other 0', 'tool 0']);
    const none = playWorkflow(
      { tasks: { each: { ...ask, foreach: [1, 2] } } },
      { agentsAtOnce: 0 },
    );
    expect(none.running).toHaveLength(1); // it is refused, which is said
  });
});
