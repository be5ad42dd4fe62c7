import { describe, expect, it } from 'vitest';
import { createMailbox } from '../../../../src/actors/mail/mailbox.js';
import { rebuildAgent } from '../../../../src/actors/agents/conversation/rebuild.js';
import { createJournaledContext } from '../../../../src/actors/agents/conversation/journaled-context.js';
import { createTimers } from '../../../../src/actors/services/timers.js';
import { createAgentId, createSessionId } from '../../../../src/core/ids.js';
import type { AssistantMessage } from '../../../../src/core/messages.js';
import { AgentEntry } from '../../../../src/journal/entries/agent-entries.js';
import { createJournal } from '../../../../src/journal/journal.js';
import { readJournal } from '../../../../src/journal/read-journal.js';
import type { ModelRequest } from '../../../../src/model/model.js';
import { agentEntries, agentIds } from '../../../support/journals.js';
import { createChangeTool } from '../../../support/probe-tools.js';
import { agentCall, bashCall, playParts } from '../../../support/scripts.js';
import { createSimulatedTime } from '../../../support/simulated-time.js';
import { ASK_FIRST, createFolder, createTroupe, defineAgent } from '../../../support/troupe.js';

describe('an agent that is rebuilt from its journal', () => {
  it('has the same conversation, byte for byte, without a model and without a tool', async () => {
    const newest = new Map<string, string>();
    const script = playParts({
      main: [
        {
          text: 'Starting.',
          tools: [
            agentCall('worker', { background: true, name: 'ann' }),
            bashCall('exit 3'),
            bashCall('echo never'),
            { name: 'Nonsense', input: {} },
          ],
        },
        { tools: [{ name: 'SendMessage', input: { to: 'ann', message: 'Hurry.' } }] },
        { text: 'Waiting.' },
        { thinking: 'Now what?', tools: [{ name: 'Change', input: { what: 'it' } }] },
        { text: 'The next prompt came.' },
      ],
      worker: [{ tools: [bashCall('sleep 0.2'), bashCall('echo hello')] }, { text: 'Report.' }],
    });
    const { tool } = createChangeTool();
    const { troupe } = await createTroupe(
      (request: ModelRequest) => {
        newest.set(request.origin.agentId, JSON.stringify(request.messages));
        return script(request);
      },
      {
        agents: [defineAgent('worker')],
        tools: [tool],
        permissions: { ...ASK_FIRST, alwaysAllowRules: { session: ['Bash'] } },
        canUseTool: () => Promise.resolve({ behavior: 'deny' }), // ends the turn of the own agent
      },
    );
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    await new Promise<void>((resolve) => {
      session.events.on('permission.denied', () => resolve());
    });
    await session.prompt('And then?');
    session.end();
    expect(await session.outcome).toEqual({ status: 'completed', result: 'The next prompt came.' });

    const ids = await agentIds(session);
    expect(ids).toHaveLength(2);
    for (const id of ids) {
      const entries = await agentEntries(session, id);
      const { conversation, resumesTurn, mail } = rebuildAgent(id, entries);
      expect(JSON.stringify(conversation.messages())).toBe(
        withReply(newest.get(id) ?? '', lastReply(entries)),
      );
      expect({ resumesTurn, mail }).toEqual({ resumesTurn: false, mail: [] });
    }
  });

  it('ends its turn if a refusal had ended it', async () => {
    const { tool } = createChangeTool();
    const script = playParts({ main: [{ tools: [{ name: 'Change', input: { what: 'it' } }] }] });
    const { troupe } = await createTroupe(script, {
      tools: [tool],
      permissions: ASK_FIRST,
      canUseTool: () => Promise.resolve({ behavior: 'deny' }),
    });
    const session = troupe.session({ prompt: 'Go.' });
    expect((await session.outcome).status).toBe('completed');
    const [id] = await agentIds(session);
    const { conversation } = rebuildAgent(id ?? '', await agentEntries(session, id ?? ''));
    expect(conversation.messages().map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('says where a journal does not fit', async () => {
    const { troupe } = await createTroupe(playParts({ main: [{ text: 'Done.' }] }));
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    const [id] = await agentIds(session);
    const entries = await agentEntries(session, id ?? '');
    const timestamp = 0;
    const stray = { type: 'step.done', key: 'turn:7/inbox', result: ['mail'], timestamp } as const;
    expect(() => rebuildAgent(id ?? '', [...entries, stray])).toThrow(
      `The agent ${id} became idle before the step turn:7/model of its journal.`,
    );
  });
});

describe('the step context', () => {
  async function openDoor() {
    const id = createAgentId('steps');
    const time = createSimulatedTime();
    const journal = createJournal({
      directory: await createFolder(),
      sessionId: createSessionId(),
      now: time.now,
    });
    const open = (entries: readonly AgentEntry[]) =>
      createJournaledContext({
        id,
        journal,
        inbox: createMailbox(),
        timers: createTimers(time),
        signal: new AbortController().signal,
        emit: () => {},
        entries,
      });
    const read = () => readJournal(journal.pathOf(journal.agentFile(id)), AgentEntry);
    return { open, read };
  }
  const never = (): Promise<string> => new Promise(() => {});
  const unknown = { isHarmless: false, unknownOutcome: 'nobody knows' } as const;

  it('answers a finished step from the journal', async () => {
    const { open, read } = await openDoor();
    expect(await open([]).step('a', () => Promise.resolve('first'), unknown)).toBe('first');
    const again = open(await read());
    expect(again.isDone('a')).toBe(true);
    expect(await again.step('a', () => Promise.resolve('second'), unknown)).toBe('first');
  });

  it('keeps a result that is known at once', async () => {
    const { open, read } = await openDoor();
    expect(open([]).record('a', 'first')).toBe('first');
    expect(open(await read()).record('a', 'second')).toBe('first');
  });

  it('does not run a step again that had begun and may do harm: its outcome is unknown', async () => {
    const { open, read } = await openDoor();
    void open([]).step('a', never, unknown); // and the process dies
    expect((await read()).map(({ type }) => type)).toEqual(['step.begun']);
    const again = open(await read());
    expect(again.isDone('a')).toBe(false);
    expect(await again.step('a', () => Promise.resolve('twice'), unknown)).toBe('nobody knows');
    expect(await open(await read()).step('a', never, unknown)).toBe('nobody knows');
  });

  it('runs a step again that had begun and does no harm', async () => {
    const { open, read } = await openDoor();
    void open([]).step('a', never, { isHarmless: true });
    const entries = await read().catch(() => []); // nothing was written of it
    const again = open(entries);
    expect(await again.step('a', () => Promise.resolve('again'), { isHarmless: true })).toBe(
      'again',
    );
  });
});

function lastReply(entries: readonly AgentEntry[]): AssistantMessage {
  const step = entries.findLast(
    (entry) => entry.type === 'step.done' && entry.key.endsWith('/model'),
  );
  return (step as { result: { message: AssistantMessage } }).result.message; // a model step's
}

function withReply(messages: string, reply: AssistantMessage): string {
  return JSON.stringify([...(JSON.parse(messages) as unknown[]), reply]);
}
