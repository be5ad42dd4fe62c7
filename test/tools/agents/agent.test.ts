import { describe, expect, it } from 'vitest';
import type { AgentDefinition } from '../../../src/core/agents/agent-definition.js';
import { AgentInput } from '../../../src/tools/agents/agent-input.js';
import { AgentTool } from '../../../src/tools/agents/agent.js';
import { parseInput } from '../../../src/tools/calls/parse-input.js';
import { AGENT_ID, createTaskWorld, untilListed } from '../tasks/task-world.js';
import { run, runText } from '../files/workspace.js';
import { createContext } from '../../support/tool-context.js';

const AGENTS: readonly AgentDefinition[] = [
  { name: 'worker', description: 'Works.', prompt: '', background: true },
  { name: 'explore', description: 'Looks.', prompt: '' },
];
/** The end of every result. */
const RESUME = `\n\n[Agent: ${AGENT_ID}, for resume]`;
const ASK = { description: 'look around', prompt: 'Find it.\n', subagent_type: 'explore' };

/** Tasks, and a context of an agent that may start AGENTS. */
function createAgentCaller() {
  const world = createTaskWorld();
  const session = { agentDefinitions: AGENTS };
  return { ...world, context: createContext('/w', { session, tasks: { control: world.tasks } }) };
}

describe('Agent in the foreground', () => {
  it('asks for the agent of its input and answers with its last text', async () => {
    const { context, settle, spawned, tasks } = createAgentCaller();
    const answer = runText(
      AgentTool,
      { ...ASK, name: 'scout', model: 'haiku', mode: 'plan' },
      context,
    );
    await untilListed(tasks);
    settle('a00000001', { status: 'completed', result: ' Here it is.\n' });
    expect(await answer).toBe(` Here it is.\n${RESUME}`);
    expect(spawned).toEqual([
      {
        kind: 'local_agent',
        agentType: 'explore',
        prompt: 'Find it.\n',
        description: 'look around',
        name: 'scout',
        model: 'haiku',
        permissionMode: 'plan',
        isBackgrounded: false,
        toolUseId: 'toolu_1',
      },
    ]);
  });

  it('returns what its schema says', async () => {
    const { context, settle, tasks } = createAgentCaller();
    const allow = () => Promise.resolve({ behavior: 'allow' } as const);
    const answer = AgentTool.call(AgentInput.parse(ASK), context, allow, undefined);
    await untilListed(tasks);
    settle('a00000001', { status: 'completed', result: 'Done.' });
    const { data } = await answer;
    expect(AgentTool.outputSchema?.parse(data)).toEqual({
      status: 'completed',
      task_id: 'a00000001',
      agentId: AGENT_ID,
      agentType: 'explore',
      background: false,
      startTime: 1,
      endTime: 4,
      duration: 3,
      result: 'Done.',
      output_file: '/session/output/a00000001',
    });
  });

  it('names what the agent left running, and only that', async () => {
    const { context, add, settle, tasks } = createAgentCaller();
    const answer = runText(AgentTool, ASK, context);
    const [parent] = await untilListed(tasks);
    const ended = {
      status: 'killed',
      outcome: { status: 'killed', reason: 'owner ended' },
    } as const;
    add('b00000001', { parentId: parent!.id, description: 'npm run dev', ...ended });
    add('b00000002', { description: 'of another', ...ended });
    add('b00000003', {
      parentId: parent!.id,
      status: 'killed',
      outcome: { status: 'killed', reason: 'stopped by TaskStop' },
    });
    settle('a00000001', { status: 'completed', result: 'Done.' });
    expect(await answer).toBe(
      `Done.\n\n[These tasks of the agent were still running and were ended with it:\n- b00000001 (npm run dev)]${RESUME}`,
    );
  });

  it.each([
    ['', '(The agent ended without a text.)'],
    [{ found: 1 }, '{\n  "found": 1\n}'],
  ])('shows the result %j', async (result, text) => {
    const { context, settle, tasks } = createAgentCaller();
    const answer = runText(AgentTool, ASK, context);
    await untilListed(tasks);
    settle('a00000001', { status: 'completed', result });
    expect(await answer).toBe(`${text}${RESUME}`);
  });

  it('rejects with the failure and the agent that failed', async () => {
    const { context, settle, tasks } = createAgentCaller();
    const answer = run(AgentTool, ASK, context);
    await untilListed(tasks);
    const failure = { code: 'MODEL_OVERLOADED', message: 'the model is overloaded' };
    settle('a00000001', { status: 'failed', failure });
    await expect(answer).rejects.toMatchObject({
      name: 'TaskFailedError',
      code: 'MODEL_OVERLOADED',
      message: 'The explore agent "look around" (a00000001) failed: the model is overloaded',
    });
  });

  it('rejects with the reason of a kill', async () => {
    const { context, tasks } = createAgentCaller();
    const answer = run(AgentTool, ASK, context);
    const [task] = await untilListed(tasks);
    await tasks.kill(task!.id, 'too dear');
    await expect(answer).rejects.toMatchObject({
      code: 'AGENT_KILLED',
      message: 'The explore agent "look around" (a00000001) was killed: too dear',
    });
  });

  it('ends the agent when it is aborted, and then passes the abort on', async () => {
    const { context, kills, tasks } = createAgentCaller();
    const answer = run(AgentTool, ASK, context);
    const [task] = await untilListed(tasks);
    context.call.abortController.abort(new Error('a new message'));
    await expect(answer).rejects.toThrow('a new message');
    expect(kills).toEqual(['a00000001: interrupted']);
    expect(tasks.find(task!.id)?.status).toBe('killed');
  });

  it('starts nothing once it is aborted', async () => {
    const { context, spawned } = createAgentCaller();
    context.call.abortController.abort(new Error('too late'));
    await expect(run(AgentTool, ASK, context)).rejects.toThrow('too late');
    expect(spawned).toEqual([]);
  });

  it('answers when the agent is sent to the background, and an abort does not end it any more', async () => {
    const { context, background, kills, tasks } = createAgentCaller();
    const answer = runText(AgentTool, ASK, context);
    const [task] = await untilListed(tasks);
    background('a00000001');
    expect(await answer).toBe(
      [
        'The explore agent was moved to the background and keeps running.',
        'Task: a00000001',
        `Agent: ${AGENT_ID}`,
        `Output: ${task!.outputFile}`,
        'A notification with its result follows when it ends; there is no need to ask for it.',
      ].join('\n'),
    );
    context.call.abortController.abort();
    expect(kills).toEqual([]);
  });
});

