import { describe, expect, it } from 'vitest';
import type { SessionHandle } from '../../../src/actors/contract/handles.js';
import type { ModelRequest } from '../../../src/model/model.js';
import type { ScriptedReply } from '../../../src/model/scripted/script.js';
import { allLines } from '../../support/cut-journal.js';
import { userTexts } from '../../support/scripts.js';
import { sendCall, teammateCall } from '../../support/team-script.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

const MEMBERS = 50;
const TASKS = 30;
const isDeep = process.env['TROUPE_DEEP'] !== undefined;

/** The same numbers for the same seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A lead with fifty teammates that write to each other and take tasks as they like, while some are killed. */
async function runCrowd(seed: number) {
  const random = createRandom(seed);
  const names = Array.from({ length: MEMBERS }, (_, index) => `m${index}`);
  const told = new Map<string, readonly string[]>();
  let letters = 0;
  let left = 6 * MEMBERS;
  let kills = 0;
  const letter = () => {
    const to = ['lead', '*', ...names, ...names][random(2 * MEMBERS + 2)] ?? 'lead';
    return sendCall(to, `letter ${(letters += 1)}.`);
  };
  const claim = () => ({
    name: 'TaskUpdate',
    input: {
      taskId: String(1 + random(TASKS)),
      status: random(3) === 0 ? 'completed' : 'in_progress',
    },
  });
  const reply = ({ origin: { agentId, name }, messages }: ModelRequest): ScriptedReply => {
    told.set(agentId, userTexts(messages));
    if (name === 'main') {
      const said = messages.filter(({ role }) => role === 'assistant').length;
      if (said === 0) return { tools: [{ name: 'TeamCreate', input: { team_name: 'crew' } }] };
      if (said === 1)
        return {
          tools: Array.from({ length: TASKS }, (_, index) => ({
            name: 'TaskCreate',
            input: { subject: `task ${index}`, description: 'All of it.' },
          })),
        };
      return said === 2 ? { tools: names.map((one) => teammateCall(one)) } : { text: 'Waiting.' };
    }
    if (left <= 0 || random(3) === 0) return { text: 'Ready.' };
    left -= 1;
    return {
      tools: Array.from({ length: 1 + random(3) }, () => (random(3) === 0 ? claim() : letter())),
    };
  };
  const { troupe } = await createTroupe(reply, { agents: [defineAgent('worker')], graceMs: 100 });
  const session = troupe.session({ prompt: 'Go.' });
  session.events.on('agent.sampled', () => {
    const live = session
      .tasks()
      .filter(({ type, status }) => type === 'in_process_teammate' && status === 'running');
    const victim = random(40) === 0 ? live[random(live.length)] : undefined;
    if (victim === undefined) return;
    kills += 1;
    void session.task(victim.id)?.kill('by chance');
  });
  const outcome = await session.outcome;
  return { session, outcome, told, kills };
}

/** Tasks of the list that went from one owner to another who had not ended by then. */
function takenFromLive(session: SessionHandle): readonly string[] {
  const lines = allLines(session.directory).filter(({ file }) => file === 'teams/crew.jsonl');
  const [team] = session.teams();
  const endOf = new Map(
    session.tasks().map(({ id, endTime }) => {
      const agentId = session.task(id)?.agentId;
      return [agentId === undefined ? undefined : team?.members.get(agentId), endTime] as const;
    }),
  );
  const owners = new Map<string, string>();
  return lines.flatMap(({ fields, timestamp }) =>
    ((fields['changed'] ?? []) as readonly { id: string; owner?: string }[]).flatMap(
      ({ id, owner = '' }) => {
        const before = owners.get(id) ?? '';
        owners.set(id, owner);
        const isLive = before !== '' && (endOf.get(before) ?? Infinity) > timestamp;
        return before !== owner && isLive ? [`#${id} was taken from ${before} by ${owner}`] : [];
      },
    ),
  );
}

describe('a crowd of teammates', () => {
  it.each(isDeep ? Array.from({ length: 20 }, (_, index) => index + 1) : [1])(
    'ends with each message read once or listed as dead, and one owner a task (seed %d)',
    async (seed) => {
      const { session, outcome, told, kills } = await runCrowd(seed);
      expect(outcome.status).toBe('completed');
      expect(session.tasks().filter(({ outcome: end }) => end === undefined)).toEqual([]);
      const mail = session.mail().filter(({ kind }) => kind === 'message');
      const problems: string[] = [];
      const counts = { read: 0, delivered: 0, dead: 0, accepted: 0 };
      const newest = new Map<string, number>();
      for (const { from, to, seq, id, state } of mail) {
        counts[state] += 1;
        const way = `${from} to ${to}`;
        if (seq <= (newest.get(way) ?? -1)) problems.push(`${id} is out of order`);
        newest.set(way, seq);
        const task = session.tasks().find(({ id: one }) => session.task(one)?.agentId === to);
        const wasKilled = task?.outcome?.status === 'killed' && task.outcome.reason === 'by chance';
        if (state !== 'read' && !wasKilled) problems.push(`${id} to ${to} is ${state}`);
      }
      for (const [agentId, texts] of told) {
        const got = texts.filter((text) => text.includes('letter '));
        if (new Set(got).size !== got.length) problems.push(`${agentId} got a message twice`);
        const read = mail.filter(({ to, state }) => to === agentId && state === 'read').length;
        if (got.length < read) problems.push(`${agentId} has read ${read} and got ${got.length}`);
      }
      problems.push(...takenFromLive(session));
      const ids = new Set(mail.map(({ id }) => id));
      if (ids.size !== mail.length) problems.push(`${mail.length - ids.size} numbers twice`);
      console.log(
        `crowd ${seed}: ${mail.length} messages (${JSON.stringify(counts)}), ${kills} kills`,
      );
      expect(problems).toEqual([]);
    },
    60_000,
  );
});
