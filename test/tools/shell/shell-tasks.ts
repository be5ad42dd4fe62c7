import { once } from 'node:events';
import { join } from 'node:path';
import { createTaskId, type TaskId } from '../../../src/core/ids.js';
import type { TaskOutcome } from '../../../src/core/task-types.js';
import { createProcessSupervisor } from '../../../src/processes/process-supervisor.js';
import type { Sandbox } from '../../../src/processes/sandbox/sandbox.js';
import type { TaskCapabilities } from '../../../src/tools/capabilities/task-capabilities.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Tasks that run each shell with its own supervisor; `close` ends the remaining ones. */
export function createShellTasks(folder: string, env: Env, sandbox?: () => Sandbox | undefined) {
  const processes = createProcessSupervisor({
    env,
    temporaryFolder: folder,
    ...(sandbox && { sandbox }),
  });
  const tasks = new Map<TaskId, { end: AbortController; outcome: Promise<TaskOutcome> }>();
  const unused = () => Promise.reject(new Error('not asked for here'));
  const capabilities: TaskCapabilities = {
    async spawn(request) {
      if (request.kind !== 'local_bash') throw new Error('only shells are started here');
      const { command, cwd, timeoutMs, workspace, isBackgrounded } = request;
      const id = createTaskId('local_bash');
      const outputFile = join(folder, `${id}.output`);
      const end = new AbortController();
      const outcome = processes
        .run({
          taskId: id,
          command,
          cwd,
          timeoutMs: isBackgrounded ? 600_000 : timeoutMs,
          workspace,
          env,
          outputFile,
          onOutput: (text) => request.onProgress?.(text),
          signal: end.signal,
        })
        .then((result): TaskOutcome => ({ status: 'completed', result }));
      outcome.catch(() => {}); // each waiting caller gets the error
      tasks.set(id, { end, outcome });
      return { id, outputFile };
    },
    waitFor: (id, signal) =>
      Promise.race([
        tasks.get(id)!.outcome,
        once(signal, 'abort').then(() => Promise.reject(signal.reason as Error)),
      ]),
    waitInForeground: (id, signal) => capabilities.waitFor(id, signal),
    async kill(id, reason) {
      tasks.get(id)!.end.abort(reason);
      return tasks.get(id)!.outcome;
    },
    find: () => undefined,
    list: () => [],
    readOutput: unused,
    takenOutput: () => 0,
    takeOutput: () => undefined,
    send: unused,
  };
  return {
    capabilities,
    /** The processes of shells that run now. */
    live: processes.list,
    close: async () => {
      await processes.close();
    },
  };
}
