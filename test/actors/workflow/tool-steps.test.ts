import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { createGate } from '../../support/gate.js';
import { allActors } from '../../support/inspected.js';
import { agentEntries, agentIds } from '../../support/journals.js';
import { fixture } from '../../support/mcp/servers.js';
import { agentCall, playParts } from '../../support/scripts.js';
import { ASK_FIRST, createTroupe, defineAgent } from '../../support/troupe.js';

/** More than stay in memory once they have ended. */
const COUNT = 300;

/** Tools that were used, in their order; a session that goes round is ended. */
function watchUses(session: SessionHandle): readonly string[] {
  const uses: string[] = [];
  session.events.on('agent.message', (_origin, { role, content }) => {
    if (role !== 'assistant') return;
    for (const block of content) if (block.type === 'tool_use') uses.push(block.name);
    if (uses.length > 5) void session.kill('it goes round');
  });
  return uses;
}

/** A tool that waits, and says when it has begun. */
function createWait() {
  const begun = createGate();
  const told = createGate();
  const wait = buildTool({
    name: 'Wait',
    inputSchema: z.object({}),
    async call() {
      begun.open();
      await told.opened;
      return { data: 'waited' };
    },
  });
  return { begun, told, wait };
}

describe('a task that uses one tool', () => {
  it('uses Agent once, also if that continues in the background and reports its end', async () => {
    const { troupe } = await createTroupe(playParts({ reader: [{ text: 'read' }] }), {
      agents: [defineAgent('reader')],
    });
    const session = troupe.session({ hostsOnly: true });
    const uses = watchUses(session);
    const { input } = agentCall('reader', { background: true });
    const workflow = await session.workflow({ tasks: { ask: { tool: 'Agent', input } } });
    expect(await workflow.outcome).toMatchObject({ status: 'completed' });
    expect(uses).toEqual(['Agent']);
    expect(workflow.usage().total.calls).toBe(1);
  });

  it('uses Workflow once, and its end is reported', async () => {
    const { troupe, text } = await createTroupe(playParts({}));
    const session = troupe.session({ hostsOnly: true });
    const uses = watchUses(session);
    const input = { description: 'Inner', tasks: { say: { command: 'echo one >> log' } } };
    const workflow = await session.workflow({ tasks: { inner: { tool: 'Workflow', input } } });
    expect(await workflow.outcome).toMatchObject({ status: 'completed' });
    expect(uses).toEqual(['Workflow', 'Bash']);
    expect(await text('log')).toBe('one\n');
  });

  it('takes no mail, for nobody would read it, and uses it once', async () => {
    const { begun, told, wait } = createWait();
    const { troupe } = await createTroupe(playParts({}), { tools: [wait] });
    const session = troupe.session({ hostsOnly: true });
    const uses = watchUses(session);
    const workflow = await session.workflow({ tasks: { wait: { tool: 'Wait', input: {} } } });
    await begun.opened;
    const [task] = session.tasks().filter(({ type }) => type === 'local_tool');
    const sent = troupe.task(task?.id ?? '')?.send('Are you there?');
    await expect(sent).rejects.toMatchObject({ code: 'UNKNOWN_RECIPIENT' });
    told.open();
    expect(await workflow.outcome).toEqual({ status: 'completed', result: { wait: 'waited' } });
    expect(uses).toEqual(['Wait']);
  });
});

