import { fork } from 'node:child_process';
import { on } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { expect, it, onTestFinished } from 'vitest';
import { openControlSocket } from '../../src/api/control/control-socket.js';
import { viewSession, type ViewState } from '../../src/api/sessions/session-view.js';
import type { ModelRequest } from '../../src/model/model.js';
import { createGate, type Gate } from '../support/gate.js';
import { ASK_FIRST, createTroupe, waitForAnother } from '../support/troupe.js';

const REMOTE = join(import.meta.dirname, '../support/remote-view.mjs');

const turnsOf = ({ messages }: ModelRequest): number =>
  messages.filter(({ role }) => role === 'assistant').length;
const agentCall = (name: string) => ({
  name: 'Agent',
  input: { description: name, prompt: name, subagent_type: 'general-purpose' },
});
const READ = { name: 'Read', input: { file_path: 'note.txt' } };
const TODO = {
  name: 'TodoWrite',
  input: { todos: [{ content: 'Look', status: 'in_progress', activeForm: 'Looking' }] },
};
/** Together more than a view keeps of a conversation. */
const [READS, TURNS] = [40, 13];

/** Two agents end before the middle; the third is in its middle until the gate opens. */
function play(middle: Gate, held: Gate) {
  return async (request: ModelRequest) => {
    const first = JSON.stringify(request.messages[0]);
    const turn = turnsOf(request);
    if (first.includes('"third"')) {
      middle.open();
      await held.opened;
      return turn === 0
        ? { tools: [{ name: 'Bash', input: { command: 'touch asked' } }] }
        : { text: 'Third.' };
    }
    if (/"(?:first|second)"/.test(first)) return { text: 'Early.' };
    if (turn === 0) return { tools: [TODO, agentCall('first'), agentCall('second')] };
    if (turn <= TURNS) return { tools: Array.from({ length: READS }, () => READ) };
    return turn === TURNS + 1 ? { tools: [READ, agentCall('third')] } : { text: 'Done.' };
  };
}

/** The maps as lists: their order counts. */
function inOrder({ agents, teams, tasks, decisions, ...rest }: ViewState): object {
  const lists = { tasks: [...tasks], decisions: [...decisions], teams: [...teams] };
  return { ...rest, ...lists, agents: [...agents] };
}

/** A process that follows the session from now on. @returns its next view */
function startRemote(home: string, sessionId: string): () => Promise<ViewState> {
  const remote = fork(REMOTE, [home, sessionId]);
  onTestFinished(() => void remote.kill('SIGKILL'));
  const failed = new AbortController();
  remote.once('exit', (code) => {
    if (code !== 0) failed.abort(new Error(`the process that follows ended: ${String(code)}`));
  });
  const views = on(remote, 'message', { signal: failed.signal });
  return async () => {
    const { value } = (await views.next()) as { value: [string] }; // what the process sends
    return deserialize(Buffer.from(value[0], 'base64')) as ViewState;
  };
}

it('a session has one view: live, in a process that joined in its middle, and recorded', async () => {
  const [middle, held] = [createGate(), createGate()];
  const { troupe, cwd, home, text } = await createTroupe(play(middle, held), {
    permissions: ASK_FIRST,
    files: { 'note.txt': 'a note' },
  });
  const control = await openControlSocket(troupe, { home, cwd });
  onTestFinished(() => control.close());
  troupe.approvals.onRequest(waitForAnother, { by: 'its own terminal' });
  const session = troupe.session({ prompt: 'go' });
  const over = new AbortController();
  const follow = async (): Promise<ViewState> => {
    const view = viewSession(session.directory);
    while (!over.signal.aborted) {
      await view.next();
      await wait(20);
    }
    return view.next();
  };
  const live = follow();

  await middle.opened;
  const next = startRemote(home, session.sessionId);
  const early = await next();
  held.open();
  expect(await session.result).toBe('Done.');
  await troupe.close();
  await control.close();
  over.abort();

  const recorded = await viewSession(session.directory).next();
  const [main] = recorded.agents.values();
  expect(main?.dropped).toBeGreaterThan(0);
  expect([...recorded.agents.values()].map(({ endedAs }) => endedAs)).toEqual(
    Array.from({ length: 4 }, () => 'completed'),
  );
  expect([...recorded.decisions.values()].filter(({ by }) => by === 'another')).toHaveLength(1);
  const calls = [...recorded.agents.values()].flatMap((agent) => [...agent.calls.values()]);
  expect(calls.find(({ tool }) => tool === 'Bash')?.result).toMatchObject({ isError: false });
  expect(await text('asked')).toBe('');
  expect([...early.agents.values()].map(({ endedAs }) => endedAs)).not.toEqual(
    [...recorded.agents.values()].map(({ endedAs }) => endedAs),
  );
  expect(inOrder(await live)).toEqual(inOrder(recorded));
  expect(inOrder(await next())).toEqual(inOrder(recorded));
});
