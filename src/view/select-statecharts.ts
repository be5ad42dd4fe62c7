import type { PastTask } from '../journal/entries/task-entries.js';
import type { Activity, AgentView, CallView } from './agent-view.js';
import type { DecisionView } from './decision-view.js';
import type { ViewState } from './view-state.js';

/** An actor as its journal knows it: the machine, the active state, the last transitions. Times are epoch ms. */
export type StatechartView = {
  readonly machine: 'agent' | 'task' | 'toolCall';
  /** The name or the tool of the actor. */
  readonly name: string;
  /** Path of the active state, such as `living.sampling`. */
  readonly active: string;
  readonly since: number;
  /** The newest first. */
  readonly transitions: readonly Transition[];
};

export type Transition = { readonly from: string; readonly to: string; readonly at: number };

const MOST_TRANSITIONS = 10;

const STATES: Readonly<Record<Activity, string>> = {
  starting: 'living',
  sampling: 'living.sampling',
  acting: 'living.acting',
  idle: 'living.idle',
  ended: 'done',
};

/** The machines of a task: its agent's, its own, and those of the agent's open tool calls, or of the last one. */
export function selectStatecharts(
  { agents, decisions }: ViewState,
  task: PastTask,
): readonly StatechartView[] {
  const agent = agents.get(task.agentId ?? '');
  const calls = [...(agent?.calls.values() ?? [])];
  const open = calls.filter(({ result }) => result === undefined);
  return [
    ...(agent === undefined ? [] : [chartOf('agent', agent.name, agentSteps(agent))]),
    chartOf('task', task.state.description, taskSteps(task)),
    ...(open.length > 0 ? open : calls.slice(-1)).map((call) =>
      chartOf('toolCall', call.tool, callSteps(call, decisions.get(call.id))),
    ),
  ];
}

type Step = { readonly state: string; readonly at: number };

function chartOf(
  machine: StatechartView['machine'],
  name: string,
  steps: readonly Step[],
): StatechartView {
  const transitions = steps.flatMap(({ state: to, at }, index) => {
    const before = steps[index - 1];
    return before === undefined ? [] : [{ from: before.state, to, at }];
  });
  const { state: active = '', at: since = 0 } = steps.at(-1) ?? {};
  return {
    machine,
    name,
    active,
    since,
    transitions: transitions.slice(-MOST_TRANSITIONS).toReversed(),
  };
}

function agentSteps({ spans, activity, since }: AgentView): readonly Step[] {
  const past = spans.slice(-MOST_TRANSITIONS).map((span) => ({ ...span, at: span.from }));
  return [...past, { activity, at: since }].map((one) => ({
    state: STATES[one.activity],
    at: one.at,
  }));
}

function taskSteps({ state: { status, startTime, endTime } }: PastTask): readonly Step[] {
  if (status === 'pending') return [{ state: 'pending', at: startTime }];
  const running = { state: 'running', at: startTime };
  return status === 'running' ? [running] : [running, { state: status, at: endTime ?? startTime }];
}

function callSteps({ at, result }: CallView, decision: DecisionView | undefined): readonly Step[] {
  const asked = decision?.askedAt;
  return [
    { state: 'queued', at },
    ...(asked === undefined ? [] : [{ state: 'deciding.asking', at: asked }]),
    ...(decision?.behavior === 'allow' ? [{ state: 'executing', at: decision.at }] : []),
    ...(result === undefined ? [] : [{ state: 'completed', at: result.at }]),
  ];
}
