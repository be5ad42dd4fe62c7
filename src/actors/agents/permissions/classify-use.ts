import { createHash } from 'node:crypto';
import { z } from 'zod';
import { toFailure } from '../../../core/errors.js';
import { toJsonText } from '../../../core/json/plain-json.js';
import type { PermissionRequest } from '../../../core/events.js';
import type { ModelCall } from '../../../core/tasks/usage.js';
import { stepKey } from '../../../journal/entries/step-key.js';
import { findToolByName } from '../../../tools/pool/find-tool.js';
import type {
  Classifier,
  ClassifierQuestion,
  ClassifierVerdict,
} from '../../options/classifier.js';
import { createModelClassifier } from './model-classifier.js';
import { toTranscript, wordsOf } from './transcript.js';
import { raceDeadline } from '../../services/race-deadline.js';
import type { Caller } from '../parts/caller.js';
import { askModel } from '../requests/ask-model.js';
import type { SamplingServices } from '../requests/sampling-services.js';

/** A person who waits is asked meanwhile; nobody waits longer for a model. */
const TIMEOUT_MS = 60_000;
const TOO_LATE = `it did not answer within ${TIMEOUT_MS / 1_000} s`;

const Verdict = z.object({ behavior: z.enum(['allow', 'deny', 'ask']), reason: z.string() });

/** Classify the tool calls of one agent. */
export interface UseClassifier {
  readonly name: string;
  /** Rejects only if the signal aborts: any other failure is an `ask` with its reason. */
  classify(
    request: PermissionRequest,
    turn: number,
    signal: AbortSignal,
  ): Promise<ClassifierVerdict>;
}

export function createUseClassifier(caller: Caller, services: SamplingServices): UseClassifier {
  const { env, classifier: given, limitModels } = services.settings;
  const model = limitModels.small(env) ?? caller.model;
  const name = given === undefined ? model : (given.name ?? 'classifier');

  /** The classifier for one question, and its model requests. */
  const open = (): { readonly classifier: Classifier; readonly calls: ModelCall[] } => {
    const calls: ModelCall[] = [];
    const ask = (question: Parameters<typeof askModel>[2], signal: AbortSignal): Promise<string> =>
      askModel(
        caller,
        services,
        { ...question, model },
        { signal, onActivity: () => {}, onUsed: (call) => void calls.push(call) },
      );
    return { classifier: given ?? createModelClassifier(name, ask), calls };
  };

  const judge = async (
    question: ClassifierQuestion,
    signal: AbortSignal,
  ): Promise<{ readonly verdict: ClassifierVerdict; readonly calls: readonly ModelCall[] }> => {
    const { classifier, calls } = open();
    try {
      const said = await raceDeadline(
        (either) => classifier.classify(question, { signal: either }),
        { timeoutMs: TIMEOUT_MS, tooLate: TOO_LATE },
        services.timers,
        signal,
      );
      return { verdict: Verdict.parse(said), calls };
    } catch (error) {
      signal.throwIfAborted();
      const why =
        error instanceof z.ZodError ? 'its answer is no verdict' : toFailure(error).message;
      return { verdict: { behavior: 'ask', reason: `${name} could not say: ${why}` }, calls };
    }
  };

  return {
    name,
    async classify(request, turn, signal) {
      const { toolName, input, message, toolUseId } = request;
      const question: ClassifierQuestion = {
        toolName,
        input,
        text: wordsOf(input, findToolByName(caller.tools, toolName)),
        message,
        cwd: caller.toolContext.files.cwd,
        agentType: caller.type,
        transcript: toTranscript(caller.conversation.messages(), {
          tools: caller.tools,
          prompts: caller.depth === 0 ? caller.conversation.prompts() : [],
        }),
      };
      // The same question has one answer, also in another process. Another input is another question.
      const digest = createHash('sha256').update(toJsonText(question)).digest('hex').slice(0, 16);
      const { verdict } = await caller.stepContext.step(
        stepKey.classifier(turn, toolUseId, digest),
        () => judge(question, signal),
        { isHarmless: true },
      );
      return verdict;
    },
  };
}
