import { dirname, join } from 'node:path';
import { z } from 'zod';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import type { Orchestrator } from '../../../src/actors/contract/orchestrator.js';
import type { SessionId } from '../../../src/core/ids.js';
import type { TaskOutcome } from '../../../src/core/task-types.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { createRandom, type Random } from '../../e2e/support/soak/random.js';
import { uniqueSeconds } from '../../processes/processes.js';
import { allLines, writeCut } from '../cut-journal.js';
import { allActors } from '../inspected.js';
import { ALLOW_ALL, createFolder, defineAgent } from '../troupe.js';
import { createTeamPlayer, type TeamPlan } from './play-teams.js';

/** The end of a run: by itself, by the close of its orchestrator, or so and then resumed; `cut`: resumed from a line in the middle. */
export type Ending = 'whole' | 'closed' | 'resumed' | 'cut';

/** The results of a run, besides its journal. */
export type TeamRun = {
  readonly plan: TeamPlan;
  readonly ending: Ending;
  readonly directory: string;
  /** Whether the session came to its own end. */
  readonly isDone: boolean;
  /** Actors that the orchestrator still had when all had ended. */
  readonly left: readonly string[];
  readonly kills: number;
  /** Messages of the program that were accepted, as the program saw. */
  readonly sent: readonly string[];
};

/** How much work the teams of a run have. */
type RunSize = 'small' | 'full';

const MOST_KILLS = 12;
/** A session that takes longer waits for what never comes. */
const MOST_SECONDS = 25;

/**
 * One run: teams that work on their lists while tools crash, tasks are killed and messages come too late.
 *
 * @throws Error a session does not end: what each of its actors waits for
 */
export async function runTeams(seed: number, size: RunSize): Promise<TeamRun> {
  const random = createRandom(seed);
  const plan = planTeams(seed, size, random);
  const ending = endingOf(seed);
  const player = createTeamPlayer(plan, random);
  const cwd = await createFolder();
  let newest = 0;
  const now = (): number => (newest = Math.max(Date.now(), newest + 1)); // no time twice
  const open = (home: string): Orchestrator =>
    createOrchestrator({
      cwd,
      home,
      now,
      model: createScriptedModel((request) => player.reply(request)),
      agents: [defineAgent('worker'), defineAgent('helper')],
      tools: [createCrashTool(random)],
      permissions: ALLOW_ALL,
      graceMs: 10,
    });
  const disturber = createDisturber(random, player.newLetter);
  const home = await createFolder();
  const first = open(home);
  const session = first.session({ prompt: 'Go.' });
  disturber.attach(session);
  if (ending !== 'whole') closeAfter(first, session, 10 + random.below(60));
  const outcome = await outcomeOf(session, first);
  const left = await closeAndLook(first);
  const result = { plan, ending, left, isDone: outcome.status === 'completed' };
  if (ending === 'whole' || ending === 'closed')
    return { ...result, directory: session.directory, ...disturber.done() };

  const next = ending === 'cut' ? await createFolder() : home;
  const directory = ending === 'cut' ? cut(session, next, random) : session.directory;
  player.forget();
  const second = open(next);
  const again = second.session({ resume: session.sessionId, prompt: 'Continue.' });
  const end = await outcomeOf(again, second);
  const stay = await closeAndLook(second);
  const isDone = end.status === 'completed';
  return { ...result, isDone, left: [...left, ...stay], directory, ...disturber.done() };
}

function planTeams(seed: number, size: RunSize, random: Random): TeamPlan {
  const count = 1 + random.below(3);
  const jobs = size === 'full' ? 10 + random.below(31) : 8 + random.below(9);
  return {
    seed,
    seconds: uniqueSeconds(),
    teams: Array.from({ length: count }, (_, index) => ({
      name: `crew${index}`,
      members: 3 + random.below(size === 'full' ? 6 : 3),
      jobs: Math.ceil(jobs / count),
    })),
  };
}

function endingOf(seed: number): Ending {
  const last = seed % 10;
  return last < 6 ? 'whole' : last < 7 ? 'closed' : last < 8 ? 'resumed' : 'cut';
}

/** Leaves what a process that died somewhere behind the first reply would have left. */
function cut({ sessionId, directory: from, agentId }: SessionHandle, home: string, random: Random) {
  const lines = allLines(from);
  const own = `agent-${agentId ?? ''}.jsonl`;
  const first = lines.findIndex(({ file }) => file === own) + 1;
  const project = dirname(from).split('/').at(-1) ?? '';
  const to = join(home, 'projects', project, sessionId satisfies SessionId);
  writeCut(from, to, lines.slice(0, first + random.below(lines.length - first)));
  return to;
}

function closeAfter(troupe: Orchestrator, { events }: SessionHandle, replies: number): void {
  let left = replies;
  events.on('agent.sampled', () => {
    left -= 1;
    if (left === 0) void troupe.close('enough');
  });
}

async function outcomeOf({ outcome }: SessionHandle, troupe: Orchestrator): Promise<TaskOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const waits = allActors(troupe.inspect()).flatMap(({ kind, label, state, waitingFor }) =>
        kind === 'orchestrator'
          ? []
          : [`${kind} ${label} is ${state}, waits for ${waitingFor.join(', ') || 'nothing'}`],
      );
      reject(new Error(`It does not end within ${MOST_SECONDS} s:\n${waits.join('\n')}`));
      void troupe.close('too late');
    }, MOST_SECONDS * 1_000);
  });
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function closeAndLook(troupe: Orchestrator): Promise<readonly string[]> {
  await troupe.close();
  return allActors(troupe.inspect())
    .filter(({ kind }) => kind !== 'orchestrator')
    .map(({ kind, id, state }) => `${kind} ${id} is ${state}`);
}

/** Kills members, helpers and commands, and writes to any of them, also to those that it has just killed. */
function createDisturber(random: Random, newLetter: () => string) {
  const sent: string[] = [];
  let kills = 0;
  const disturb = (session: SessionHandle): void => {
    const live = session
      .tasks()
      .filter(({ type, status }) => type !== 'session' && ['pending', 'running'].includes(status));
    const victim = live[random.below(live.length)];
    if (victim === undefined) return;
    const task = session.task(victim.id);
    const send = (): void => {
      const letter = newLetter();
      task?.send(letter).then(
        () => sent.push(letter),
        () => {}, // it has ended, or reads nothing
      );
    };
    const choice = random.below(100);
    if (choice < 4) send();
    if (choice < 2 || choice >= 94) {
      if (kills >= MOST_KILLS) return;
      kills += 1;
      void task?.kill('by chance');
      if (choice < 97) send();
    }
  };
  return {
    attach(session: SessionHandle): void {
      for (const name of ['agent.sampled', 'task.status'] as const)
        session.events.on(name, () => {
          setImmediate(disturb, session);
        });
    },
    done: () => ({ kills, sent }),
  };
}

function createCrashTool(random: Random) {
  return buildTool({
    name: 'Crash',
    inputSchema: z.object({}),
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    call: () => {
      const choice = random.below(4);
      if (choice === 0) throw new Error('It broke at once.');
      if (choice === 1) return Promise.reject(new Error('It broke later.'));
      if (choice === 2) return Promise.reject(new TypeError('Cannot read properties of undefined'));
      return Promise.resolve({ data: 'It held.' });
    },
  });
}
