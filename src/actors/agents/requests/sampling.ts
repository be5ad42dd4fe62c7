import type { AnyActorRef } from 'xstate';
import { toFailure } from '../../../core/errors.js';
import type { Failure } from '../../../core/failure.js';
import { textOf } from '../../../core/messages.js';
import type { ModelCall } from '../../../core/tasks/usage.js';
import { JournalWriteError } from '../../../journal/journal-write-error.js';
import { stepKey } from '../../../journal/step-key.js';
import type { ModelErrorClass } from '../../../model/model-error.js';
import { createPromptMeter } from '../../../usage/prompt-meter.js';
import { MAX_MODEL_TRIES } from '../../../model/retry-policy.js';
import { continuationOf } from '../../../model/stop-reasons.js';
import { tell, type AgentParts } from '../agent-parts.js';
import { createAttempt, type Admit, type Attempt } from './attempt.js';
import { createModelChoice } from '../../services/model-choice.js';
import { brokenReply, NO_REPLY, withProblems, type Reply, type Said } from './reply.js';
import type { SamplingServices } from './sampling-services.js';
import type { Activity } from './silence-watch.js';
import { failureOf, withRetries } from './with-retries.js';

export interface Sampling {
  /** Comes before `sample`, in the step that asks for it: an abort in between stops the request, too. */
  renew(): void;
  /** Makes the request of this turn and tells the agent of each tool use, then of the end. Never rejects. */
  sample(agent: AnyActorRef, turn: number): Promise<void>;
  abort(): void;
  /** A person has said something new: the agent's own model is asked again, where another stood in for it. */
  useOwnModel(): void;
  readonly activity: Readonly<Activity> | undefined;
  /** That is asked now: the agent's own, or one that stands in for it. */
  readonly model: string;
}

/** Streaming requests of one agent. Retry is visible: the agent is told of each wait. */
export function createSampling(
  parts: AgentParts,
  services: SamplingServices,
  admit: Admit,
  whyNot: () => Failure | undefined = () => undefined,
): Sampling {
  const choice = createModelChoice(() => modelNow(parts), services.fallbackModels);
  const meter = createPromptMeter();
  let controller = new AbortController();
  let activity: Activity | undefined;
  let brokenInARow = 0;

  const sample = async (agent: AnyActorRef, turn: number): Promise<void> => {
    const stopped = whyNot();
    if (stopped !== undefined) return tell(agent, { type: 'sample.failed', failure: stopped });
    try {
      const key = stepKey.model(turn);
      const said = await recallSaid(turn);
      const isReplayed = parts.door.isDone(key) || said.length > 0;
      const reply = await parts.door.step(
        key,
        () => (isReplayed ? Promise.resolve(brokenReply(said)) : request(agent, turn)),
        { isHarmless: true },
      );
      if (isReplayed)
        for (const assembled of withProblems(reply, said))
          tell(agent, { type: 'tool.use', call: await admit(assembled, turn) });
      const { message, stopReason, failure } = reply;
      const continues = continuationOf(stopReason);
      parts.conversation.addReply(message, continues, reply.calls?.at(-1)?.usage);
      if (failure !== undefined) tell(agent, { type: 'sample.failed', failure });
      else tell(agent, { type: 'sample.done', text: textOf(message), continues });
    } catch (error) {
      tell(agent, { type: 'sample.failed', failure: toFailure(error) });
    } finally {
      activity = undefined;
    }
  };

  /** Tool uses of this turn that an earlier run had let begin, each with what was said before it. */
  const recallSaid = async (turn: number): Promise<readonly Said[]> => {
    const said: Said[] = [];
    const never = (): Promise<Said> => Promise.reject(new Error('It is journaled.'));
    for (
      let key = stepKey.said(turn, 0);
      parts.door.isDone(key);
      key = stepKey.said(turn, said.length)
    )
      said.push(await parts.door.step(key, never, { isHarmless: true }));
    return said;
  };

  /** Tries until a reply has come, whole or in part, or nothing more can be done. */
  const request = async (agent: AnyActorRef, turn: number): Promise<Reply> => {
    const calls: ModelCall[] = [];
    const reply = await tryUntilDone(agent, turn, (call) => calls.push(call));
    return calls.length === 0 ? reply : { ...reply, calls };
  };

  const tryUntilDone = async (
    agent: AnyActorRef,
    turn: number,
    onUsed: (call: ModelCall) => void,
  ): Promise<Reply> => {
    const { signal } = controller;
    const onBegin = (begun: Activity): void => void (activity = begun);
    let attempt: Attempt | undefined;
    const ask = async (model: string): Promise<Reply> => {
      const options = { agent, turn, model, signal, admit, onBegin, meter, onUsed };
      attempt = createAttempt(parts, services, options);
      await attempt.run();
      brokenInARow = 0;
      return attempt.reply();
    };
    /** A tool use may have begun: what came before the stream broke stands. */
    const keep = (verdict: ModelErrorClass): Reply | undefined => {
      if (attempt === undefined || verdict.kind === 'abort') return attempt?.reply();
      if (!attempt.hasCalls) return undefined;
      brokenInARow += 1;
      if (verdict.kind === 'retry' && brokenInARow < MAX_MODEL_TRIES) return attempt.reply();
      return { ...attempt.reply(), failure: failureOf(verdict) };
    };
    const onWait = (): void => void (activity = undefined);
    try {
      return await withRetries(parts, services, { agent, choice, signal, onWait, ask, keep });
    } catch (error) {
      if (error instanceof JournalWriteError) throw error;
      return signal.aborted ? NO_REPLY : { ...NO_REPLY, failure: toFailure(error) };
    }
  };

  return {
    renew: () => void (controller = new AbortController()),
    sample,
    abort: () => controller.abort(new DOMException('The agent was told to stop.', 'AbortError')),
    useOwnModel: choice.reset,
    get activity() {
      return activity;
    },
    get model() {
      return choice.model;
    },
  };
}

function modelNow({ model, planModel, permissionContext }: AgentParts): string {
  return planModel !== undefined && permissionContext().mode === 'plan' ? planModel : model;
}
