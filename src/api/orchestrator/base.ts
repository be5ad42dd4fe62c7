import { createPromptSharing } from '../../actors/services/frozen-prompt.js';
import type { AgentId } from '../../core/ids.js';
import { createFilePool } from '../../journal/storage/file-pool.js';
import { createWholeFiles } from '../../journal/storage/keep-whole.js';
import { createFolderSyncs } from '../../journal/storage/sync-rounds.js';
import { createPriceTable } from '../../usage/prices.js';
import { createToolReferences } from '../../model/choice/tool-references.js';
import { createRateLimits } from '../../model/errors/rate-limits.js';
import { createUsageLedger } from '../../usage/usage-ledger.js';
import { createBashGrammar } from '../../tools/shell/bash-grammar.js';
import { createProcessSupervisor } from '../../processes/process-supervisor.js';
import { openSandbox } from '../../processes/sandbox/open-sandbox.js';
import type { Sandbox } from '../../processes/sandbox/sandbox.js';
import type { LiveCaller } from '../../actors/agents/runtime/live-caller.js';
import { createAdmission } from '../../actors/tasks/admission.js';
import type { Settings } from '../../actors/options/settings.js';
import type { SessionDirectory } from '../../actors/sessions/session-directory.js';
import { createTelemetry } from '../../actors/telemetry/telemetry.js';
import { createLiveFollower } from '../../actors/sessions/live-follower.js';
import { createTimers, readingOf } from '../../actors/services/timers.js';

/** Make the parts that need no actor. Nothing is started before its first use. */
export function createBase(
  settings: Settings,
  sessions: SessionDirectory,
  replaceServers: Parameters<typeof createLiveFollower>[2],
) {
  const { env, clock, now, prices, maxConcurrentAgents } = settings;
  const timers = createTimers({
    clock,
    ...(now === undefined ? { now: Date.now, elapsed: monotonicMs } : { now: readingOf(now) }),
  });
  let opened: Sandbox | undefined;
  const sandbox = (): Sandbox | undefined => (opened ??= openSandbox(settings.sandbox, env));
  return {
    timers,
    sandbox,
    processes: createProcessSupervisor({ env, sandbox }),
    bashGrammar: createBashGrammar(),
    ledger: createUsageLedger(createPriceTable(prices)),
    rateLimits: createRateLimits(timers),
    toolReferences: createToolReferences(),
    files: createFilePool(),
    folders: createFolderSyncs(),
    keepWhole: createWholeFiles(),
    sharePrompt: createPromptSharing(),
    agents: new Map<AgentId, LiveCaller>(),
    forgetTask: sessions.forget,
    telemetry: createTelemetry(settings.analytics, timers),
    follower: createLiveFollower(settings, sessions, replaceServers),
    admission:
      maxConcurrentAgents === undefined
        ? undefined
        : createAdmission(maxConcurrentAgents, (id) =>
            sessions.get(id)?.tasks.send(id, { type: 'task.start' }),
          ),
  };
}

/** Unlike `performance.now()`, this loads no module of Node at the start. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
