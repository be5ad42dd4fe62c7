import type { AnyActorRef } from 'xstate';
import type { AgentContext } from '../../../core/agents/agent-context.js';
import { toFailure } from '../../../core/errors.js';
import type { Failure } from '../../../core/failure.js';
import { textOf } from '../../../core/messages.js';
import { stepKey } from '../../../journal/entries/step-key.js';
import { continuationOf } from '../../../model/stop-reasons.js';
import type { AgentParts } from '../parts/agent-parts.js';
import { tell } from '../parts/effects.js';
import type { Admit } from './attempt.js';
import { createModelRequests, type ModelRequests } from './model-requests.js';
import { brokenReply, withProblems, type Said } from '../conversation/reply.js';
import type { SamplingServices } from './sampling-services.js';

/** The replies of one agent's turns. A run over the same journal repeats each of them. */
export interface Sampling extends Omit<ModelRequests, 'request'> {
  /** Call before `sample`, in the transition that requests it: an abort in between then stops the request too. */
  renew(): void;
  /** Make the request of this turn. Send the agent each tool call, then the end. Never rejects. */
  sample(agent: AnyActorRef, turn: number): Promise<void>;
  abort(): void;
}

export function createSampling(
  parts: AgentParts,
  services: SamplingServices,
  admit: Admit,
  {
    whyNot = () => undefined,
    afterFailure,
  }: {
    /** Why the agent may make no further request. */
    readonly whyNot?: () => Failure | undefined;
    /** Called before the agent gets the failure of a request. */
    readonly afterFailure?: (failure: Failure) => Promise<void>;
  } = {},
): Sampling {
  const { stepContext, conversation } = parts;
  const requests = createModelRequests(parts, services, admit);
  let controller = new AbortController();

  const fail = async (agent: AnyActorRef, failure: Failure): Promise<void> => {
    await afterFailure?.(failure);
    tell(agent, { type: 'sample.failed', failure });
  };

  return {
    renew: () => void (controller = new AbortController()),
    async sample(agent, turn) {
      const stopped = whyNot();
      if (stopped !== undefined) return tell(agent, { type: 'sample.failed', failure: stopped });
      try {
        const key = stepKey.model(turn);
        const said = await recallSaid(stepContext, turn);
        const isReplayed = stepContext.isDone(key) || said.length > 0;
        const reply = await stepContext.step(
          key,
          () =>
            isReplayed
              ? Promise.resolve(brokenReply(said))
              : requests.request(agent, turn, controller.signal),
          { isHarmless: true },
        );
        if (isReplayed)
          for (const assembled of withProblems(reply, said))
            tell(agent, { type: 'tool.use', call: await admit(assembled, turn) });
        const { message, stopReason, failure } = reply;
        const continues = continuationOf(stopReason);
        conversation.addReply(message, continues, reply.calls?.at(-1)?.usage);
        if (failure !== undefined) await fail(agent, failure);
        else tell(agent, { type: 'sample.done', text: textOf(message), continues });
      } catch (error) {
        await fail(agent, toFailure(error));
      }
    },
    abort: () => controller.abort(new DOMException('The agent was stopped.', 'AbortError')),
    useOwnModel: requests.useOwnModel,
    activity: () => requests.activity(),
    textSoFar: () => requests.textSoFar(),
    model: () => requests.model(),
  };
}

/** Tool calls of this turn that an earlier run had begun, each with the blocks before it. */
async function recallSaid(stepContext: AgentContext, turn: number): Promise<readonly Said[]> {
  const said: Said[] = [];
  const never = (): Promise<Said> => Promise.reject(new Error('It is journaled.'));
  for (
    let key = stepKey.said(turn, 0);
    stepContext.isDone(key);
    key = stepKey.said(turn, said.length)
  )
    said.push(await stepContext.step(key, never, { isHarmless: true }));
  return said;
}
