import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { InspectedActor } from '../../../actors/contract/inspected-actor.js';
import { describeRequests } from '../describe-requests.js';
import { DecideInput, toAnswer } from '../to-answer.js';
import type { AgentState, ServedAgents, ServedClient } from '../serve-types.js';
import {
  DecideOutput,
  KillInput,
  NoInput,
  OutputInput,
  OutputOutput,
  RequestsOutput,
  SendInput,
  SpawnInput,
  StateOutput,
  StatusInput,
  StatusOutput,
  type ActorOutput,
} from './tool-schemas.js';

/** The parts that a call of a tool works with. */
export type CallContext = {
  readonly agents: ServedAgents;
  readonly client: ServedClient;
  /** Aborts when the client cancels the call or ends. */
  readonly signal: AbortSignal;
  /** Whether a person at the client is asked by elicitation, so that the call can wait for decisions. */
  readonly elicits: boolean;
  /** Report progress. */
  readonly onLine: (line: string) => void;
  /** The call follows this agent: questions about it may go the way of the answer. */
  readonly follows: (id: string) => void;
};

export type ServedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly annotations: ToolAnnotations;
  call(input: unknown, context: CallContext): Promise<object>;
};

/** Keep the type of a tool's input between its schema and its code. */
function tool<Input extends z.ZodType>(
  one: Omit<ServedTool, 'input' | 'call'> & {
    readonly input: Input;
    call(input: z.output<Input>, context: CallContext): Promise<object>;
  },
): ServedTool {
  return { ...one, call: (input, context) => one.call(input as z.output<Input>, context) }; // the server has parsed it
}

const READS = { readOnlyHint: true, openWorldHint: false } as const;
const WAITING =
  'While it waits, the call reports progress. It returns early if the agent needs a decision and this client offers no elicitation: decide with `decide`, then wait with `output`.';

/** The tools of the server, in the order of their list. */
export const SERVED_TOOLS: readonly ServedTool[] = [
  tool({
    name: 'spawn',
    title: 'Start an agent',
    description: `Start an agent, which works with its own tools until it has an answer, and return its state. ${WAITING} Cancelling the call kills the agent; with "wait": false the call returns at once, and the agent continues.`,
    input: SpawnInput,
    output: StateOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    async call({ wait, ...request }, context) {
      const { agents, client, signal } = context;
      const { id } = await agents.spawn(request, client, wait ? signal : undefined);
      if (!wait) return agents.state(id);
      const state = await follow(id, context);
      return signal.aborted ? agents.kill(id, 'the client cancelled the call') : state;
    },
  }),
  tool({
    name: 'send',
    title: 'Send a message to an agent',
    description: `Put a message into the mailbox of an agent; it reads it before its next model request. A session that has ended is resumed with the message. With "wait": true the call returns the state at the end of the agent. ${WAITING} Cancelling the call takes nothing back: the agent continues.`,
    input: SendInput,
    output: StateOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    async call({ id, text, wait }, context) {
      const sent = await context.agents.send(id, text, context.client);
      return wait ? follow(sent.id, context) : sent;
    },
  }),
  tool({
    name: 'status',
    title: 'Show agents',
    description:
      'Return the states of all spawned agents, or of one, and the tree of live actors: sub-agents, commands and tool calls, what each does and what it waits for.',
    input: StatusInput,
    output: StatusOutput,
    annotations: READS,
    call({ id }, { agents }) {
      const trees = agents.trees().flatMap(({ children }) => children);
      if (id === undefined)
        return Promise.resolve({ agents: agents.states(), tree: trees.map(toActor) });
      const state = agents.state(id);
      const tree = trees.flatMap((actor) => withId(actor, state.id)).map(toActor);
      return Promise.resolve({ agents: [state], tree });
    },
  }),
  tool({
    name: 'output',
    title: 'Read the output of an agent',
    description: `Return the state of an agent, with its result, and what it has written since an offset. With "wait": true the call returns when the agent has ended. ${WAITING} Cancelling the call lets the agent continue.`,
    input: OutputInput,
    output: OutputOutput,
    annotations: READS,
    async call({ id, from, wait }, context) {
      const state = wait ? await follow(id, context) : context.agents.state(id);
      const { text, next } = await context.agents.output(id, from);
      return { ...state, output: text, next };
    },
  }),
  tool({
    name: 'kill',
    title: 'End an agent',
    description:
      'End an agent and everything that it started, and return its state when all has ended. An agent that has ended stays as it is.',
    input: KillInput,
    output: StateOutput,
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    call: ({ id, reason }, { agents, client }) =>
      agents.kill(id, reason ?? `killed by the ${client.name}`),
  }),
  tool({
    name: 'requests',
    title: 'List permission requests',
    description:
      'List the pending permission requests, plans and questions of all agents, oldest first: the whole input, the reason, and the path that each took through the agents.',
    input: NoInput,
    output: RequestsOutput,
    annotations: READS,
    call: (_, { agents }) => Promise.resolve({ requests: describeRequests(agents) }),
  }),
  tool({
    name: 'decide',
    title: 'Decide a permission request',
    description:
      'Allow or deny a permission request, a plan or a question. Only the first decision counts; the result says whether this one did. Allow only what the person you work for wants.',
    input: DecideInput,
    output: DecideOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    async call({ requestId, ...decision }, { agents, client }) {
      const request = agents.requests().find((one) => one.requestId === requestId);
      return agents.decide(requestId, toAnswer(decision, request, client.name), client.name);
    },
  }),
];

function follow(id: string, context: CallContext): Promise<AgentState> {
  const { agents, signal, elicits, onLine, follows } = context;
  follows(id);
  const until = ({ waitsFor }: AgentState): boolean => !elicits && waitsFor.length > 0;
  return agents.follow(id, { signal, onLine, until });
}

function toActor({ usage, children, ...actor }: InspectedActor): ActorOutput {
  const { id, kind, label, state, since, waitingFor, sessionId } = actor;
  return {
    id,
    kind,
    label,
    state,
    since,
    waitingFor: [...waitingFor],
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(usage?.costUsd === undefined ? {} : { costUsd: usage.costUsd }),
    children: children.map(toActor),
  };
}

/** The actors of a tree with this ID of a session or a task. */
function withId(actor: InspectedActor, id: string): readonly InspectedActor[] {
  if (actor.id === id || actor.sessionId === id) return [actor];
  return actor.children.flatMap((child) => withId(child, id));
}
