import { appendFile, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it, type TestContext } from 'vitest';
import { followJournal } from '../../src/api/sessions/follow-journal.js';
import { createPast } from '../../src/view/past.js';
import { selectMessages } from '../../src/view/select-messages.js';
import { selectRequests } from '../../src/view/select-requests.js';
import { selectStatecharts } from '../../src/view/select-statecharts.js';
import { selectTimeline, type Stretch } from '../../src/view/select-timeline.js';
import { selectTree, type TreeNode } from '../../src/view/select-tree.js';
import { selectUsage } from '../../src/view/select-usage.js';
import type { ViewEvent } from '../../src/view/view-event.js';
import { NO_VIEW, reduceView, type ViewState } from '../../src/view/view-state.js';

const FIXTURES = join(import.meta.dirname, '../fixtures/recorded-sessions');
const RECORDED = [
  'background',
  'compacted',
  'continued',
  'killed-below',
  'killed-in-command',
  'team',
  'workflow',
];

const eventsOf = (name: string): Promise<readonly ViewEvent[]> =>
  followJournal(join(FIXTURES, name, 'session')).next();

/** A copy of the recorded session, removed when the test ends. */
async function copyOf(name: string, onTestFinished: TestContext['onTestFinished']) {
  const directory = await mkdtemp(join(tmpdir(), 'view-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await cp(join(FIXTURES, name, 'session'), directory, { recursive: true });
  return directory;
}

const viewOf = async (name: string): Promise<ViewState> =>
  reduceView(NO_VIEW, await eventsOf(name));

function fileOf(event: ViewEvent): string {
  if (event.file === 'agent') return event.agentId;
  return event.file === 'team' ? event.team : event.file;
}

/** The events of several files, mixed by choices; each file keeps its order. */
function mix(
  events: readonly ViewEvent[],
  choose: (count: number) => number,
): readonly ViewEvent[] {
  const queues = new Map<string, ViewEvent[]>();
  for (const event of events)
    queues.set(fileOf(event), [...(queues.get(fileOf(event)) ?? []), event]);
  const mixed: ViewEvent[] = [];
  while (mixed.length < events.length) {
    const filled = [...queues.values()].filter((queue) => queue.length > 0);
    mixed.push(...(filled[choose(filled.length)]?.splice(0, 1) ?? []));
  }
  return mixed;
}

function onDay(event: ViewEvent, day: number): ViewEvent {
  if (event.file === 'damaged') return event;
  const entry = { ...event.entry, timestamp: event.entry.timestamp + day * 86_400_000 };
  return { ...event, entry } as ViewEvent; // of the same file
}

/** The maps as lists: their order counts. */
function inOrder({ agents, teams, tasks, decisions, ...rest }: ViewState): object {
  const lists = { tasks: [...tasks], decisions: [...decisions], teams: [...teams] };
  return { ...rest, ...lists, agents: [...agents] };
}

/** One line for each task: kind, name, status, activity of its agent, tokens of its replies. */
function outline(nodes: readonly TreeNode[], depth = 0): readonly string[] {
  return nodes.flatMap(({ task: { state }, agent, own, total, children }) => [
    [
      '  '.repeat(depth) + state.type,
      state.description,
      state.status,
      agent?.activity ?? '-',
      `${own.usage.output_tokens}/${total.usage.output_tokens}`,
    ].join(' · '),
    ...outline(children, depth + 1),
  ]);
}

describe('the view of a recorded session', () => {
  it.each(RECORDED)('is the same in all batches and all orders of its files: %s', async (name) => {
    const events = await eventsOf(name);
    const whole = inOrder(reduceView(NO_VIEW, events));
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const next = (count: number): number => numbers.next().value % count;
        const mixed = mix(events, next);
        let state = NO_VIEW;
        for (let from = 0, size = 0; from < mixed.length; from += size) {
          size = 1 + next(9);
          state = reduceView(state, mixed.slice(from, from + size));
        }
        expect(inOrder(state)).toEqual(whole);
      }),
      { numRuns: 10 },
    );
  });

  it.each(RECORDED)('keeps the same part of it in all batches: %s', async (name) => {
    const events = await eventsOf(name);
    const bound = { entries: 2, costOf: () => 0.1 };
    const whole = reduceView(NO_VIEW, events, bound);
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const next = (count: number): number => numbers.next().value % count;
        const mixed = mix(events, next);
        let state = NO_VIEW;
        for (let from = 0, size = 0; from < mixed.length; from += size) {
          size = 1 + next(9);
          state = reduceView(state, mixed.slice(from, from + size), bound);
        }
        expect(inOrder(state)).toEqual(inOrder(whole));
      }),
      { numRuns: 10 },
    );
    const full = reduceView(NO_VIEW, events);
    const numbers = (state: ViewState) =>
      [...state.agents.values()].map(({ id, dropped, items }) => [id, dropped + items.length]);
    expect(numbers(whole)).toEqual(numbers(full));
    const costs = selectUsage(whole, () => 0.1).byModel.map(({ usage, requests }) => [
      usage,
      requests,
    ]);
    expect(costs).toEqual(
      selectUsage(full, () => 0.1).byModel.map(({ usage, requests }) => [usage, requests]),
    );
  });

  it('has a tree of tasks with the activities and the tokens of their agents', async () => {
    const trees = ['killed-below', 'team', 'workflow'].map(async (name) =>
      outline(selectTree(await viewOf(name), () => undefined)),
    );
    expect(await Promise.all(trees)).toEqual([
      [
        'session · main · running · acting · 32/43',
        '  local_bash · echo go-1 >> trace.log · completed · - · 0/0',
        '  local_agent · below · running · sampling · 11/11',
        '    local_bash · echo below-1 >> trace.log · completed · - · 0/0',
      ],
      [
        'session · main · running · idle · 54/54',
        '  in_process_teammate · ann · running · sampling · 0/0',
      ],
      [
        'session · main · running · starting · 0/0',
        '  local_workflow · long · running · starting · 0/0',
        '    local_agent · first · completed · ended · 0/0',
        "      local_bash · echo 'it'\\''s ${{ me }}' | tee -a log · completed · - · 0/0",
        '    local_agent · each 1/2 · completed · ended · 0/0',
        "      local_bash · echo '1' 'it'\\''s ${{ me }}' >> log · completed · - · 0/0",
        '    local_agent · each 2/2 · completed · ended · 0/0',
        "      local_bash · echo '2' 'it'\\''s ${{ me }}' >> log · completed · - · 0/0",
        '    local_agent · wait · running · acting · 0/0',
        '      local_bash · test -e go || sleep 9458002020 · running · - · 0/0',
      ],
    ]);
  });

  it('has the conversation of an agent, with each call and its result', async () => {
    const state = await viewOf('background');
    const [agent] = state.agents.values();
    const said = agent?.items.map((item) => {
      if (item.type !== 'call')
        return `${item.type}: ${'text' in item ? item.text.split('\n')[0] : ''}`;
      const call = agent.calls.get(item.id);
      return `call: ${String(call?.tool)} ${String(call?.result?.isError)} ${String(state.decisions.get(item.id)?.behavior)}`;
    });
    expect(said).toEqual([
      'message: go',
      'call: Bash false allow',
      'call: Bash true deny',
      'text: Begun.',
      'message: <task-notification>',
      'text: Ended.',
    ]);
  });

  it('has the time of an agent: activities, calls, waits for decisions', async () => {
    const state = await viewOf('background');
    const [agent] = state.agents.values();
    const stretches = agent === undefined ? [] : selectTimeline(state, agent);
    const start = stretches[0]?.from ?? 0;
    const shown = ({ kind, label, from, to, outcome }: Stretch): string =>
      [kind, label, from - start, to === undefined ? '…' : to - start, outcome].join(' ').trim();
    expect(stretches.map(shown)).toEqual([
      'starting  0 6',
      'sampling  6 39',
      'call Bash 32 89 done',
      'call Bash 37 97 denied',
      'acting  39 97',
      'decision Bash 93 96 denied',
      'sampling  97 905',
      'idle  905 905',
      'sampling  905 909',
      'idle  909 911',
    ]);
  });

  it('has the messages with their times, and the use by agent and by model', async () => {
    const state = await viewOf('team');
    const nameOf = (id: string): string => state.agents.get(id)?.name ?? id;
    const messages = selectMessages(state).map(
      ({ kind, from, to, seenAt }) =>
        `${kind}: ${nameOf(from)} → ${nameOf(to)}, ${seenAt === undefined ? 'not seen' : 'seen'}`,
    );
    expect(messages).toEqual([
      'prompt: user → main, seen',
      'prompt: main → ann, seen',
      'message: main → ann, not seen',
    ]);
    const { byAgent, byModel } = selectUsage(state, () => 0.5);
    const used = [
      ...byAgent.map(
        ({ agent: { name }, requests, usd }) => `${name}: ${requests}, ${String(usd)}`,
      ),
      ...byModel.map(({ model, requests, usd }) => `${model}: ${requests}, ${String(usd)}`),
    ];
    expect(used).toEqual(['main: 4, 2', 'claude-sonnet-5-5: 4, 2']);
  });

  it('has the machines of an agent with their last transitions', async () => {
    const state = await viewOf('background');
    const [task] = state.tasks.values();
    const charts = task === undefined ? [] : selectStatecharts(state, task);
    const shown = charts.map(({ machine, name, active, transitions }) => [
      `${machine} ${name}: ${active}`,
      ...transitions.map(({ from, to }) => `${from} → ${to}`),
    ]);
    expect(shown).toEqual([
      [
        'agent main: done',
        'living.idle → done',
        'living.sampling → living.idle',
        'living.idle → living.sampling',
        'living.sampling → living.idle',
        'living.acting → living.sampling',
        'living.sampling → living.acting',
        'living → living.sampling',
      ],
      ['task main: completed', 'running → completed'],
      ['toolCall Bash: completed', 'deciding.asking → completed', 'queued → deciding.asking'],
    ]);
  });

  it.each(RECORDED)(
    'has the state of each earlier time: that of the lines up to it: %s',
    async (name) => {
      const events = await eventsOf(name);
      const repeats = Math.ceil(5_000 / events.length); // more than one kept state
      const many = Array.from({ length: repeats }, (_, day) =>
        events.map((event) => onDay(event, day)),
      ).flat();
      for (const lines of [events, many]) {
        const past = createPast(lines);
        const times = lines.flatMap((event) =>
          event.file === 'damaged' ? [] : event.entry.timestamp,
        );
        fc.assert(
          fc.property(fc.constantFrom(...times), fc.constantFrom(-1, 0, 1), (one, off) => {
            const time = one + off;
            const until = lines.filter(
              (event) => event.file === 'damaged' || event.entry.timestamp <= time,
            );
            expect(inOrder(past.at(time))).toEqual(inOrder(reduceView(NO_VIEW, until)));
            const after = times.filter((other) => other > time);
            const before = times.filter((other) => other < time);
            expect([past.next(time, -1), past.next(time, 1)]).toEqual([
              before.length === 0 ? undefined : Math.max(...before),
              after.length === 0 ? undefined : Math.min(...after),
            ]);
          }),
          { numRuns: lines === events ? 20 : 5 },
        );
      }
    },
  );

  it('has the state of an earlier time: the lines up to it', async () => {
    const events = await eventsOf('background');
    const asked = events.find((event) => event.file === 'audit' && event.entry.behavior === 'ask');
    const until = asked?.file === 'audit' ? asked.entry.timestamp : 0;
    const earlier = events.filter(
      (event) => event.file === 'damaged' || event.entry.timestamp <= until,
    );
    const waiting = selectRequests(reduceView(NO_VIEW, earlier));
    expect(waiting.map(({ toolName, input, askedAt }) => ({ toolName, input, askedAt }))).toEqual([
      {
        toolName: 'Bash',
        input: expect.objectContaining({ command: 'touch /etc/never' }) as object,
        askedAt: until,
      },
    ]);
    expect(selectRequests(reduceView(NO_VIEW, events))).toEqual([]);
  });

  it('names a file that cannot be read once, and has all others', async ({ onTestFinished }) => {
    const directory = await copyOf('background', onTestFinished);
    const whole = await followJournal(directory).next();
    const file = join(directory, 'teams', 'folder.jsonl');
    await mkdir(file, { recursive: true });
    const follower = followJournal(directory);
    const [events, later] = [await follower.next(), await follower.next()];
    const message = `${file}: it cannot be read: it is a folder, not a file`;
    expect(events.filter((event) => event.file === 'damaged')).toEqual([
      { file: 'damaged', message },
    ]);
    expect(events.filter((event) => event.file !== 'damaged')).toEqual(whole);
    expect(later).toEqual([]);
  });

  it('names each damaged line by its number, at the cost of that line', async ({
    onTestFinished,
  }) => {
    const directory = await copyOf('background', onTestFinished);
    const file = join(directory, 'tasks.jsonl');
    const whole = (await readFile(file, 'utf8')).split('\n').length - 1;
    const follower = followJournal(directory);
    await follower.next();
    await appendFile(file, '{"broken\n'.repeat(5_000));
    const expected = Array.from({ length: 5_000 }, (_, index) => ({
      file: 'damaged',
      message: `${file}:${whole + 1 + index}: not a JSON object`,
    }));
    expect(await follower.next()).toEqual(expected);
  });
});
