import { describe, expect, it } from 'vitest';
import { followJournal } from '../../src/api/sessions/follow-journal.js';
import { plainMessage } from '../../src/view/plain-message.js';
import { selectBoard } from '../../src/view/select-board.js';
import { selectTree } from '../../src/view/select-tree.js';
import { NO_VIEW, reduceView, type ViewState } from '../../src/view/view-state.js';
import { createFiles } from '../support/files.js';
import { writeResult, writeSession, writeTurn } from '../support/past-session.js';

const todo = (id: string, subject: string, more: object = {}) => ({
  id,
  subject,
  description: subject,
  status: 'pending' as const,
  blockedBy: [],
  ...more,
});

/** The state of a session of one agent. */
async function viewOf(write: (session: ReturnType<typeof writeSession>) => void) {
  const home = await createFiles({});
  const session = writeSession(home, { cwd: home });
  write(session);
  await session.journal.close();
  return reduceView(NO_VIEW, await followJournal(session.directory).next());
}

const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const openCalls = (state: ViewState) =>
  selectTree(state, () => 0).map(({ calls }) => calls.map(({ id }) => id));

describe('the selectors of a view', () => {
  it('have the lists of teams, and that of an agent as it wrote it last', async () => {
    const todos = (status: string) => [{ content: 'Read', status, activeForm: 'Reading' }];
    const state = await viewOf((session) => {
      session.journal.append('teams/red.jsonl', {
        type: 'team.created',
        name: 'red',
        lead: session.agentId,
      });
      session.journal.append('teams/red.jsonl', {
        type: 'tasks.changed',
        by: 'ann',
        changed: [todo('1', 'Build', { owner: 'ann' }), todo('2', 'Test', { blockedBy: ['1'] })],
        deleted: [],
      });
      writeTurn(session, 1, [use('t1', 'TodoWrite', { todos: todos('pending') })]);
      writeResult(session, 1, 't1', 'Written.');
      writeTurn(session, 2, [use('t2', 'TodoWrite', { todos: todos('completed') })]);
      writeResult(session, 2, 't2', 'Written.');
      writeTurn(session, 3, [use('t3', 'TodoWrite', { todos: todos('pending') })]); // not written yet
    });
    expect(selectBoard(state)).toEqual([
      {
        name: 'red',
        items: [todo('1', 'Build', { owner: 'ann' }), todo('2', 'Test', { blockedBy: ['1'] })],
      },
      { name: 'main', items: [{ id: '1', subject: 'Read', status: 'completed', blockedBy: [] }] },
    ]);
  });

  it('have the tool calls without a result', async () => {
    const call = (id: string) => use(id, 'Bash', { command: 'true' });
    const state = await viewOf((session) => {
      writeTurn(session, 1, [call('t1'), call('t2'), call('t3')]);
      writeResult(session, 1, 't2', 'Done.');
    });
    expect(openCalls(state)).toEqual([['t1', 't3']]);
  });

  it('have messages without the tags that frame them for the model', () => {
    const notification = [
      '<task-notification>',
      '<task-id>a1</task-id>',
      '<kind>local_agent</kind>',
      '<status>completed</status>',
      '<description>Review</description>',
      '<result>All is\nwell.</result>',
      '<output-file>/tmp/o</output-file>',
      '</task-notification>',
    ].join('\n');
    expect(
      [
        notification,
        '<message from="main" summary="a">\nUse <b>tabs</b>.\n</message>',
        'Plain <message> text.',
      ].map(plainMessage),
    ).toEqual(['Review: completed\nAll is\nwell.', 'Use <b>tabs</b>.', 'Plain <message> text.']);
  });
});
