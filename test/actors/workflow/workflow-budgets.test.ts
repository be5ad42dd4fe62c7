import { describe, expect, it } from 'vitest';
import { playParts } from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

const agents = [defineAgent('reader')];
const ask = { agent: 'reader', prompt: 'Read ${{ item }}.' };

describe('the budget of a workflow', () => {
  it('of agents makes entries wait for each other: none fails', async () => {
    let live = 0;
    let most = 0;
    const { troupe } = await createTroupe(playParts({ reader: [{ text: 'read' }] }), { agents });
    const session = troupe.session({ hostsOnly: true });
    session.events.on('task.status', ({ type, status }) => {
      if (type !== 'local_agent') return;
      if (status === 'pending') most = Math.max(most, (live += 1));
      if (status === 'completed') live -= 1;
    });
    const foreach = Array.from({ length: 20 }, (_, index) => index);
    const workflow = await session.workflow({
      taskBudget: { agents: 3 },
      tasks: { each: { ...ask, foreach }, also: { ...ask, foreach: [1, 2] } },
    });
    expect(await workflow.outcome).toEqual({
      status: 'completed',
      result: { each: foreach.map(() => 'read'), also: ['read', 'read'] },
    });
    expect(most).toBe(3);
  });

  it.each([{ agents: 0 }, { depth: 0 }])(
    'that allows no agent is not tried again: %j',
    async (taskBudget) => {
      const { troupe } = await createTroupe(playParts({}), { agents });
      const workflow = await troupe.session({ hostsOnly: true }).workflow({
        taskBudget,
        tasks: { one: { agent: 'reader', prompt: 'Read.', retry: { times: 3, delay: '1h' } } },
      });
      await workflow.outcome;
      expect(workflow.steps['one']).toMatchObject({
        status: 'failed',
        failure: { code: 'BUDGET_EXCEEDED' },
      });
    },
  );

  it('is as little tried again as an agent that would be too deep for all', async () => {
    const { troupe } = await createTroupe(playParts({}), { agents, maxDepth: 1 });
    const workflow = await troupe.session({ hostsOnly: true }).workflow({
      tasks: { one: { agent: 'reader', prompt: 'Read.', retry: { times: 3, delay: '1h' } } },
    });
    await workflow.outcome;
    expect(workflow.steps['one']).toMatchObject({
      status: 'failed',
      failure: { code: 'TASK_REFUSED', details: { lasts: true } },
    });
  });

  it('continues if its run is continued', async () => {
    const texts = ['no json', 'no json', '{"ok":true}'];
    const { troupe } = await createTroupe(
      playParts({ reader: [() => ({ text: texts.shift() ?? 'too often' })] }),
      { agents },
    );
    const start = {
      taskBudget: { turns: 2 },
      tasks: {
        ask: { agent: 'reader', prompt: 'Read.' },
        use: { command: 'echo ${{ tasks.ask.json.ok }}' },
        free: { command: 'true' },
      },
    };
    const session = troupe.session({ hostsOnly: true });
    expect(await (await session.workflow(start)).outcome).toMatchObject({ status: 'failed' });
    const other = { ...start.tasks, ask: { ...start.tasks.ask, prompt: 'Read it again.' } };
    const again = await session.workflow({ ...start, tasks: other, resume: true });
    expect(await again.outcome).toMatchObject({ status: 'failed' });
    expect(again.usage().total.calls).toBe(1);
    expect(again.usage().budget?.used.turns).toBe(2);
    expect(session.usage().total.calls).toBe(2);
    session.end();
    await session.outcome;
    const later = troupe.session({ hostsOnly: true, resume: session.sessionId });
    expect(later.usage().total.calls).toBe(2); // a tool asks no model
    const last = await later.workflow({ ...start, resume: true });
    await last.outcome;
    expect(last.steps['ask']).toMatchObject({
      status: 'failed',
      failure: { code: 'BUDGET_EXCEEDED' },
    });
    expect(texts).toEqual(['{"ok":true}']);
  });
});
