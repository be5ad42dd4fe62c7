import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { followJournal } from '../../src/api/sessions/follow-journal.js';
import type { ModelRequest } from '../../src/model/model.js';
import type { ViewEvent } from '../../src/view/view-event.js';
import { selectTree, type TreeNode } from '../../src/view/select-tree.js';
import { NO_VIEW, reduceView } from '../../src/view/view-state.js';
import { createGate } from '../support/gate.js';
import { createTroupe } from '../support/troupe.js';

const turnsOf = ({ messages }: ModelRequest): number =>
  messages.filter(({ role }) => role === 'assistant').length;

const states = (nodes: readonly TreeNode[]): readonly unknown[] =>
  nodes.map(({ task, agent, children }) => [task.state.type, agent?.activity, states(children)]);

describe('the view of a live session', () => {
  it('grows with its journal, and is at the end the view of the recorded one', async () => {
    const below = createGate();
    const held = createGate();
    const input = { description: 'below', prompt: 'below', subagent_type: 'general-purpose' };
    const { troupe } = await createTroupe(async (request) => {
      const isBelow = JSON.stringify(request.messages[0]).includes('"below"');
      if (!isBelow)
        return turnsOf(request) === 0 ? { tools: [{ name: 'Agent', input }] } : { text: 'Done.' };
      below.open();
      await held.opened;
      return { text: 'Below.' };
    });
    const session = troupe.session({ prompt: 'go' });
    const follower = followJournal(session.directory);
    await below.opened;
    let state = reduceView(NO_VIEW, await follower.next());
    expect(states(selectTree(state, () => 0))).toEqual([
      ['session', 'acting', [['local_agent', 'sampling', []]]],
    ]);
    held.open();
    expect(await session.result).toBe('Done.');
    await troupe.close();
    state = reduceView(state, await follower.next());
    expect(states(selectTree(state, () => 0))).toEqual([
      ['session', 'ended', [['local_agent', 'ended', []]]],
    ]);
    expect(state).toEqual(reduceView(NO_VIEW, await followJournal(session.directory).next()));
  });

  it('is read in parts of any size, and from any position on', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Done, with an ü.' }));
    const { directory, result } = troupe.session({ prompt: 'go' });
    await result;
    await troupe.close();
    const whole = await followJournal(directory).next();
    const read: ViewEvent[] = [];
    let from = {};
    for (let isRead = true; isRead;) {
      const follower = followJournal(directory, { from, mostBytes: 7 });
      const events = await follower.next();
      read.push(...events);
      from = follower.positions();
      isRead = events.length > 0;
    }
    expect(reduceView(NO_VIEW, read)).toEqual(reduceView(NO_VIEW, whole));
    expect(read).toHaveLength(whole.length);
  });

  it('reads a line when it is whole, and names a line that cannot be read', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
    const session = troupe.session({ prompt: 'go' });
    await session.result;
    await troupe.close();
    const follower = followJournal(session.directory);
    await follower.next();
    const file = join(session.directory, 'tasks.jsonl');
    await appendFile(file, '{"half":');
    expect(await follower.next()).toEqual([]);
    await appendFile(file, '1}\n');
    const events = await follower.next();
    expect(events.map((event) => event.file)).toEqual(['damaged']);
    expect(reduceView(NO_VIEW, events).damaged).toEqual([
      expect.stringMatching(/tasks\.jsonl:\d+: "version" is required/),
    ]);
  });
});