describe('Agent in the background', () => {
  it('answers at once with where to find the agent', async () => {
    const { context } = createAgentCaller();
    const input = { ...ASK, run_in_background: true, name: 'scout' };
    expect(await run(AgentTool, input, context)).toEqual({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: [
        'The explore agent runs in the background.',
        'Task: a00000001',
        `Agent: ${AGENT_ID}`,
        'Name: scout',
        'Output: /session/output/a00000001',
        'A notification with its result follows when it ends; there is no need to ask for it.',
      ].join('\n'),
    });
  });

  it.each([
    ['explore', undefined, false],
    ['explore', true, true],
    ['worker', undefined, true],
    ['worker', false, false],
  ])('%s with run_in_background %s: %s', async (subagent_type, run_in_background, expected) => {
    const { context, settle, spawned, tasks } = createAgentCaller();
    const answer = run(AgentTool, { ...ASK, subagent_type, run_in_background }, context);
    await untilListed(tasks);
    settle('a00000001', { status: 'completed', result: 'ok' });
    await answer;
    expect(spawned.map(({ isBackgrounded }) => isBackgrounded)).toEqual([expected]);
  });
});

describe('the input of Agent', () => {
  it.each([
    ['valid', '{"description":"d","prompt":"p","subagent_type":"explore"}', true],
    ['subagent_type missing', '{"description": "d", "prompt": "p"}', false],
    ['empty prompt', '{"description":"d","prompt":" ","subagent_type":"explore"}', false],
    ['empty description', '{"description":"","prompt":"p","subagent_type":"explore"}', false],
    ['number for string', '{"description":"d","prompt":7,"subagent_type":"explore"}', false],
    [
      'unknown mode',
      '{"description":"d","prompt":"p","subagent_type":"explore","mode":"x"}',
      false,
    ],
    [
      'id as a name',
      '{"description":"d","prompt":"p","subagent_type":"x","name":"a00000001"}',
      false,
    ],
    ['reserved', '{"description":"d","prompt":"p","subagent_type":"x","name":"parent"}', false],
    [
      'NUL in a name',
      '{"description":"d","prompt":"p","subagent_type":"x","name":"a\\u0000"}',
      false,
    ],
    ['inherited', '{"__proto__":{"description":"d","prompt":"p","subagent_type":"x"}}', false],
  ])('%s: %s', async (_why, json, isAccepted) => {
    const { ok } = await parseInput(AgentTool, JSON.parse(json));
    expect(ok).toBe(isAccepted);
  });

  it.each(['__proto__', 'constructor', 'toString', '', 'Explorer', 'a\0'])(
    'refuses the unknown type %j, and lists those there are',
    async (subagent_type) => {
      const { context, spawned } = createAgentCaller();
      const message = `Agent: there is no agent of the type ${JSON.stringify(subagent_type)}. Available: explore, worker.`;
      const input = { ...ASK, subagent_type };
      expect(await AgentTool.validateInput?.(input, context)).toEqual({ result: false, message });
      await expect(run(AgentTool, input, context)).rejects.toThrow(message);
      expect(spawned).toEqual([]);
    },
  );

  it.each([
    [{ team_name: 'crew' }, 'Agent: a teammate needs a name'],
    [
      { team_name: 'crew', name: 'ann', run_in_background: false },
      'Agent: a teammate runs in the background',
    ],
  ])('refuses a teammate with %j', async (more, message) => {
    const { context, spawned } = createAgentCaller();
    const input = { ...ASK, run_in_background: undefined, ...more };
    expect(await AgentTool.validateInput?.(input, context)).toEqual({
      result: false,
      message: expect.stringContaining(message) as string,
    });
    await expect(run(AgentTool, input, context)).rejects.toThrow(message);
    expect(spawned).toEqual([]);
  });

  it('starts a teammate in the background, and says of which team it is', async () => {
    const { context, spawned } = createAgentCaller();
    const input = { ...ASK, run_in_background: undefined, team_name: 'crew', name: 'ann' };
    expect(await runText(AgentTool, input, context)).toContain('Name: ann\nTeam: crew\n');
    expect(spawned).toMatchObject([
      { kind: 'in_process_teammate', team: 'crew', name: 'ann', isBackgrounded: true },
    ]);
  });

  it('passes on whom to resume and where to work', async () => {
    const { context, settle, spawned, tasks } = createAgentCaller();
    const input = { ...ASK, resume: AGENT_ID, isolation: 'worktree' };
    const answer = run(AgentTool, input, context);
    await untilListed(tasks);
    settle('a00000001', { status: 'completed', result: 'ok' });
    await answer;
    expect(spawned).toMatchObject([{ resume: AGENT_ID, isolation: 'worktree' }]);
  });

  it.each([
    [{ isolation: 'folder' }, false],
    [{ isolation: 'worktree' }, true],
    [{ resume: '' }, false],
    [{ resume: 'scout' }, true],
  ])('%j parses: %s', async (parts, isAccepted) => {
    expect((await parseInput(AgentTool, { ...ASK, ...parts })).ok).toBe(isAccepted);
  });

  it.each([{ model: 'haiku' }, { isolation: 'worktree' }])(
    'refuses a fork with %j, and knows forks without a definition',
    async (parts) => {
      const { context } = createAgentCaller();
      const fork = { ...ASK, subagent_type: 'fork' };
      expect(await AgentTool.validateInput?.(fork, context)).toEqual({ result: true });
      const input = { ...fork, ...parts } as typeof fork;
      expect(await AgentTool.validateInput?.(input, context)).toMatchObject({ result: false });
    },
  );

  it.each([
    ['completed', { status: 'completed', result: 'Done.' }],
    ['failed', { status: 'failed', failure: { code: 'X', message: 'no' } }],
    ['killed', { status: 'killed', reason: 'enough' }],
  ] as const)('names the worktree that is left by one that %s', async (_how, outcome) => {
    const { context, add, settle, tasks } = createAgentCaller();
    const answer = runText(AgentTool, ASK, context).catch((error: Error) => error.message);
    await untilListed(tasks);
    const worktree = { path: '/r/w', branch: 'troupe/w', why: 'files were changed' };
    const find = tasks.find;
    tasks.find = (id) => ({ ...find(id)!, worktree });
    add('b00000001');
    settle('a00000001', outcome);
    expect(await answer).toContain(
      '\n\n[Its git worktree is kept, because files were changed: /r/w, branch troupe/w.]',
    );
  });

  it('is valid if the type is known', async () => {
    const { context } = createAgentCaller();
    expect(await AgentTool.validateInput?.(ASK, context)).toEqual({ result: true });
  });
});

