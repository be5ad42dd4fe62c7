import { expect, it, onTestFinished } from 'vitest';
import { createEventBus } from '../../../src/actors/services/event-bus.js';
import { createSessionTasks } from '../../../src/actors/tasks/task-registry.js';
import { createTaskId } from '../../../src/core/ids.js';
import { createJournal } from '../../../src/journal/journal.js';
import { createFolder } from '../../support/troupe.js';

it('nobody hears of the progress of a task that was refused', async () => {
  const now = () => 1;
  const journal = createJournal({ directory: await createFolder(), sessionId: 's', now });
  onTestFinished(() => journal.close());
  const { tasks } = createSessionTasks({
    journal,
    bus: createEventBus(),
    timers: { now },
    earlier: [],
  });
  const heard: string[] = [];
  const task = {
    id: createTaskId('local_bash'),
    kind: 'local_bash',
    description: 'ls',
    depth: 1,
    isBackgrounded: false,
    spec: {},
  } as const;
  const owner = createTaskId('local_agent'); // it has ended
  const refused = tasks.spawn(owner, task, (progress) => void heard.push(progress));
  tasks.foreground.report(task.id, 'early');
  await expect(refused).rejects.toMatchObject({ code: 'TASK_REFUSED' });
  tasks.foreground.report(task.id, 'late');
  expect(heard).toEqual(['early']);
});
