import type { ModelRequest } from '../../../src/model/model.js';
import type { ScriptedReply } from '../../../src/model/scripted/script.js';
import type { Random } from '../../e2e/support/soak/random.js';
import { agentCall, bashCall, newestResults, resultText } from '../scripts.js';
import { newestTold, sendCall, teammateCall } from '../team-script.js';

/** The plan of a run. */
export type TeamPlan = {
  readonly seed: number;
  readonly teams: readonly {
    readonly name: string;
    readonly members: number;
    readonly jobs: number;
  }[];
  /** The seconds that its long commands sleep: no other process of the machine has this number. */
  readonly seconds: number;
};

type Tool = NonNullable<ScriptedReply['tools']>[number];
/** A line of TaskList. */
type Job = { readonly mark: string; readonly id: string; readonly facts: string };

const MOST_DECISIONS = 200;
const update = (taskId: string, input: object): Tool => ({
  name: 'TaskUpdate',
  input: { taskId, ...input },
});

/** Plays all agents of a run: a lead that keeps its teams at work until every job is done, members, and their helpers. */
export function createTeamPlayer({ teams, seconds }: TeamPlan, random: Random) {
  const members = new Map<string, Set<string>>(teams.map(({ name }) => [name, new Set()]));
  const names: string[] = [];
  /** Members by their tasks. */
  const tasks = new Map<string, string>();
  const resting = new Set<string>();
  const dead = new Set<string>();
  const leaving = new Set<string>();
  let [letters, helpers, stops, decisions] = [0, 0, 0, 0];
  const chance = (percent: number): boolean => random.below(100) < percent;
  const oneOf = <T>(items: readonly T[]): T | undefined => items[random.below(items.length)];

  const letter = (): Tool => {
    const to = oneOf(['lead', 'parent', '*', 'nobody', ...names, ...names]) ?? 'lead';
    return sendCall(to, `letter ${(letters += 1)}.`);
  };
  const hire = (team: string): Tool => {
    const name = `m${names.length}`;
    names.push(name);
    members.get(team)?.add(name);
    return teammateCall(name, { team });
  };
  const long = `sh -c 'trap "" TERM; exec sleep '${seconds}`;
  const deed = (): Tool => {
    const choice = random.below(100);
    if (choice < 12) return bashCall(`sleep 0.00${1 + random.below(9)}`);
    if (choice < 15) return { name: 'Bash', input: { command: `sleep ${seconds}`, timeout: 30 } };
    if (choice < 25) return bashCall(chance(50) ? long : `sleep ${seconds}`, { background: true });
    if (choice < 45) return { name: 'Crash', input: {} };
    if (choice < 60 && helpers < 12)
      return agentCall('helper', { name: `h${(helpers += 1)}`, background: chance(50) });
    return letters < 60 ? letter() : { name: 'Crash', input: {} };
  };
  /** Uses that may be refused. */
  const meddle = (id: string): readonly Tool[] => [
    update(id, { description: 'Seen.' }),
    update(id, { status: chance(50) ? 'in_progress' : 'pending' }),
    update(id, { status: 'completed' }),
  ];
  const work = (id: string): ScriptedReply => ({
    tools: [
      ...Array.from({ length: random.below(3) }, deed),
      update(id, { status: 'completed' }),
      { name: 'TaskList', input: {} },
    ],
  });

  const wakeUp = (team: string, lines: readonly Job[]): readonly Tool[] => {
    const live = [...(members.get(team) ?? [])].filter((name) => !dead.has(name));
    const idle = live.filter((name) => resting.has(name));
    const isHeld = lines.some(({ facts }) => idle.some((name) => facts === `(${name})`));
    if (!isHeld && !lines.some(isFree)) return [];
    if (live.length === 0 || (idle.length === 0 && chance(10))) return [hire(team)];
    for (const name of idle) resting.delete(name);
    return idle.map((name) => sendCall(name, `letter ${(letters += 1)}.`));
  };
  const finish = (open: readonly string[]): ScriptedReply => ({
    tools: open.flatMap((team): Tool[] => {
      const live = [...(members.get(team) ?? [])].filter((name) => !dead.has(name));
      const asked = live.filter(() => chance(30));
      return [
        ...asked.map((name) => sendCall(name, { type: 'shutdown_request' })),
        { name: 'TeamDelete', input: { team_name: team } },
      ];
    }),
  });

  const lead = (request: ModelRequest): ScriptedReply => {
    const { messages } = request;
    const said = messages.filter(({ role }) => role === 'assistant').length;
    const results = newestResults(messages).map(resultText);
    const told = newestTold(request);
    for (const [, name = ''] of told.matchAll(/<teammate-idle name="(\w+)"/g)) resting.add(name);
    for (const [, name = ''] of told.matchAll(/not sent: .*?"(\w+)"/g)) dead.add(name);
    for (const [, id = '', name = ''] of told.matchAll(/\bTask: (t\w+)[^]*?Name: (\w+)/g))
      tasks.set(id, name);
    for (const [, id = ''] of told.matchAll(/<task-id>(\w+)</g)) dead.add(tasks.get(id) ?? '');
    if (said === 0)
      return {
        tools: teams.map(({ name }) => ({ name: 'TeamCreate', input: { team_name: name } })),
      };
    if (said === 1)
      return {
        tools: teams.flatMap(({ name, jobs }) =>
          Array.from({ length: jobs }, (_, index): Tool => ({
            name: 'TaskCreate',
            input: { subject: `job ${index}`, description: 'All of it.', team_name: name },
          })),
        ),
      };
    if (said === 2)
      return {
        tools: teams.flatMap(({ name, jobs, members: count }) => [
          ...Array.from({ length: jobs }, (_, index): Tool => {
            const blocker = String(1 + random.below(jobs)); // some are refused: they would go round
            return update(String(index + 1), {
              team_name: name,
              ...(chance(40) && { addBlockedBy: [blocker] }),
            });
          }),
          ...Array.from({ length: count }, () => hire(name)),
        ]),
      };
    const lists = results.filter((text) => text.startsWith('The list "'));
    // what came with a list may be newer than the list: it looks again
    const isNews = /not sent|unknown|Continue|<teammate-idle|<task-notification/.test(told);
    if (lists.length > 0 && !isNews) {
      decisions += 1;
      if (decisions > MOST_DECISIONS) return { text: 'I give up.' };
      const jobs = new Map(lists.map((text) => [/"([^"]+)"/.exec(text)?.[1] ?? '', jobsOf(text)]));
      const unfinished = [...jobs].filter(([, lines]) => lines.some(({ mark }) => mark !== 'x'));
      if (unfinished.length === 0) return finish([...jobs.keys()]);
      const victim = chance(15) && stops < 4 ? oneOf([...tasks.keys()]) : undefined;
      if (victim !== undefined) stops += 1;
      const tools = [
        ...unfinished.flatMap(([team, lines]) => wakeUp(team, lines)),
        ...(victim === undefined ? [] : [{ name: 'TaskStop', input: { task_id: victim } }]),
      ];
      return tools.length === 0 ? { text: 'Waiting.' } : { tools };
    }
    if (results.length > 0 && said > 3 && !isNews) return { text: 'Waiting.' };
    return { tools: teams.map(({ name }) => ({ name: 'TaskList', input: { team_name: name } })) };
  };

  const member = (request: ModelRequest, self: string): ScriptedReply => {
    const told = newestTold(request);
    const results = newestResults(request.messages).map(resultText);
    const id = /shutdown-request id="(ask_\w+)"/.exec(told)?.[1];
    if (id !== undefined) {
      const approve = chance(60);
      if (approve) leaving.add(self);
      const message = { type: 'shutdown_response', request_id: id, approve, reason: 'So I will.' };
      return { tools: [sendCall('lead', message)] };
    }
    if (leaving.has(self)) return { text: 'Bye.' };
    const list = results.findLast((text) => text.startsWith('The list "'));
    if (list !== undefined) {
      const jobs = jobsOf(list);
      const mine = jobs.find(({ mark, facts }) => mark === '>' && facts === `(${self})`);
      if (mine !== undefined) return work(mine.id);
      const free = oneOf(jobs.filter(isFree));
      if (free === undefined) return { text: 'Ready.' };
      const other = chance(15) ? oneOf(jobs) : undefined;
      return {
        tools: [
          ...(other === undefined ? [] : meddle(other.id)),
          update(free.id, { status: 'in_progress' }),
        ],
      };
    }
    const won = results.flatMap(jobsOf).findLast(({ facts }) => facts === `(${self})`);
    return won?.mark === '>' ? work(won.id) : { tools: [{ name: 'TaskList', input: {} }] };
  };

  return {
    reply(request: ModelRequest): ScriptedReply {
      const { name = '', agentType } = request.origin;
      if (agentType === 'helper')
        return request.messages.length === 1 ? { tools: [deed()] } : { text: 'Helped.' };
      return name === 'main' ? lead(request) : member(request, name);
    },
    newLetter: (): string => `letter ${(letters += 1)}.`,
    /** The state and the presence of every agent are unknown: all are woken. */
    forget(): void {
      dead.clear();
      leaving.clear();
      for (const name of names) resting.add(name);
    },
  };
}

function jobsOf(text: string): readonly Job[] {
  return [...text.matchAll(/^\[(.)\] #(\d+) job \d+ ?(.*)$/gm)].map(
    ([, mark = '', id = '', facts = '']) => ({ mark, id, facts }),
  );
}

function isFree({ mark, facts }: Job): boolean {
  if (facts.includes('blocked by')) return false;
  return (mark === ' ' && facts === '') || facts.includes('who has ended');
}
