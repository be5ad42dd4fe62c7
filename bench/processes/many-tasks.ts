/** Tasks under one coordinator, as machines alone: each is spawned, does nothing, and ends. */
import { createActor, fromPromise, waitFor, type AnyActorRef } from 'xstate';
import { createTaskId } from '../../src/core/ids.js';
import { lazyLogic } from '../../src/machines/lazy-logic.js';
import { withPreparedSteps } from '../../src/machines/steps/prepared-steps.js';
import { supervisorMachine } from '../../src/machines/task/supervisor.js';
import { taskMachine } from '../../src/machines/task/task.js';
import { startMeter } from '../meter.js';
import { readInput, sendResult } from '../processes.js';

/** `live` of the tasks at a time. */
export type ManyTasksInput = { readonly tasks: number; readonly live: number };
export type ManyTasksResult = {
  /** CPU of one task, its spawn and its end. */
  readonly firstTenthMs: number;
  readonly lastTenthMs: number;
  readonly eachMs: number;
  readonly actorsLeft: number;
};

const { tasks, live } = readInput<ManyTasksInput>();
const child = lazyLogic(() => childTask);
const kinds = { local_agent: child, local_bash: child };
const supervisor = withPreparedSteps(supervisorMachine.provide({ actors: kinds }));
const actions = { sweep: ({ self }: { self: AnyActorRef }) => self.send({ type: 'task.swept' }) };
const childTask = withPreparedSteps(
  taskMachine.provide({
    actors: { work: fromPromise(() => Promise.resolve({ status: 'completed', result: 'ok' })) },
    actions,
  }),
);
const coordinator = createActor(
  withPreparedSteps(
    taskMachine.provide({
      actors: {
        work: fromPromise(() => new Promise(() => {})),
        supervisor: lazyLogic(() => supervisor),
        ...kinds,
      },
      actions: { ...actions, tellParent: () => {} },
    }),
  ),
  { input: taskOf() },
).start();
coordinator.send({ type: 'task.start' });

const tenth = tasks / 10;
await run(Math.max(live, 2_000)); // to warm up
const meter = startMeter();
for (let part = 0; part < 10; part += 1) {
  await run(tenth);
  meter.cut();
}
const parts = meter.stretches.map(({ cpuMs }) => cpuMs / tenth);
const left = Object.keys(coordinator.getSnapshot().children);
await sendResult<ManyTasksResult>({
  firstTenthMs: parts[0] ?? NaN,
  lastTenthMs: parts.at(-1) ?? NaN,
  eachMs: parts.reduce((sum, part) => sum + part, 0) / parts.length,
  actorsLeft: left.length - 1, // all but its work
});
process.exit();

async function run(count: number): Promise<void> {
  for (let done = 0; done < count; done += live) {
    for (let index = 0; index < Math.min(live, count - done); index += 1)
      coordinator.send({ type: 'task.spawn', task: taskOf() });
    await waitFor(coordinator, ({ context }) => {
      const { children, supervisors } = context;
      return children.length + Object.keys(supervisors).length === 0;
    });
  }
}

function taskOf() {
  return {
    id: createTaskId('local_agent'),
    kind: 'local_agent',
    description: 'a task',
    depth: 1,
    isBackgrounded: true,
    spec: undefined,
  } as const;
}
