/**
 * The state of a session as the terminal and the page show it: a fold over the lines of its journal. Each file of the
 * journal has its own part of the state, so lines of different files may come in any order, and in any batches: a live
 * session, one of another process and a recorded one give the same state. The lines up to a time give the state of that
 * time.
 */
import type { TaskId } from '../core/ids.js';
import { addTaskEntry, type PastTask } from '../journal/entries/task-entries.js';
import { addTeamEntry, NO_TEAM, type RecordedTeam } from '../journal/entries/team-entries.js';
import { addAgentEntry, draftOf, newAgent, type AgentView } from './agent-view.js';
import { boundAgent, boundDecisions, boundTasks, type Bound } from './bound-view.js';
import { reduceDecision, type DecisionView } from './decision-view.js';
import type { ViewEvent } from './view-event.js';

export type ViewState = {
  /** In the order of their beginning. */
  readonly tasks: ReadonlyMap<TaskId, PastTask>;
  /** In the order of their beginning. */
  readonly agents: ReadonlyMap<string, AgentView>;
  /** By the ID of the tool call. */
  readonly decisions: ReadonlyMap<string, DecisionView>;
  /** By name. */
  readonly teams: ReadonlyMap<string, RecordedTeam>;
  /** Lines that cannot be read. */
  readonly damaged: readonly string[];
  /** The time of the oldest line, epoch ms; Infinity without lines. */
  readonly from: number;
  /** The time of the newest line, epoch ms. */
  readonly at: number;
};

export const NO_VIEW: ViewState = {
  tasks: new Map(),
  agents: new Map(),
  decisions: new Map(),
  teams: new Map(),
  damaged: [],
  from: Infinity,
  at: 0,
};

/**
 * The state after more lines. Each file keeps its order.
 *
 * @param bound the part that is kept; everything if absent
 */
export function reduceView(
  state: ViewState,
  events: readonly ViewEvent[],
  bound?: Bound,
): ViewState {
  const tasks = new Map(state.tasks);
  const agents = new Map(state.agents);
  const decisions = new Map(state.decisions);
  const teams = new Map(state.teams);
  const drafts = new Map<string, ReturnType<typeof draftOf>>();
  const draftFor = (id: string): ReturnType<typeof draftOf> => {
    const known = drafts.get(id) ?? draftOf(state.agents.get(id) ?? newAgent(id));
    drafts.set(id, known);
    return known;
  };
  const damaged = [...state.damaged];
  let { from, at } = state;
  for (const event of events) {
    if (event.file === 'damaged') {
      damaged.push(event.message);
      continue;
    }
    from = Math.min(from, event.entry.timestamp);
    at = Math.max(at, event.entry.timestamp);
    switch (event.file) {
      case 'tasks':
        addTaskEntry(tasks, event.entry, () => '');
        break;
      case 'agent':
        addAgentEntry(draftFor(event.agentId), event.entry);
        break;
      case 'audit': {
        const id = event.entry.toolUseId ?? '';
        const decision = reduceDecision(decisions.get(id), event.entry);
        if (decision === undefined) break;
        decisions.delete(id); // in the order of the decisions
        decisions.set(id, decision);
        break;
      }
      case 'team':
        teams.set(event.team, addTeamEntry(teams.get(event.team) ?? NO_TEAM, event.entry));
        break;
      default:
        event satisfies never;
    }
  }
  for (const [id, draft] of drafts) {
    if (bound !== undefined) boundAgent(draft, bound);
    agents.set(id, draft);
  }
  if (bound !== undefined) {
    boundTasks(tasks, bound);
    boundDecisions(decisions, bound);
  }
  return {
    tasks,
    agents: sorted(agents, (a, b) => a.startedAt - b.startedAt),
    decisions,
    teams: sorted(teams),
    damaged,
    from,
    at,
  };
}

/** A map in one order for all orders of the files that its values come from. */
function sorted<Value>(
  map: ReadonlyMap<string, Value>,
  compare: (a: Value, b: Value) => number = () => 0,
): ReadonlyMap<string, Value> {
  return new Map(
    [...map].toSorted(([a, one], [b, other]) => compare(one, other) || (a < b ? -1 : 1)),
  );
}
