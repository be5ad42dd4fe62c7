/** A tree of agents with stubborn commands: how long a kill takes until nothing of it is left. */
import { readdirSync, readFileSync } from 'node:fs';
import { createOrchestrator, createScriptedModel, isTerminalTaskStatus } from 'troupe';
import { readInput, sendResult } from '../processes.js';
import { withFolder } from '../temporary-folder.js';
import { PERMISSIONS, Wait } from '../troupe-parts.js';

/** One head, below it `groups` agents with `members` each, the first `shells` of which run a command. */
export type KillSubtreeInput = {
  readonly groups: number;
  readonly members: number;
  readonly shells: number;
};
export type KillSubtreeResult = {
  readonly agents: number;
  /** Live processes before the kill, and after it. */
  readonly processes: number;
  readonly left: number;
  readonly wallMs: number;
};

const { groups, members, shells } = readInput<KillSubtreeInput>();
/** Nobody else sleeps for so long. */
const SECONDS = 1_000_000 + process.pid;
const KIND = {
  description: 'Is killed.',
  prompt: 'You are killed.',
  tools: ['Agent', 'Bash', 'Wait'],
};
const spawn = (prompt: string) => ({
  name: 'Agent',
  input: { description: 'below', prompt, subagent_type: 'killed', run_in_background: true },
});
const count = (length: number) => Array.from({ length }, (_, index) => index);
const isShell = (group: number, member: number): boolean => group * members + member < shells;
const wait = { tools: [{ name: 'Wait', input: { ms: 3_600_000 } }] };

await withFolder(async (folder) => {
  const troupe = createOrchestrator({
    cwd: folder,
    home: folder,
    model: createScriptedModel({
      version: 1,
      agents: [
        {
          prompt: '^head$',
          steps: [{ tools: count(groups).map((group) => spawn(`group ${group}`)) }, wait],
        },
        ...count(groups).map((group) => ({
          prompt: `^group ${group}$`,
          steps: [
            {
              tools: count(members).map((member) =>
                spawn(isShell(group, member) ? 'shell' : 'member'),
              ),
            },
            wait,
          ],
        })),
        {
          prompt: '^shell$',
          steps: [
            { tools: [{ name: 'Bash', input: { command: `trap '' TERM; sleep ${SECONDS}; :` } }] },
          ],
        },
        { steps: [wait] },
      ],
    }),
    tools: [Wait],
    agents: [{ name: 'killed', ...KIND }],
    permissions: { ...PERMISSIONS, alwaysAllowRules: { session: ['Agent', 'Bash', 'Wait'] } },
  });
  const session = troupe.session({ agent: 'killed', staysOpen: true });
  const agents = 1 + groups * (1 + members);
  const isThere = new Promise<void>((resolve) => {
    session.events.on('task.status', () => {
      const running = session.tasks().filter(({ status }) => status === 'running');
      const commands = running.filter(({ type }) => type === 'local_bash').length;
      if (commands === shells && running.length === 1 + agents + shells) resolve();
    });
  });
  const head = await session.spawn({ agent: 'killed', prompt: 'head', background: true });
  await isThere;
  while (countSleepers() < shells) await new Promise((resolve) => setTimeout(resolve, 20));
  const processes = countSleepers();
  const startedAt = performance.now();
  await head.kill();
  const wallMs = performance.now() - startedAt;
  const left =
    countSleepers() + session.tasks().filter((one) => !isTerminalTaskStatus(one.status)).length - 1; // the session
  await troupe.close();
  await sendResult<KillSubtreeResult>({ agents, processes, left, wallMs });
});

function countSleepers(): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      const line = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'latin1') : '';
      return line.split('\0').join(' ').startsWith(`sleep ${SECONDS}`);
    } catch {
      return false; // it has just ended
    }
  }).length;
}