describe('Agent as it presents itself', () => {
  it('is allowed by itself, and addressed by rules through its type', async () => {
    const { context } = createAgentCaller();
    expect(await AgentTool.checkPermissions(ASK, context)).toEqual({
      behavior: 'allow',
      decisionReason: { type: 'other', reason: 'starts an agent with its own permission checks' },
    });
    expect(AgentTool.permissionTarget?.(ASK)).toEqual({
      kind: 'name',
      name: 'Explore',
      ignoresCase: true,
      parameter: 'subagent_type',
    });
    expect(AgentTool.permissionTarget?.({ ...ASK, subagent_type: 'Mine' })).toEqual({
      kind: 'name',
      name: 'Mine',
    });
    expect([AgentTool.isReadOnly(ASK), AgentTool.isConcurrencySafe(ASK)]).toEqual([false, true]);
  });

  it('tells the same of the same agents, in whatever order', () => {
    const prompt = AgentTool.prompt({ agents: AGENTS, cwd: '/w' });
    expect(prompt).toContain('- explore: Looks.\n- worker: Works.\n');
    expect(AgentTool.prompt({ agents: [...AGENTS].reverse(), cwd: '/v' })).toBe(prompt);
  });

  it('needs an orchestrator', async () => {
    const context = createContext('/w', { session: { agentDefinitions: AGENTS } });
    await expect(run(AgentTool, ASK, context)).rejects.toMatchObject({ code: 'TASKS_UNAVAILABLE' });
  });
});
