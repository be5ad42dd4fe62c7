import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SessionHandle } from '../../../src/actors/public-types.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { createGate } from '../../support/gate.js';
import { agentCall, playParts } from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

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

describe('a task that uses one tool', () => {
  it('uses Agent once, also where that goes on in the background and tells of its end', async () => {
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

  it('uses Workflow once, whose end it is told of', async () => {
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
    const { troupe } = await createTroupe(playParts({}), { tools: [wait] });
    const session = troupe.session({ hostsOnly: true });
    const uses = watchUses(session);
    const workflow = await session.workflow({ tasks: { wait: { tool: 'Wait', input: {} } } });
    await begun.opened;
    const [task] = session.tasks().filter(({ type }) => type === 'local_agent');
    const sent = troupe.task(task?.id ?? '')?.send('Are you there?');
    await expect(sent).rejects.toMatchObject({ code: 'UNKNOWN_RECIPIENT' });
    told.open();
    expect(await workflow.outcome).toEqual({ status: 'completed', result: { wait: 'waited' } });
    expect(uses).toEqual(['Wait']);
  });
});

describe('a workflow of many tasks', () => {
  it('comes to its end where more end at once than stay in memory', async () => {
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
