import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { AssistantMessage, ToolResultBlock, ToolUseBlock } from '../../src/core/messages.js';
import type { AgentEntry } from '../../src/journal/agent-entries.js';
import type { FakeMessagesApi } from '../../src/testing/fake-messages-api.js';
import { createGate } from '../support/gate.js';
import { until } from '../tools/shell/processes.js';
import { agent, answer, bash, firstPrompt, textOf, write } from './support/answers.js';
import { agentJournals, journalLines } from './support/journal-files.js';
import { it, type Place } from './support/place.js';

/** Two agents that leave a trace with every tool; requests from `holdFrom` on are never answered. */
async function startTraced(place: Place, { holdFrom = Infinity }: { holdFrom?: number } = {}) {
  const held = createGate();
  const play = answer({
    go: [
      {
        text: 'First.',
        tools: [write(place.at('a.txt'), 'a'), bash('echo go-1 >> trace.log'), agent('below')],
      },
      { tools: [bash('echo go-2 >> trace.log'), write(place.at('c.txt'), 'c')] },
      { text: 'Done.' },
    ],
    below: [
      { tools: [write(place.at('b.txt'), 'b'), bash('echo below-1 >> trace.log')] },
      { text: 'Below.' },
    ],
  });
  const api = await place.api({
    handler(request) {
      if (request.index < holdFrom) return play(request);
      held.open();
      return { connection: 'silent' };
    },
  });
  const troupe = place.start(['-p', 'go', '--permission-mode', 'bypassPermissions'], {
    api,
    env: { IS_SANDBOX: '1' },
  });
  return { api, troupe, held: held.opened };
}

type Step = { readonly key: string; readonly use: ToolUseBlock };

function doneOf(entries: readonly AgentEntry[]): ReadonlyMap<string, unknown> {
  return new Map(
    entries.flatMap((entry) => (entry.type === 'step.done' ? [[entry.key, entry.result]] : [])),
  );
}

/** What the journal says had happened, had happened; what was seen outside, the journal says. */
async function expectTrueJournal(place: Place, api: FakeMessagesApi): Promise<void> {
  const session = await place.session();
  const journals = await agentJournals(session); // every whole line can be read
  await journalLines(session, 'tasks.jsonl');
  if (readdirSync(session).includes('audit.jsonl')) await journalLines(session, 'audit.jsonl');

  const traces = place.has('trace.log') ? (await place.text('trace.log')).trim().split('\n') : [];
  expect(new Set(traces).size, 'no command ran twice').toBe(traces.length);
  const begun: Step[] = [];
  for (const entries of journals.values()) {
    const done = doneOf(entries);
    for (const [index, entry] of entries.entries()) {
      if (entry.type !== 'step.begun') continue;
      const use = entry.note as ToolUseBlock; // what is noted of a tool that is about to run
      begun.push({ key: entry.key, use });
      const at = entries.findIndex(
        ({ type, ...rest }) => type === 'step.done' && 'key' in rest && rest.key === entry.key,
      );
      if (at !== -1) expect(at, 'begun before done').toBeGreaterThan(index);
      const result = done.get(entry.key) as ToolResultBlock | undefined;
      if (result === undefined || result.is_error === true) continue;
      const { file_path: path, content, command = '' } = use.input as Record<string, string>;
      if (use.name === 'Write') expect(readFileSync(path ?? '', 'utf8')).toBe(content);
      if (use.name === 'Bash') expect(traces).toContain(/echo (\S+)/.exec(command)?.[1]);
    }
  }
  expect(new Set(begun.map(({ key }) => key)).size, 'begun once').toBe(begun.length);
  const noted = JSON.stringify(begun.map(({ use }) => use.input));
  for (const trace of traces) expect(noted).toContain(`echo ${trace} `);
  for (const name of ['a.txt', 'b.txt', 'c.txt'])
    if (place.has(name)) expect(noted).toContain(place.at(name));

  for (const { body } of api.requests) expectJournaled(body.messages, firstPrompt(body), journals);
}

/** Each message of a request that has arrived is in the journal of its agent. */
function expectJournaled(
  messages: FakeMessagesApi['requests'][number]['body']['messages'],
  prompt: string,
  journals: ReadonlyMap<string, readonly AgentEntry[]>,
): void {
  const entries = [...journals.values()].find((each) =>
    each.some(
      (entry) =>
        entry.type === 'mail.accepted' &&
        entry.envelope.kind === 'prompt' &&
        textOf(entry.envelope.content) === prompt,
    ),
  );
  expect(entries, `the prompt "${prompt}" is in a journal`).toBeDefined();
  const done = doneOf(entries ?? []);
  for (const { role, content } of messages) {
    if (typeof content === 'string') continue;
    for (const block of content) {
      if (block.type === 'tool_result') {
        const result = done.get(`tool:${String(block['tool_use_id'])}`) as ToolResultBlock;
        expect(textOf(result.content)).toBe(textOf(block['content']));
      }
      if (role !== 'assistant' || block.type !== 'tool_use') continue;
      const replies = [...done].filter(([key]) => key.endsWith('/model')).map(([, value]) => value);
      const uses = replies.flatMap(
        (reply) => (reply as { message: AssistantMessage }).message.content,
      );
      expect(uses.some((use) => use.type === 'tool_use' && use.id === block['id'])).toBe(true);
    }
  }
}

/** Lines of all journals of the only session there is, so far. */
function countLines(place: Place): number {
  try {
    const names = readdirSync(place.troupeHome, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => name.endsWith('.jsonl'));
    const texts = files.map((name) => readFileSync(join(place.troupeHome, name), 'utf8'));
    return texts.reduce((count, text) => count + text.split('\n').length - 1, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0; // not begun yet
    throw error;
  }
}

describe.concurrent('kill -9', () => {
  it.for([0, 1, 2, 3, 4])(
    'before the first byte of answer %i leaves a journal that says what had happened',
    async (holdFrom, { place }) => {
      const { api, troupe, held } = await startTraced(place, { holdFrom });
      await held;
      troupe.kill('SIGKILL');
      expect(await troupe.ended).toMatchObject({ signal: 'SIGKILL' });
      expect(api.requests).toHaveLength(holdFrom + 1);
      await expectTrueJournal(place, api);
    },
  );

  it.for([4, 8, 12, 16, 20, 24, 28, 32])(
    'at line %i of the journal leaves a journal that says what had happened',
    async (lines, { place }) => {
      const { api, troupe } = await startTraced(place);
      await until(`line ${lines}`, () => countLines(place) >= lines);
      troupe.kill('SIGKILL');
      await troupe.ended;
      await expectTrueJournal(place, api);
    },
  );

  it('is needed for none of it: the whole run has the same journal', async ({ place }) => {
    const { api, troupe } = await startTraced(place);
    expect(await troupe.ended).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(api.requests).toHaveLength(5);
    expect(countLines(place)).toBeGreaterThan(32);
    await expectTrueJournal(place, api);
  });
});
