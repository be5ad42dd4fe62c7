import { emitFrom } from '../../services/event-bus.js';
import { createServerWait, type ServerWait } from './server-wait.js';
import { createUseClassifier, type UseClassifier } from '../permissions/classify-use.js';
import type { Admit, AdmittedCall } from '../requests/attempt.js';
import type { SamplingServices } from '../requests/sampling-services.js';
import { createCallRuns, type CallRuns } from './call-runs.js';
import type { Caller } from '../parts/caller.js';
import { createToolCalls, type ToolCalls, type ToolCallServices } from './tool-calls.js';

/** A caller at work: its tool calls, from the request to the delivered result. */
export interface ToolCaller {
  readonly parts: Caller;
  readonly calls: ToolCalls;
  readonly runs: CallRuns;
  /** Decides in the mode `auto`. */
  readonly classifier: UseClassifier;
  /** The wait for servers that were still starting: the first call, or request, comes after it. */
  readonly servers: ServerWait;
  /** Add a tool call that waits until it is started. */
  readonly admit: Admit;
  /** Deliver the result of a call. */
  publishResult(toolUseId: string): void;
  /** Stop everything that the caller still runs. */
  tearOff(): void;
}

export type CallerServices = SamplingServices &
  ToolCallServices & {
    /** Resolves when the caller has the tools of servers that were starting when it was made; absent if it has all. */
    readonly equipped?: Promise<unknown> | undefined;
  };

export function createToolCaller(parts: Caller, services: CallerServices): ToolCaller {
  const { conversation, stepContext } = parts;
  const classifier = createUseClassifier(parts, services);
  const calls = createToolCalls(parts, { ...services, classifierName: classifier.name });
  const runs = createCallRuns(calls, services.timers.now);
  const servers = createServerWait(services.equipped);
  const addRun = (call: AdmittedCall): AdmittedCall => {
    runs.add(call.id);
    return call;
  };
  return {
    parts,
    calls,
    runs,
    classifier,
    servers,
    admit(block, turn) {
      const call = calls.admit(block, turn);
      return call instanceof Promise ? call.then(addRun) : addRun(call);
    },
    publishResult(toolUseId) {
      runs.forget(toolUseId);
      const toolResult = calls.takeData(toolUseId);
      const result = conversation.result(toolUseId);
      if (result === undefined || calls.isRepeated(toolUseId)) return;
      const message = { role: 'user', content: [result] } as const;
      const data = result.is_error === true ? undefined : toolResult;
      const meta = {
        uuid: stepContext.uuid(),
        ...(data === undefined ? {} : { toolResult: data }),
      };
      emitFrom(stepContext, { type: 'agent.message', args: [message, meta] });
    },
    tearOff() {
      parts.abort.abort(new DOMException('The agent was torn off.', 'AbortError'));
      servers.stop();
      calls.abortAll('killed');
    },
  };
}