describe('a task of one tool', () => {
  it('is shown with its call and without an agent, and has used nothing', async () => {
    const { begun, told, wait } = createWait();
    const { troupe } = await createTroupe(playParts({}), { tools: [wait] });
    const session = troupe.session({ hostsOnly: true });
    const workflow = await session.workflow({ tasks: { wait: { tool: 'Wait', input: {} } } });
    await begun.opened;
    const task = session.tasks().find(({ type }) => type === 'local_tool');
    const shown = allActors(troupe.inspect()).find(({ id }) => id === task?.id);
    const call = shown?.children[0]?.id ?? '';
    expect(shown).toMatchObject({
      kind: 'local_tool',
      label: 'wait',
      state: 'running.active',
      waitingFor: [`tool call ${call}`],
      usage: { calls: 0 },
      children: [
        {
          kind: 'toolCall',
          label: expect.stringMatching(/^Wait\(/) as unknown,
          state: 'executing',
          waitingFor: ['the result of its tool'],
          children: [],
        },
      ],
    });
    told.open();
    expect((await workflow.outcome).status).toBe('completed');
  });

  it('journals what is called before it begins, then its result, and nothing of a model', async () => {
    const { begun, told, wait } = createWait();
    told.open();
    const { troupe } = await createTroupe(playParts({}), { tools: [wait] });
    const session = troupe.session({ hostsOnly: true });
    const workflow = await session.workflow({ tasks: { wait: { tool: 'Wait', input: {} } } });
    await begun.opened;
    await workflow.outcome;
    await troupe.close(); // all is on disk
    const [agent = ''] = (await agentIds(session)).filter((id) => id.startsWith('atool-'));
    const id = `toolu_${agent.slice('atool-'.length)}`;
    expect(
      (await agentEntries(session, agent)).map((entry) =>
        'key' in entry ? `${entry.type} ${entry.key}` : entry.type,
      ),
    ).toEqual([
      'agent.started',
      'step.done turn:1/said:0',
      `step.begun turn:1/tool:${id}`,
      `step.done turn:1/tool:${id}`,
      'agent.ended',
    ]);
  });

  it('waits for the server of its tool', async () => {
    const { troupe } = await createTroupe(playParts({}), {
      mcpServers: { f: fixture() }, // a process that starts
    });
    const session = troupe.session({ hostsOnly: true });
    const input = { text: 'it is there' };
    const workflow = await session.workflow({ tasks: { ask: { tool: 'mcp__f__echo', input } } });
    expect(await workflow.result).toEqual({ ask: 'it is there' });
  });

  it('is killed while the server of its tool still starts, and is never called', async () => {
    const { troupe } = await createTroupe(playParts({}), {
      mcpServers: { f: fixture(['--mute']) },
    });
    const session = troupe.session({ hostsOnly: true });
    const uses = watchUses(session);
    const workflow = await session.workflow({
      tasks: { ask: { tool: 'mcp__f__echo', input: {} } },
    });
    const waits = () =>
      allActors(troupe.inspect()).find(({ kind }) => kind === 'local_tool')?.waitingFor;
    await expect.poll(waits).toEqual(['the MCP server f']);
    expect((await workflow.kill('enough')).status).toBe('killed');
    expect(uses).toEqual([]);
  });

  it('fails if a hook stops it, and is not tried again', async () => {
    const stop = () => Promise.resolve({ continue: false, stopReason: 'not today' });
    const { troupe, at } = await createTroupe(playParts({}), {
      hooks: { PreToolUse: [{ hooks: [stop] }] },
    });
    const workflow = await troupe.session({ hostsOnly: true }).workflow({
      tasks: { touch: { command: 'touch it', retry: { times: 3, delay: '1h' } } },
    });
    expect((await workflow.outcome).status).toBe('failed');
    expect(workflow.steps['touch']).toMatchObject({
      status: 'failed',
      failure: {
        code: 'TOOL_FAILED',
        message: expect.stringContaining('not today') as unknown,
        details: { lasts: true },
      },
    });
    expect(existsSync(at('it'))).toBe(false);
  });

  it('asks through the tasks above it, and withdraws that if it is killed', async () => {
    const { troupe } = await createTroupe(playParts({}), { permissions: ASK_FIRST });
    const asked = createGate();
    const session = troupe.session({ hostsOnly: true });
    session.events.on('permission.requested', () => asked.open());
    troupe.approvals.onRequest(() => new Promise(() => {}));
    const workflow = await session.workflow({ tasks: { touch: { command: 'touch it' } } });
    await asked.opened;
    const [request] = troupe.approvals.list();
    const hops = [request?.toolUseId, request?.agentId, request?.taskId, workflow.id, session.id];
    expect(request?.path.map(({ actor }) => actor)).toEqual([...hops, 'orchestrator']);
    expect((await workflow.kill('enough')).status).toBe('killed');
    expect(troupe.approvals.list()).toEqual([]);
  });
});

describe('a workflow of many tasks', () => {
  it('comes to its end if more end at once than stay in memory', async () => {
    let begun = 0;
    const all = createGate();
    const together = buildTool({
      name: 'Together',
      inputSchema: z.object({}),
      async call() {
        if ((begun += 1) === COUNT) all.open();
        await all.opened;
        return { data: 'done' };
      },
    });
    const { troupe } = await createTroupe(playParts({}), { tools: [together] });
    const tasks = Object.fromEntries(
      Array.from({ length: COUNT }, (_, index) => [`t${index}`, { tool: 'Together', input: {} }]),
    );
    const workflow = await troupe.session({ hostsOnly: true }).workflow({ tasks });
    const outcome = await workflow.outcome;
    expect(outcome).toEqual({
      status: 'completed',
      result: Object.fromEntries(Object.keys(tasks).map((name) => [name, 'done'])),
    });
  }, 30_000);

  it('is ended in the middle of tasks that never wait', async () => {
    let uses = 0;
    const quick = buildTool({
      name: 'Quick',
      inputSchema: z.object({}),
      call() {
        uses += 1;
        return Promise.resolve({ data: 'done' });
      },
    });
    const { troupe } = await createTroupe(playParts({}), { tools: [quick] });
    const workflow = await troupe.session({ hostsOnly: true }).workflow({
      tasks: {
        each: { tool: 'Quick', input: {}, foreach: Array.from({ length: COUNT }, () => 0) },
      },
    });
    setTimeout(() => void troupe.close('told to'), 0); // as a signal, it comes from the event loop
    expect((await workflow.outcome).status).toBe('killed');
    expect(uses).toBeLessThan(COUNT);
  });
});
